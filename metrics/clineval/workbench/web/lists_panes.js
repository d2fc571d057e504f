"use strict";
// Statistics, Scores, filters, Reports and Items in the views of lists.

const MAIN = head.measures[0][0];

function drawStatistics() {
  const { columns } = modeOf(view.mode);
  const chosen = chosenItem() === null ? null : groupingOf(view.by).of(current.list)[chosenItem()];
  const isChosen = ({ bucket }) => bucket !== null && bucket.value === chosen;
  const rows = listRows(columns);
  const shown = firstRows(rows, isChosen);
  const pictured = isPictured() && rows.length > 2;
  const lines = pictured ? corpus.systems.length : 1;
  replace("statistics-body", pictured ? drawStacks(shown) : element(
    "table", {},
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, chooseGrouping()), ...columns.map(({ label }) => columnHead(label, label)))),
    element("tbody", {}, ...shown.map((row) => element(
      "tr", { class: row.bucket === null ? "total" : isChosen(row) ? "chosen" : null, "aria-current": isChosen(row) ? "true" : null },
      element("th", { scope: "row", title: withName(row.label) }, ...codeElement(row.label)), ...columns.map((column) => element("td", {}, statisticsCell(row, column))),
    ))),
  ), restOnPaper(rows.length, lines), showMore(rows, "groups"), sayRight());
  const row = $("statistics-body").querySelector("tr.chosen");
  if (row && current.touched) revealBelow($("statistics-body"), row, 28);
}

// The meaning of "right" here, which can differ from that of a score.
function sayRight() {
  const used = head.kinds.filter(({ name, right }) => right && modeOf(view.mode).kinds.includes(name));
  return element("p", { class: "empty meaning-of-right" }, used.map(({ label, meaning }) => `${label[0].toUpperCase()}${label.slice(1)}: ${meaning}.`).join(" "));
}

// The rows of the table: the total, then the groups in their own order or with the most errors first.
function listRows(columns) {
  const counts = countKinds(current.list, view.by);
  const rowOf = (label, bucket, own) => ({ label, bucket, errors: total(own, wrongKinds()), ...Object.fromEntries(columns.map((column) => [column.label, total(own, column.kinds)])) });
  const { names } = groupingOf(view.by);
  const groups = names.map((label, value) => rowOf(label, { by: view.by, value }, counts[value])).filter((_, value) => counts[value].some((n) => n));
  if (view.by !== "row") groups.sort((a, b) => b.errors - a.errors);
  return sortRows([rowOf("All", null, addUp(counts)), ...groups], ({ bucket }) => bucket === null);
}

const wrongKinds = () => head.kinds.filter(({ right }) => !right).map(({ name }) => name);

// A number that is a filter: press it to show the items that it counts.
function statisticsCell(row, { label, kinds }) {
  const pressed = sameBucket(view.bucket, row.bucket) && kinds.length === view.kinds.size && kinds.every((kind) => view.kinds.has(kind)) && !view.compared;
  return element("button", {
    type: "button", class: "cell", "aria-pressed": String(pressed), "aria-label": `${row.label}: ${label} ${row[label]}, show them`,
    onclick: () => change({ ...NO_FILTER, kinds: new Set(kinds), bucket: row.bucket, tab: "items", doc: null, m: null }),
  }, inThousands(row[label]));
}

// The core's scores of all systems, with the p-value of each difference.
function drawScores() {
  const p = head.comparison && view.base === 0;
  const names = ["Score", ...corpus.systems.map(({ name }) => name), ...(p ? [corpus.systems.length > 2 ? `p, ${corpus.systems[view.other].name}` : "p"] : [])];
  const rows = head.shown_scores.filter((key) => !isTabled(key)).map((key) => element(
    "tr", { class: key === head.headline ? "total" : null }, element("th", { scope: "row" }, key.replaceAll("_", " ")),
    ...corpus.systems.map((system, at) => element("td", { title: showInterval(at, key) || null }, head.counted.includes(key) ? inThousands(scoreOfSystem(system, key) ?? NO_SCORE) : share(scoreOfSystem(system, key)))),
    ...(p ? [element("td", {}, differenceOf(view.other, key) ? smallP(differenceOf(view.other, key).p) : "")] : []),
  ));
  const how = p ? element("p", { class: "empty" }, head.comparison.exact ? "p is exact" : head.comparison.test) : null;
  const keys = picturedScores();
  const maps = isPictured() ? VIEW.confusions?.(current.list).map(([title, cells]) => heatMap(title, cells)) ?? [] : [];
  if (isPictured() && keys.length > 1) return replace("slots-body", drawScoreBars(keys), ...maps, drawCalibration(), ...tablesOfHierarchy(system0()), restOnPaper(keys.length, corpus.systems.length));
  return replace("slots-body", element("table", {}, element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows)), ...tablesOfHierarchy(system0()), ...maps, drawCalibration(), restOnPaper(rows.length), how);
}

