"use strict";
// Statistics, Slots, Reports, Pairs, Frequent errors, Comparison.

const COLUMNS = {
  usual: [["gold", "Gold", ["tp", "fn"]], ["system", "System", ["tp", "fp"]], ["tp", "TP", ["tp"]],
    ["fp", "FP", ["fp"]], ["fn", "FN", ["fn"]], ["precision", "P", ["tp", "fp"]],
    ["recall", "R", ["tp", "fn"]], ["f1", "F1", ["tp", "fp", "fn"]]],
  class: [["pairs", "Pairs", ["tp", "wrong"]], ["tp", "Right", ["tp"]], ["wrong", "Wrong", ["wrong"]],
    ["accuracy", "Accuracy", ["tp", "wrong"]]],
};
const columnsOf = (criterion) => COLUMNS[criterion === "class" ? "class" : "usual"];
const FEW = 60;

// A number that is a filter: pressing it shows the pairs that were counted.
function cell(text, label, filter, pressed = false) {
  return element(
    "button",
    { type: "button", class: "cell", "aria-label": label, "aria-pressed": String(pressed), onclick: () => change({ ...NO_FILTER, ...filter, tab: "pairs", doc: null, m: null }) },
    text,
  );
}

const MEASURES_SHOWN = new Set(["precision", "recall", "f1", "accuracy"]);

function drawStatistics() {
  const rows = listRows();
  const columns = columnsOf(view.criterion);
  const bounds = intervalsOf(view.by);
  const more = view.allClasses ? 0 : Math.max(0, rows.length - FEW);
  const extra = addedRow();
  const added = extra === null ? null : rows.find((row) => rowKey(row) === extra);
  const few = more ? [...rows.slice(0, FEW), ...(added ? [added] : [])] : rows;
  const table = element(
    "table", {},
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, chooseGrouping()), ...columns.map(([name, title]) => columnHead(name, title)), bounds ? element("th", { scope: "col" }, "95 %") : null)),
    element("tbody", {}, ...few.map((row) => statisticsRow(row, columns, bounds))),
  );
  replace("statistics-body", table, more > 0 ? element("button", { type: "button", class: "link", onclick: () => change({ allClasses: true }) }, `show ${inThousands(more)} more ${view.by === "class" ? "classes" : "groups"}`) : null);
}

// The rows of the table: classes, or the groups of another grouping.
function listRows() {
  return remember(`rows ${view.system} ${view.match} ${view.criterion} ${view.by} ${view.column} ${view.falling}`, countRows);
}

function countRows() {
  const rows = view.by === "class" ? countClasses(current.items) : countGroups(current.items, view.by);
  return view.column === null ? rows : sortRows(rows);
}

// Totals stay above; equal rows stay as they were.
function sortRows(rows) {
  const isTotal = ({ code, bucket }) => !bucket && (code === null || code === "coded");
  const compare = (a, b) => (view.column === "label" ? (a.label < b.label ? 1 : -1) : b[view.column] - a[view.column]);
  const sorted = rows.filter((row) => !isTotal(row)).sort((a, b) => (view.falling ? compare(a, b) : compare(b, a)));
  return [...rows.filter(isTotal), ...sorted];
}

// A heading that sorts its column: falling, rising, as it was.
function columnHead(name, title) {
  const chosen = view.column === name;
  const next = !chosen ? { column: name, falling: true } : view.falling ? { falling: false } : { column: null, falling: true };
  const arrow = chosen ? element("span", { "aria-hidden": "true" }, view.falling ? " ▾" : " ▴") : null;
  return element("th", { scope: "col", "aria-sort": chosen ? (view.falling ? "descending" : "ascending") : null }, element("button", { type: "button", class: "head", onclick: () => change(next) }, title, arrow));
}
const rowKey = ({ code, bucket }) => (bucket ? bucket.value : code);

// The bounds of the main measure of each group, if there are any for this mode.
const intervalsOf = (by) => view0().groups?.[`${view.match}/${view.criterion}`]?.[by];

function chooseGrouping() {
  if (head.groupings.length < 2) return "Class";
  const title = (by) => (by === "class" ? "Class" : by.replace("slot:", "").replaceAll("_", " "));
  const options = head.groupings.map((by) => element("option", { value: by, selected: by === view.by }, title(by)));
  return element("select", { "aria-label": "Rows of the statistics", onchange: (event) => change({ by: event.target.value }) }, ...options);
}

