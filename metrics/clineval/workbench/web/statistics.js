"use strict";
// The Statistics pane: classes or other groups, with their counts.

const COLUMNS = {
  usual: [["gold", "Gold", ["tp", "fn"]], ["system", "System", ["tp", "fp"]], ["tp", "TP", ["tp"]],
    ["fp", "FP", ["fp"]], ["fn", "FN", ["fn"]], ["precision", "P", ["tp", "fp"]],
    ["recall", "R", ["tp", "fn"]], ["f1", "F1", ["tp", "fp", "fn"]]],
  given: [["gold", "Gold", ["tp", "fn"]], ["system", "System", ["tp", "fp"]], ["tp", "TP", ["tp"]],
    ["fp", "FP", ["fp"]], ["fn", "FN", ["fn"]], ["accuracy", "Accuracy", ["tp", "fn"]]],
  class: [["pairs", "Pairs", ["tp", "wrong"]], ["tp", "Right", ["tp"]], ["wrong", "Wrong", ["wrong"]],
    ["accuracy", "Accuracy", ["tp", "wrong"]]],
};
const columnsOf = (criterion) => COLUMNS[head.spans_given ? "given" : criterion === "class" ? "class" : "usual"];

// A number that is a filter: press it to show the pairs that it counts.
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
  const extra = addedRow();
  const shown = firstRows(rows, (row) => extra !== null && rowKey(row) === extra);
  const table = isPictureOf(rows) ? drawBars(shown) : element(
    "table", {},
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, chooseGrouping()), ...columns.map(([name, title]) => columnHead(name, title)), bounds ? element("th", { scope: "col" }, "95 %") : null)),
    element("tbody", {}, ...shown.map((row) => statisticsRow(row, columns, bounds))),
  );
  const word = view.by === "class" ? "classes" : "groups";
  const lacking = bounds && shown.some((row) => isMeasured(row) && !boundsOf(row, bounds));
  const lines = isPictureOf(rows) ? corpus.systems.length : 1;
  replace("statistics-body", table, restOnPaper(rows.length, lines), lacking ? element("p", { class: "empty" }, `–: ${noInterval(bounds, word)}.`) : null, showMore(rows, word));
}

// The rows of the table: classes, or the groups of another grouping.
function listRows() {
  return answers.get(`rows ${view.system} ${view.match} ${view.criterion} ${view.by} ${view.column} ${view.falling}`, countRows);
}

function countRows() {
  const rows = view.by === "class" ? countClasses(current.items) : countGroups(current.items, view.by);
  return sortRows(rows, isTotal);
}

const sortableColumns = () => Object.values(COLUMNS).flat().map(([name]) => name);
const groupingTitle = (by) => (by === "class" ? "Class" : by.replace("slot:", "").replaceAll("_", " "));
const rowKey = ({ code, bucket }) => (bucket ? bucket.value : code);

// The bounds of the main measure of each group, if this mode has any.
const intervalsOf = (by) => view0().groups?.[`${view.match}/${view.criterion}`]?.[by];

function statisticsRow(row, columns, bounds) {
  const filter = row.bucket ? { code: null, bucket: row.bucket } : { code: row.code, bucket: null };
  const cells = columns.map(([name, title, verdicts]) => {
    const value = row[name];
    const text = !isDefined(row, name) ? "–" : MEASURES_SHOWN.has(name) ? share(value) : inThousands(value);
    const pressed = view.code === filter.code && sameBucket(view.bucket, filter.bucket) && sameSet(view.verdicts, verdicts) && isOnlyClassFilter();
    return element("td", {}, cell(text, `${row.label}: ${title} ${text}, show them`, { verdicts: new Set(verdicts), ...filter }, pressed));
  });
  const found = bounds && intervalCell(row, bounds);
  return element("tr", { class: row.bucket || row.code === "coded" || typeof row.code === "number" ? null : "total", "data-row": String(rowKey(row)) }, element("th", { scope: "row", title: withName(row.label) }, ...codeElement(row.label)), ...cells, found || null);
}

