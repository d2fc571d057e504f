"use strict";
// Views of units that are not mentions: lists of items, each with a kind and a row in the statistics. Each
// view (sections.js, entries.js, rankings.js) defines how an item and a document look.

const corpus = { documents: [], rows: [], systems: [], names: {} };
const NO_FILTER = { kinds: new Set(), compared: null, bucket: null, tag: null, ...NO_EXPRESSION, ...NO_SEARCH };
const DEFAULT = { system: 0, ...NO_PAIR, mode: head.modes[0].name, tab: "reports", sort: "errors", doc: null, m: null, by: "row", column: null, falling: true, allRows: false, ...NO_FILTER };
let view = { ...DEFAULT };
const current = { list: null, rows: [], order: [], document: -1, item: -1, counts: null };

const modeOf = (name) => head.modes.find((mode) => mode.name === name);
const kindOf = (number) => head.kinds[number];

// The items of a system in a mode: columns document, row, kind and unit, and those of the view.
class List {
  constructor(columns, documents) {
    this.columns = columns;
    this.size = columns.document.length;
    this.first = new Int32Array(documents + 1);
    for (const d of columns.document) this.first[d + 1]++;
    for (let d = 0; d < documents; d++) this.first[d + 1] += this.first[d];
  }

  item(i) {
    return Object.fromEntries(Object.entries(this.columns).map(([name, column]) => [name, column[i]]));
  }

  of(d) {
    const found = [];
    for (let i = this.first[d]; i < this.first[d + 1]; i++) found.push({ i, ...this.item(i) });
    return found;
  }
}

async function loadCorpus() {
  const tables = await unpackJson("tables");
  Object.assign(corpus, { documents: tables.documents, rows: tables.rows, measures: tables.measures, extra: tables.extra, names: tables.names });
  corpus.systems = head.systems.map((description, at) => ({
    ...description,
    at,
    lists: Object.fromEntries(head.modes.map(({ name }) => [name, new List(tables.systems[at][name], tables.documents.length)])),
  }));
  corpus.counts = new Set(head.measures.map(([name]) => name).filter(isCount));
  const own = VIEW.groupings ?? [];
  corpus.groupings = Object.fromEntries(own.map((column) => [column, numberGroups(column)]));
  head.groupings = ["row", "document", ...own];
}

// A measure is a count if it is whole in every document; a proportion keeps its decimals even at 0 and 1.
function isCount(name) {
  const values = corpus.measures.flatMap((of) => of[name]).filter((x) => x !== null);
  return values.every(Number.isInteger) && values.some((x) => x > 1);
}

// --- groups of items

// Groups by the values of a column.
function numberGroups(column) {
  const numbers = new Map();
  const nameOf = (value) => String(value ?? "none");
  const lists = corpus.systems.flatMap((system) => Object.values(system.lists));
  for (const { columns } of lists) for (const value of columns[column]) numbers.set(nameOf(value), 0);
  const names = [...numbers.keys()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  names.forEach((name, number) => numbers.set(name, number));
  const groups = new Map(lists.map((list) => [list, Int32Array.from(list.columns[column], (value) => numbers.get(nameOf(value)))]));
  return { names, of: (list) => groups.get(list) };
}

// A way to group items: the names of the groups, and each item's group as an index into the names.
function groupingOf(by) {
  if (by === "row") return { names: corpus.rows, of: ({ columns }) => columns.row };
  if (by === "document") return { names: corpus.documents, of: ({ columns }) => columns.document };
  return corpus.groupings[by];
}

function groupingTitle(by) {
  if (by === "row") return head.row_title;
  if (by === "document") return head.document_title.replace(/s$/, "");
  return by[0].toUpperCase() + by.slice(1);
}

const sortableColumns = () => head.modes.flatMap(({ columns }) => columns.map(({ label }) => label));

const system0 = () => corpus.systems[view.system];

function makeFilter({ kinds, compared, mode, bucket, query, tag, where }) {
  const wanted = new Set([...kinds].map((name) => head.kinds.findIndex((kind) => kind.name === name)));
  const isCompared = compared && comparedTest(COMPARED.indexOf(compared), mode);
  const groups = bucket && groupingOf(bucket.by);
  const [test, own] = [where && readExpression(where), new Map()]; // a list to its test
  const passes = (list) => own.get(list) ?? own.set(list, test(list)).get(list);
  return (list, i) =>
    (!bucket || groups.of(list)[i] === bucket.value) &&
    (!wanted.size || wanted.has(list.columns.kind[i])) &&
    (!compared || isCompared(list, i)) &&
    (tag === null || hasTag(current.remarked.rows.get(list)?.get(i), tag)) &&
    (!query || foundNow()?.matched.get(list)[i]) &&
    (!test || passes(list)(i));
}

function select(list, filter) {
  const found = [];
  for (let i = 0; i < list.size; i++) if (filter(list, i)) found.push(i);
  return found;
}

// For each group, or row of the statistics, count the items of each kind.
function countKinds(list, by = "row") {
  const grouping = groupingOf(by);
  const groups = grouping.of(list);
  const table = grouping.names.map(() => new Float64Array(head.kinds.length));
  for (let i = 0; i < list.size; i++) table[groups[i]][list.columns.kind[i]]++;
  return table;
}

const addUp = (table) => table.reduce((a, b) => a.map((n, k) => n + b[k]), new Float64Array(head.kinds.length));
const total = (counts, kinds) => kinds.reduce((sum, name) => sum + counts[head.kinds.findIndex((kind) => kind.name === name)], 0);

function findDifferences() {
  const differences = [];
  for (const system of corpus.systems) {
    const expect = (key, counted) => {
      const told = system.scores[key];
      if (told !== undefined && !(Math.abs(counted - told) <= 1e-9 * Math.max(1, Math.abs(told)))) {
        differences.push(`${system.name}: ${key} is ${told}, but the items give ${counted}`);
      }
    };
    for (const { key, mode, kinds, of, row } of head.checks) {
      const counts = countKinds(system.lists[mode]);
      const own = row ? counts[corpus.rows.indexOf(row)] : addUp(counts);
      const whole = total(own, of);
      if (!of.length) expect(key, total(own, kinds));
      else if (whole) expect(key, total(own, kinds) / whole);
    }
    VIEW.check(system, expect);
  }
  return differences;
}