function statisticsRow(row, columns, bounds) {
  const filter = row.bucket ? { code: null, bucket: row.bucket } : { code: row.code, bucket: null };
  const cells = columns.map(([name, title, verdicts]) => {
    const value = row[name];
    const text = MEASURES_SHOWN.has(name) ? share(value) : inThousands(value);
    const pressed = view.code === filter.code && sameBucket(view.bucket, filter.bucket) && sameSet(view.verdicts, verdicts) && isOnlyClassFilter();
    return element("td", {}, cell(text, `${row.label}: ${title} ${text}, show them`, { verdicts: new Set(verdicts), ...filter }, pressed));
  });
  const found = bounds && element("td", { class: "interval" }, shortInterval(row.label === "All" && !row.bucket ? wholeInterval(row) : bounds[row.label === "(absent)" ? "" : row.label]));
  return element("tr", { class: row.code === null && !row.bucket ? "total" : null, "data-row": String(rowKey(row)) }, element("th", { scope: "row" }, ...codeElement(row.label)), ...cells, found || null);
}

const shortInterval = (bounds) => (bounds ? bounds.map(share).join("–") : "");

// The interval of the whole is that of the score, if it is the measure of the table.
function wholeInterval(row) {
  const key = shownPreset()?.key;
  const value = view.criterion === "class" ? row.accuracy : row.f1;
  return key && Math.abs(view0().scores[key] - value) < 1e-9 ? intervalOf(view.system, key) : undefined;
}

const sameBucket = (a, b) => (a && b ? a.by === b.by && a.value === b.value : a === b);

// The row of the statistics that the chosen annotation belongs to; null if none is chosen.
function chosenRow() {
  const d = current.document;
  const { side, row } = view.m && d >= 0 ? mentionAt(d, view.m) : { row: null };
  if (row === null || (view.by === "class" && !head.coded)) return null;
  const partner = side === "gold" ? row : Math.max(widest(view0()).system[row], NOBODY);
  const { of } = groupingOf(view.by);
  return partner >= 0 ? of(corpus.gold)[partner] : of(view0())[row];
}

// The chosen annotation's row, if the table would not show it: it stands after those that are.
function addedRow() {
  const chosen = chosenRow();
  if (chosen === null || view.allClasses) return null;
  const rows = listRows();
  return rows.slice(0, FEW).some((row) => rowKey(row) === chosen) ? null : chosen;
}

// Choosing an annotation leads to the statistics of its class.
function markRow() {
  const chosen = String(chosenRow());
  for (const row of $("statistics-body").querySelectorAll("tbody tr")) {
    const is = row.dataset.row === chosen && !row.classList.contains("total");
    row.classList.toggle("chosen", is);
    if (is) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    if (is && current.touched) revealBelow($("statistics-body"), row, 28); // at first the totals are in sight
  }
}

function sameSet(a, b) {
  return a.size === b.length && b.every((x) => a.has(x));
}

function isOnlyClassFilter() {
  return !view.kinds.size && !view.discontiguous && !view.slot && view.phrase === null && !view.compared && !view.query && view.tag === null;
}

