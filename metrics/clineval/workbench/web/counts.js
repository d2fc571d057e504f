"use strict";
// Counts: measures, classes and groups, documents, slots. Also check them against the core's scores.

// A ratio without a denominator is null, which counts as 0 in sums and when rows are sorted.
const ratio = (top, bottom) => (bottom ? top / bottom : null);

// Whether the measure is an accuracy, else it is F1. It is an accuracy for the classes of pairs, and for
// answers to given spans. These have no precision, because each span has an answer.
const isAccuracy = (criterion) => criterion === "class" || head.spans_given;
const mainOf = (measures) => (isAccuracy(view.criterion) ? measures.accuracy : measures.f1);

function measure(tp, fp, fn, wrong) {
  return {
    tp, fp, fn, wrong, gold: tp + fn, system: tp + fp, pairs: tp + wrong,
    precision: ratio(tp, tp + fp), recall: ratio(tp, tp + fn), f1: ratio(2 * tp, 2 * tp + fp + fn),
    accuracy: head.spans_given ? ratio(tp, tp + fn) : ratio(tp, tp + wrong),
  };
}

const measureItems = (items) => measure(...addClasses(classTable(items), countedClasses()));

// For answers to given spans, a code that the gold standard lacks has no accuracy.
const isDefined = (row, name) => name !== "accuracy" || !head.spans_given || row.gold > 0;

// A way to group mentions: the names of the groups, and each mention's group as an index into the names.
// Classes and slots are columns of every mention; other groupings come from the command line's --by.
function groupingOf(by) {
  const slot = by === "class" ? head.slots[CLASS_SLOT] : by.startsWith("slot:") ? head.slots.find(({ name }) => "slot:" + name === by) : null;
  if (slot) return { names: slot.values, of: (side) => side.slots[slot.name] };
  return { names: head.groups[by], of: (side) => side.columns["group/" + by] };
}

// The group of an item: that of its gold mention, or else of its prediction.
function groupOf(items, { of }, i) {
  const g = items.golds[i];
  return g >= 0 ? of(corpus.gold)[g] : of(items.system)[items.predictions[i]];
}

// The rows of the Statistics pane for a grouping other than classes, in the order of the grouping.
function countGroups(items, by) {
  const grouping = groupingOf(by);
  const table = new Int32Array(grouping.names.length * 5);
  for (let i = 0; i < items.size; i++) table[groupOf(items, grouping, i) * 5 + items.verdicts[i]]++;
  const rows = grouping.names.map((label, value) => ({ label: label || "(absent)", code: null, bucket: { by, value }, ...measure(...table.subarray(value * 5, value * 5 + 5)) }));
  const used = rows.filter((row) => row.tp + row.fp + row.fn + row.wrong);
  return [...countTotals(items), ...used];
}

// Count the items of each class with each verdict, for a system in a mode; the result is kept. An item
// belongs to the class of its gold mention, or else of its prediction.
function classTable({ system, match, criterion }) {
  return (system.tables[match + "/" + criterion] ??= tallyClasses(system, match, criterion));
}

function tallyClasses(system, match, criterion) {
  const verdicts = verdictsOf(system, match, criterion);
  const partners = pairingOf(system, match, criterion).system;
  const name = head.classes.slot;
  const [golds, own] = CLASS_SLOT < 0 ? [new Uint8Array(corpus.gold.size), new Uint8Array(system.size)] : [corpus.gold.slots[name], system.slots[name]];
  const table = new Int32Array(CLASSES.length * VERDICTS.length);
  for (let p = 0; p < own.length; p++) {
    if (verdicts.system[p] !== NOTHING) table[(partners[p] >= 0 ? golds[partners[p]] : own[p]) * VERDICTS.length + verdicts.system[p]]++;
  }
  for (let g = 0; g < golds.length; g++) if (verdicts.gold[g] === FN) table[golds[g] * VERDICTS.length + FN]++;
  return table;
}

// Add the true positives, false positives, false negatives and wrong classes of some classes.
function addClasses(table, classes) {
  const sums = [0, 0, 0, 0];
  for (const c of classes) for (const verdict of [TP, FP, FN, WRONG]) sums[verdict] += table[c * VERDICTS.length + verdict];
  return sums;
}

// Classes that are added up under a name: those of each kind of items if no score adds up all, and all
// classes except the one that means no class.
const PARTS = new Map(Object.entries(head.parts).map(([name, classes]) =>
  [name, { label: `All ${name}`, chip: name, classes: someClasses(classes, classes.length ? [] : Object.values(head.parts).flat()) }]));
if (head.coded && head.classes.none) PARTS.set("coded", { label: `With ${head.classes.name}`, chip: `with a ${head.classes.name}`, classes: someClasses([], [head.classes.none]) });

// The rows of totals: one, or one for each kind of items if no score adds up all.
function countTotals(items) {
  const count = (label, code, classes) => ({ label, code, bucket: null, ...measure(...addClasses(classTable(items), classes)) });
  const parts = Object.keys(head.parts).map((name) => count(PARTS.get(name).label, name, PARTS.get(name).classes)).filter(({ gold, system, pairs }) => gold + system + pairs);
  return parts.length ? parts : [count("All", null, CLASSES.map((_, c) => c))];
}

// The classes that the displayed score counts.
function countedClasses() {
  const check = head.checks.find(({ key }) => key === shownPreset()?.key);
  return someClasses(check?.classes ?? [], check?.without ?? []);
}