function drawFilters() {
  drawExpression();
  const others = (changes) => select(current.list, makeFilter({ ...view, ...changes })).length;
  const toggle = (name) => {
    const kinds = new Set(view.kinds);
    if (!kinds.delete(name)) kinds.add(name);
    change({ kinds, doc: null, m: null });
  };
  const { kinds: used } = modeOf(view.mode);
  const chips = head.kinds.filter(({ name }) => used.includes(name)).map(({ name, label, look }) => element(
    "button", { type: "button", class: "chip", "aria-pressed": String(view.kinds.has(name)), onclick: () => toggle(name) },
    element("span", { class: "key k-" + look, "aria-hidden": "true" }), `${label} ${inThousands(others({ kinds: new Set([name]) }))}`,
  ));
  for (const [tag, label] of tagChoices()) {
    chips.push(element("button", { type: "button", class: "chip", "aria-pressed": String(view.tag === tag), onclick: () => change({ tag: view.tag === tag ? null : tag, doc: null, m: null }) }, element("span", { class: "key k-remark", "aria-hidden": "true" }), `${label} ${inThousands(others({ tag }))}`));
  }
  for (const [label, changes] of [...bucketChip(), [view.compared, { compared: null }], ...searchChip()]) {
    if (label) chips.push(element("button", { type: "button", class: "chip only", "aria-pressed": "true", onclick: () => change({ ...changes, doc: null, m: null }) }, label + " ✕"));
  }
  chips.push(element("button", { type: "button", class: "link", onclick: () => change({ ...NO_FILTER, doc: null, m: null }) }, "show all"));
  replace("filters", ...chips);
}

// --- Reports and Items

const errorsOf = (d) => {
  let errors = 0;
  for (let i = current.list.first[d]; i < current.list.first[d + 1]; i++) errors += !kindOf(current.list.columns.kind[i]).right;
  return errors;
};
const measureOf = (name, d) => corpus.measures[view.system][name][d];

const gap = (d) => (corpus.systems.length < 2 ? 0 : Math.abs(corpus.measures[view.base][MAIN][d] - corpus.measures[view.other][MAIN][d]));
const isScored = (d) => current.list.first[d] < current.list.first[d + 1]; // false without gold annotations and without predictions
const lowest = (name) => (a, b) => isScored(b) - isScored(a) || measureOf(name, a) - measureOf(name, b) || a - b;
const SORTS = {
  errors: (a, b) => current.errors[b] - current.errors[a] || a - b,
  matches: (a, b) => current.counts[b] - current.counts[a] || a - b,
  score: lowest(MAIN),
  name: (a, b) => (corpus.documents[a] < corpus.documents[b] ? -1 : 1),
  difference: (a, b) => gap(b) - gap(a) || a - b,
  ...Object.fromEntries(head.measures.slice(1).map(([name]) => [name, lowest(name)])),
};

function orderDocuments() {
  const found = corpus.documents.map((_, d) => d).filter((d) => !hasFilter() || current.counts[d]);
  current.errors = corpus.documents.map((_, d) => errorsOf(d));
  return found.sort(SORTS[view.sort]);
}

const hasFilter = (besides = {}) => isFiltered({ ...view, ...besides });
const isFiltered = ({ kinds, compared, bucket, query, tag, where }) => kinds.size || compared || bucket || query || where || tag !== null;
const shownMeasure = (name, d) => (corpus.counts.has(name) ? inThousands(measureOf(name, d)) : isScored(d) ? measureOf(name, d)?.toFixed(3) ?? NO_SCORE : NO_SCORE);

function documentRow(k) {
  const d = current.order[k];
  return element(
    "div", { class: "document-row" }, nameElement(d),
    element("span", { class: "number matched" }, inThousands(current.counts[d])), element("span", { class: "number" }, inThousands(errorsOf(d))),
    ...head.measures.map(([name]) => element("span", { class: "number" }, shownMeasure(name, d))),
  );
}

function itemRow(k) {
  const item = { i: current.rows[k], ...current.list.item(current.rows[k]) };
  const kind = kindOf(item.kind);
  return element(
    "div", { class: "item-row" }, element("span", { class: "key k-" + kind.look, "aria-hidden": "true" }), element("span", { class: "verdict" }, kind.label),
    describedElement(item), nameElement(item.document),
  );
}

// The words of an item; a view may add some once the text is unpacked.
function describedElement(item) {
  const made = element("span", { class: "words" }, VIEW.describe(item));
  if (VIEW.describeWords) textOf(item.document).then((text) => text !== null && made.replaceChildren(VIEW.describeWords(item, text)));
  return made;
}