function drawSlots() {
  const counted = countSlots(current.items);
  const loss = counted.slots.map(({ weight, equalWeight }) => weight - equalWeight);
  const totalLoss = loss.reduce((a, b) => a + b, 0);
  const weighted = head.slots.some((slot) => slot.weights);
  const list = element(
    "table", { class: "slots" },
    element("thead", {}, element("tr", {}, ...["Slot", "Wrong", "Accuracy", ...(weighted ? ["Weighted", "Loss"] : [])].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...head.slots.map((slot, k) => {
      const { pairs, equal, own, equalOwn } = counted.slots[k];
      const name = element("button", { type: "button", class: "link", "aria-pressed": String(view.slotShown === slot.name), onclick: () => change({ slotShown: slot.name }) }, slot.name.replace("_", " "));
      return element(
        "tr", { class: view.slotShown === slot.name ? "chosen" : null },
        element("th", { scope: "row" }, name),
        element("td", {}, cell(inThousands(pairs - equal), `${slot.name}: ${pairs - equal} wrong, show them`, { slot: { name: slot.name, gold: null, system: null } }, view.slot?.name === slot.name && view.slot.gold === null)),
        element("td", {}, share(ratio(equal, pairs))),
        ...(weighted ? [element("td", {}, share(ratio(equalOwn, own))), element("td", { title: "share of the weight that is lost" }, Math.round(100 * ratio(loss[k], totalLoss)) + " %")] : []),
      );
    })),
  );
  const slot = head.slots.find((known) => known.name === view.slotShown);
  replace("slots-body", head.slots.length > 1 ? list : null, slot.kind === "closed" ? confusionMatrix(slot) : confusionList(slot));
}

function slotCell(slot, { gold, system, n }, text) {
  const pressed = view.slot?.name === slot.name && view.slot.gold === gold && view.slot.system === system;
  return cell(text, `${slot.name}: gold ${slot.values[gold]}, system ${slot.values[system]}: ${n} pairs, show them`, { slot: { name: slot.name, gold, system } }, pressed);
}

function confusionMatrix(slot) {
  const cells = countConfusions(current.items, slot);
  const used = (side) => slot.values.map((_, v) => v).filter((v) => v === slot.default || cells.some((c) => c[side] === v))
    .sort((a, b) => (b === slot.default) - (a === slot.default) || a - b);
  const columns = used("system");
  const number = new Map(cells.map((c) => [c.gold + ">" + c.system, c.n]));
  return element(
    "table", { class: "matrix" },
    element("caption", {}, `${slot.name.replace("_", " ")}: gold in rows, system in columns`),
    element("thead", {}, element("tr", {}, element("td", {}), ...columns.map((v) => element("th", { scope: "col" }, valueName(slot, v))), slot.weights ? element("th", { scope: "col", class: "weight" }, "weight") : null)),
    element("tbody", {}, ...used("gold").map((g) => element(
      "tr", {},
      element("th", { scope: "row" }, valueName(slot, g)),
      ...columns.map((s) => {
        const n = number.get(g + ">" + s) || 0;
        const kind = g === s ? (g === slot.default ? "diagonal default" : "diagonal") : n ? "off" : "";
        return element("td", { class: kind }, n ? slotCell(slot, { gold: g, system: s, n }, inThousands(n)) : "·");
      }),
      slot.weights ? element("td", { class: "weight" }, slot.weights[g].toFixed(2)) : null,
    ))),
  );
}

const valueName = (slot, v) => (slot.values[v] === "" ? "(absent)" : slot.values[v].replace("_", " ")) + (v === slot.default ? "*" : "");

function confusionList(slot) {
  const wrong = countConfusions(current.items, slot).filter((c) => c.gold !== c.system).sort((a, b) => b.n - a.n);
  const rows = wrong.slice(0, FEW).map((c) => element(
    "tr", {},
    element("td", {}, valueName(slot, c.gold)), element("td", { "aria-hidden": "true" }, "→"), element("td", {}, valueName(slot, c.system)),
    element("td", {}, slotCell(slot, c, inThousands(c.n))),
  ));
  const heading = element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "gold"), element("td", {}), element("th", { scope: "col" }, "system"), element("th", { scope: "col" }, "pairs")));
  const caption = `${slot.name.replace("_", " ")}: most frequent confusions` + (wrong.length > FEW ? ` (${FEW} of ${inThousands(wrong.length)})` : "");
  if (!wrong.length) return element("p", { class: "empty" }, "No pair has different codes here.");
  return element("table", { class: "matrix" }, element("caption", {}, caption), heading, element("tbody", {}, ...rows));
}

// --- the filters above the lists