// The rows of the Statistics pane: totals, items with and without a class, and each class.
function countClasses(items) {
  const table = classTable(items);
  const every = CLASSES.map((_, c) => c);
  const rows = countTotals(items);
  if (!head.coded) return rows;
  const coded = PARTS.get("coded");
  if (coded) rows.push({ label: coded.label, code: "coded", ...measure(...addClasses(table, coded.classes)) });
  const used = every.filter((c) => addClasses(table, [c]).some((n) => n)).map((c) => ({ label: CLASSES[c], code: c, ...measure(...addClasses(table, [c])) }));
  const without = used.filter((row) => row.code === NO_CLASS);
  const others = used.filter((row) => row.code !== NO_CLASS);
  const errors = (row) => row.fp + row.fn + row.wrong;
  others.sort((a, b) => errors(b) - errors(a) || b.tp - a.tp || (a.label < b.label ? -1 : 1));
  return [...rows, ...without, ...others];
}

// For each document, count the items that the displayed score counts, and the items that the filter shows.
function countDocuments(items, rows) {
  const size = corpus.documents.length;
  const counts = { table: new Int32Array(size * 5), shown: new Int32Array(size), first: new Int32Array(size) };
  const counted = new Set(countedClasses());
  for (let i = 0; i < items.size; i++) if (counted.has(items.code(i))) counts.table[items.documents[i] * 5 + items.verdicts[i]]++;
  for (let k = rows.length - 1; k >= 0; k--) {
    counts.shown[items.documents[rows[k]]]++;
    counts.first[items.documents[rows[k]]] = k;
  }
  return counts;
}

// For each slot, count the equal pairs of a system in a mode, and their weights.
function countSlots({ system, match, criterion }) {
  const verdicts = verdictsOf(system, match, criterion).system;
  const partners = pairingOf(system, match, criterion).system;
  const paired = new Int32Array(verdicts.length).map((_, p) => p).filter((p) => verdicts[p] !== NOTHING && partners[p] >= 0);
  const [weights, equalWeights, equals] = [0, 0, 0].map(() => new Float64Array(paired.length));
  const slots = head.slots.map((slot, k) => addSlot(slot, k, { system, partners, paired, weights, equalWeights, equals }));
  let weighted = 0;
  for (let at = 0; at < paired.length; at++) weighted += weights[at] ? equalWeights[at] / weights[at] : equals[at] / slots.length;
  return { slots, pairs: paired.length, equal: slots.reduce((sum, { equal }) => sum + equal, 0), weighted };
}

// The accuracy over all slots of all pairs, and the mean of the pairs' weighted accuracies.
const accuraciesOf = ({ equal, pairs, weighted }) => ({ accuracy: ratio(equal, pairs * head.slots.length), weighted_accuracy: ratio(weighted, pairs) });

// The sums of one slot; the weight of each pair is added to its weights in other slots.
function addSlot(slot, k, { system, partners, paired, weights, equalWeights, equals }) {
  const golds = corpus.gold.slots[slot.name];
  const found = { pairs: paired.length, equal: 0, weight: 0, equalWeight: 0, own: 0, equalOwn: 0 };
  for (let at = 0; at < paired.length; at++) {
    const p = paired[at];
    const equal = (system.equal[p] >> k) & 1;
    const weight = slot.weights ? slot.weights[golds[partners[p]]] : 1;
    const own = Math.max(weight, head.least); // in the slot's own average
    found.equal += equal;
    found.weight += weight;
    found.equalWeight += weight * equal;
    found.own += own;
    found.equalOwn += own * equal;
    weights[at] += weight;
    equalWeights[at] += weight * equal;
    equals[at] += equal;
  }
  return found;
}

// The cells of one slot's confusion matrix: gold value, system value, number, and whether it is wrong. If
// spans are given, a right value is any accepted one, such as any code of a list.
function countConfusions(items, slot) {
  const cells = new Map();
  const values = slot.values.length;
  for (let i = 0; i < items.size; i++) {
    const [g, p] = items.pair(i);
    if (g < 0 || p < 0) continue;
    const [gold, system] = [corpus.gold.slots[slot.name][g], items.system.slots[slot.name][p]];
    const wrong = head.spans_given ? items.verdicts[i] !== TP : gold !== system;
    const known = cells.get(gold * values + system);
    if (known) known.n++;
    else cells.set(gold * values + system, { gold, system, n: 1, wrong });
  }
  return [...cells.values()];
}

// The numbers of some classes (all if no name is given), except others.
function someClasses(classes, without) {
  const among = (names, name) => names.some((other) => other.toLowerCase() === name.toLowerCase());
  const counted = CLASSES.map((name) => (!classes.length || among(classes, name)) && !among(without, name));
  return counted.flatMap((is, c) => (is ? [c] : []));
}

// Compare the page's counts with the core's scores; return the differences.
function findDifferences() {
  const differences = [];
  const close = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
  for (const system of corpus.systems) {
    const expect = (key, counted) => {
      if (key in system.scores && !close(counted, system.scores[key])) {
        differences.push(`${system.name}: ${key} is ${system.scores[key]}, but the pairs give ${counted}`);
      }
    };
    for (const { key, match, criterion, measure: name, classes, without } of head.checks) {
      const counted = addClasses(classTable({ system, match, criterion }), someClasses(classes, without));
      expect(key, measure(...counted)[name]);
    }
    if ("weighted_accuracy" in system.scores) expectSlots(system, expect);
    system.forget(); // drop the modes that are not shown
  }
  return differences;
}

function expectSlots(system, expect) {
  const counted = countSlots({ system, match: "overlap", criterion: "span" });
  for (const [key, accuracy] of Object.entries(accuraciesOf(counted))) {
    expect(key, accuracy);
    expect("f1_x_" + key, accuracy * system.scores.span_f1);
  }
  head.slots.forEach((slot, k) => {
    const { pairs, equal, own, equalOwn } = counted.slots[k];
    expect(slot.name + "_accuracy", ratio(equal, pairs));
    expect(slot.name + "_weighted_accuracy", ratio(equalOwn, own));
  });
}