const shortInterval = (bounds) => bounds.slice(0, 2).map(share).join("–") + (bounds[2] ? DAGGER : "");

// The interval of a row, or a dash with the reason why there is none.
function intervalCell(row, bounds) {
  const found = isMeasured(row) ? boundsOf(row, bounds) : null;
  return element("td", { class: "interval", title: found ? null : isMeasured(row) ? noInterval(bounds, view.by === "class" ? "classes" : "groups") : "no items for this measure" }, found ? shortInterval(found) : "–");
}

const isTotal = ({ code, bucket }) => !bucket && typeof code !== "number";
const boundsOf = (row, bounds) => (isTotal(row) ? wholeInterval(row) : bounds[row.label === "(absent)" ? "" : row.label]);
const isMeasured = ({ tp, fp, fn, wrong }) => (head.spans_given ? tp + fn : tp + fp + fn + wrong) > 0;
const noInterval = (bounds, word) => `only the ${Object.keys(bounds).length} largest ${word} have an interval`;

// A row of totals shows the interval of a score if that score is the measure of the table.
function wholeInterval(row) {
  const own = PARTS.get(row.code) ?? { classes: someClasses([], []) };
  const same = ({ match, criterion, classes, without }) => match === view.match && criterion === view.criterion && String(someClasses(classes, without)) === String(own.classes);
  const keys = [...head.checks.filter((check) => check.measure === (head.spans_given ? "recall" : isAccuracy(view.criterion) ? "accuracy" : "f1") && same(check)).map(({ key }) => key), row.code === null ? shownPreset()?.key : undefined];
  const key = keys.find((name) => Math.abs(view0().scores[name] - mainOf(row)) < 1e-9);
  const told = key && intervalOf(view.system, key);
  if (told && told[0] !== null) return [...told, daggerOf(view.system, key)];
  const name = row.code ?? "";
  return intervalsOf("whole:" + name)?.[name];
}

// Which row of totals the headline equals if that is not "All"; or else how it differs, because a score
// may weight, join or leave out what the table counts.
function populationOf(key) {
  const rows = countTotals(current.items);
  const own = rows.find((row) => Math.abs(mainOf(row) - view0().scores[key]) < 1e-9);
  if (own) return own.code === null ? "" : `“${own.label}” in the table`;
  const told = rows.map((row) => `“${row.label}” ${share(mainOf(row))}`).join(", ");
  return `differs from the table (${isAccuracy(view.criterion) ? "accuracy" : "F1"} of ${told}), which counts the items of this mode`;
}

// The row of the statistics for the chosen annotation; null if none is chosen.
function chosenRow() {
  const d = current.document;
  const { side, row } = view.m && d >= 0 ? mentionAt(d, view.m) : { row: null };
  if (row === null || (view.by === "class" && !head.coded)) return null;
  const partner = side === "gold" ? row : Math.max(widest(view0()).system[row], NOBODY);
  const { of } = groupingOf(view.by);
  return partner >= 0 ? of(corpus.gold)[partner] : of(view0())[row];
}

// The row of the chosen annotation if the table would cut it; it is added at the end.
function addedRow() {
  const chosen = chosenRow();
  if (chosen === null || view.allRows) return null;
  const rows = listRows();
  return rows.slice(0, FEW).some((row) => rowKey(row) === chosen) ? null : chosen;
}

// Mark the row of the chosen annotation's class.
function markRow() {
  const chosen = String(chosenRow());
  for (const row of $("statistics-body").querySelectorAll("tbody tr")) {
    const is = row.dataset.row === chosen && !row.classList.contains("total");
    row.classList.toggle("chosen", is);
    if (is) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    if (is && current.touched) revealBelow($("statistics-body"), row, 28); // at first, the totals stay visible
  }
}

function sameSet(a, b) {
  return a.size === b.length && b.every((x) => a.has(x));
}

function isOnlyClassFilter() {
  return !view.kinds.size && !view.discontiguous && !view.slot && view.phrase === null && !view.compared && !view.query && !view.where && view.tag === null;
}