function drawFilters() {
  const others = (changes) => countPassing(current.items, makeFilter(current.items, { ...view, ...changes }));
  const toggle = (group, name) => {
    const chosen = new Set(view[group]);
    if (!chosen.delete(name)) chosen.add(name);
    change({ [group]: chosen, doc: null, m: null });
  };
  const chip = (label, n, pressed, onclick, mark) => element(
    "button", { type: "button", class: "chip", "aria-pressed": String(pressed), onclick },
    mark ? element("span", { class: "key " + mark, "aria-hidden": "true" }) : null, `${label} ${inThousands(n)}`,
  );
  const verdicts = view.criterion === "class" ? ["tp", "wrong"] : ["tp", "fp", "fn"];
  const chips = verdicts.map((name) => chip(name.toUpperCase(), others({ verdicts: new Set([name]) }), view.verdicts.has(name), () => toggle("verdicts", name), "v-" + name));
  const kinds = Object.keys(KINDS).filter((name) => name !== "slot" || head.slots.length > 1).filter((name) => name !== "code" || head.coded);
  chips.push(...kinds.map((name) => chip(KIND_NAMES[name], others({ kinds: new Set([name]) }), view.kinds.has(name), () => toggle("kinds", name), "k-" + name)));
  chips.push(chip("discontiguous", others({ discontiguous: true }), view.discontiguous, () => change({ discontiguous: !view.discontiguous, doc: null, m: null })));
  for (const [tag, label] of tagChoices()) chips.push(chip(label, others({ tag }), view.tag === tag, () => change({ tag: view.tag === tag ? null : tag, doc: null, m: null }), "k-remark"));
  for (const [label, changes] of restrictions()) {
    chips.push(element("button", { type: "button", class: "chip only", "aria-pressed": "true", title: "remove this restriction", onclick: () => change({ ...changes, doc: null, m: null }) }, label + " ✕"));
  }
  chips.push(element("button", { type: "button", class: "link", onclick: () => change({ ...NO_FILTER, doc: null, m: null }) }, "show all"));
  replace("filters", ...chips);
}

// Restrictions that were chosen elsewhere, each with what removes it.
function restrictions() {
  const found = [];
  if (view.code !== null) found.push([view.code === "coded" ? `with a ${head.classes.name}` : codeName(view.code), { code: null }]);
  if (view.slot) {
    const slot = head.slots.find((known) => known.name === view.slot.name);
    const what = view.slot.gold === null ? "wrong" : `${valueName(slot, view.slot.gold)} → ${valueName(slot, view.slot.system)}`;
    found.push([`${slot.name.replace("_", " ")} ${what}`, { slot: null }]);
  }
  if (view.phrase !== null) found.push([`“${corpus.phrases[view.phrase - 1]}”`, { phrase: null }]);
  if (view.bucket) found.push([`${view.bucket.by.replace("slot:", "")} ${groupingOf(view.bucket.by).names[view.bucket.value] || "(absent)"}`, { bucket: null }]);
  if (view.compared) found.push([view.compared, { compared: null }]);
  found.push(...searchChip());
  return found;
}

const codeName = (code) => CLASSES[code];

// --- Reports and Pairs

function documentRow(k) {
  const d = current.order[k];
  const [tp, fp, fn, wrong] = current.byDocument.table.subarray(d * 5, d * 5 + 4);
  const m = measure(tp, fp, fn, wrong);
  const corpusWide = current.measures;
  const perfect = measure(corpusWide.tp + fn + wrong, corpusWide.fp - fp, corpusWide.fn - fn, corpusWide.wrong - wrong);
  const score = view.criterion === "class" ? m.accuracy : m.f1;
  const gain = view.criterion === "class" ? perfect.accuracy - corpusWide.accuracy : perfect.f1 - corpusWide.f1;
  const numbers = view.criterion === "class" ? [m.pairs, wrong] : [fp, fn];
  return element(
    "div", { class: "document-row" },
    nameElement(corpus.documents[d]),
    element("span", { class: "number matched", title: "items that the filter shows" }, inThousands(current.byDocument.shown[d])),
    ...numbers.map((n) => element("span", { class: "number" }, inThousands(n))),
    element("span", { class: "number" }, score.toFixed(2)),
    element("span", { class: "number", title: "how much the corpus gains if this document were perfect" }, gain ? "+" + gain.toFixed(4).replace(/^0/, "") : ""),
  );
}

const SORTS = {
  fp: (a, b) => countsOf(b)[FP] - countsOf(a)[FP] || a - b,
  fn: (a, b) => countsOf(b)[FN] - countsOf(a)[FN] || a - b,
  errors: (a, b) => errorsOf(b) - errorsOf(a) || a - b,
  matches: (a, b) => current.byDocument.shown[b] - current.byDocument.shown[a] || a - b,
  score: (a, b) => scoreOf(a) - scoreOf(b) || errorsOf(b) - errorsOf(a) || a - b,
  name: (a, b) => (corpus.documents[a] < corpus.documents[b] ? -1 : 1),
  difference: (a, b) => Math.abs(current.differences[b]) - Math.abs(current.differences[a]) || a - b,
};
const countsOf = (d) => current.byDocument.table.subarray(d * 5, d * 5 + 5);
const errorsOf = (d) => countsOf(d)[FP] + countsOf(d)[FN] + countsOf(d)[WRONG];
const scoreOf = (d) => {
  const m = measure(...countsOf(d));
  return view.criterion === "class" ? m.accuracy : m.f1;
};

// The documents in the chosen order: all, or those with a pair that the filter shows.
function orderDocuments() {
  const { shown } = current.byDocument;
  const filtered = hasFilter();
  const found = [];
  for (let d = 0; d < shown.length; d++) if (!filtered || shown[d]) found.push(d);
  if (view.sort === "difference") current.differences = documentDifferences();
  return found.sort(SORTS[view.sort] || SORTS.errors);
}

const hasFilter = (besides = {}) => isFiltered({ ...view, ...besides });

function isFiltered({ verdicts, kinds, discontiguous, code, slot, phrase, compared, query, bucket, tag }) {
  return verdicts.size || kinds.size || discontiguous || code !== null || slot || phrase !== null || compared || query || bucket || tag !== null;
}

function pairRow(k) {
  const i = current.rows[k];
  const [g, p, d] = [current.items.golds[i], current.items.predictions[i], current.items.documents[i]];
  const fragments = g >= 0 ? corpus.gold.fragments(g) : view0().fragments(p);
  const words = element("span", { class: "words" }, spell(fragments));
  textOf(d).then((text) => {
    if (text !== null) words.textContent = excerpt(text, fragments);
  });
  return element(
    "div", { class: "pair-row" },
    element("span", { class: "key v-" + VERDICTS[current.items.verdicts[i]], "aria-hidden": "true" }),
    element("span", { class: "verdict" }, VERDICTS[current.items.verdicts[i]].toUpperCase()),
    words,
    element("span", { class: "marks" }, ...kindLetters(current.items.kinds(i))),
    nameElement(corpus.documents[d]),
  );
}

function kindLetters(kinds) {
  const letters = [[BOUNDARY, "B", "boundary"], [CODE, "C", "code", head.classes.word], [SLOT, "S", "slot"]];
  return letters.filter(([bit]) => kinds & bit).map(([, letter, name, title]) => element("abbr", { class: "letter k-" + name, title: title ?? name }, letter));
}

function excerpt(text, fragments) {
  const units = unitsOf(text);
  return fragments.map(([start, end]) => text.slice(units[start], units[end])).join(" … ").replace(/\s+/g, " ") || "(nothing)";
}

const view0 = () => corpus.systems[view.system];

// --- Frequent errors

function drawFrequent() {
  const tally = (wanted, keyOf) => {
    const counts = new Map();
    for (let i = 0; i < current.items.size; i++) {
      if (current.items.verdicts[i] !== wanted) continue;
      const key = keyOf(i);
      if (key !== null) counts.set(key, (counts.get(key) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, FEW);
  };
  const list = (title, rows, name, filter) => element(
    "section", {},
    element("h3", {}, title),
    rows.length ? element("ol", {}, ...rows.map(([key, n]) => element("li", {}, element("span", { class: "words" }, name(key)), cell(inThousands(n), `${name(key)}: ${n}, show them`, filter(key))))) : element("p", { class: "empty" }, "none"),
  );
  const lists = [];
  const phrase = (i) => current.items.phrase(i) || null;
  for (const [title, verdict] of view.criterion === "class" ? [[`Wrong ${head.classes.word}s`, WRONG]] : [["Missed", FN], ["Spurious", FP]]) {
    const name = VERDICTS[verdict];
    if (corpus.gold.phrase) lists.push(list(title, tally(verdict, phrase), (key) => corpus.phrases[key - 1], (key) => ({ verdicts: new Set([name]), phrase: key })));
    if (head.coded) lists.push(list(`${title}, by ${head.classes.word}`, tally(verdict, (i) => current.items.code(i)), codeName, (key) => ({ verdicts: new Set([name]), code: key })));
  }
  replace("frequent", ...lists);
}

// The measure of the challenge that match mode and criterion stand for, if there is one.
function shownPreset() {
  return head.presets.find((known) => known.match === view.match && known.criterion === view.criterion);
}
