"use strict";
// Tables of groups in the Statistics pane. The reader chooses what the rows are and sorts by columns; long
// tables show their first rows. A view defines the groupings (groupingOf, groupingTitle) and the columns
// that can be sorted (sortableColumns).

const FEW = 60;

function chooseGrouping() {
  if (head.groupings.length < 2) return groupingTitle(head.groupings[0]);
  const options = head.groupings.map((by) => element("option", { value: by, selected: by === view.by }, groupingTitle(by)));
  return element("select", { "aria-label": "Rows of the statistics", onchange: (event) => change({ by: event.target.value, allRows: false }) }, ...options);
}

// A heading that sorts its column: descending, ascending, then the original order.
function columnHead(name, title) {
  const chosen = view.column === name;
  const next = !chosen ? { column: name, falling: true } : view.falling ? { falling: false } : { column: null, falling: true };
  const arrow = chosen ? element("span", { "aria-hidden": "true" }, view.falling ? " ▾" : " ▴") : null;
  return element("th", { scope: "col", "aria-sort": chosen ? (view.falling ? "descending" : "ascending") : null }, element("button", { type: "button", class: "head", onclick: () => change(next) }, title, arrow));
}

// Sort rows by the chosen column. Totals stay on top; equal rows keep their order.
function sortRows(rows, isTotal) {
  if (view.column === null) return rows;
  const compare = (a, b) => (view.column === "label" ? (a.label < b.label ? 1 : -1) : b[view.column] - a[view.column]);
  const sorted = rows.filter((row) => !isTotal(row)).sort((a, b) => (view.falling ? compare(a, b) : compare(b, a)));
  return [...rows.filter(isTotal), ...sorted];
}

// The first rows, followed by the chosen one if it is not among them.
function firstRows(rows, isChosen) {
  if (view.allRows) return rows;
  return [...rows.slice(0, FEW), ...rows.slice(FEW).filter(isChosen)];
}

function showMore(rows, word) {
  const more = view.allRows ? 0 : rows.length - FEW;
  return more > 0 ? element("button", { type: "button", class: "link", onclick: () => change({ allRows: true }) }, `show ${inThousands(more)} more ${word}`) : null;
}

const sameBucket = (a, b) => (a && b ? a.by === b.by && a.value === b.value : a === b);

// The chosen group as an active restriction, with the change that removes it.
function bucketChip() {
  if (!view.bucket) return [];
  const { by, value } = view.bucket;
  return [[`${groupingTitle(by).toLowerCase()} ${groupingOf(by).names[value] || "(absent)"}`, { bucket: null }]];
}

// --- addresses

function readColumn(text) {
  const [name, rising] = (text ?? "").split(" rising");
  return { column: name === "label" || sortableColumns().includes(name) ? name : null, falling: rising === undefined };
}

function readBucket(text) {
  const [, by, name] = /^([^>]+)>(.*)$/s.exec(text || "") || [];
  const value = head.groupings.includes(by) ? groupingOf(by).names.indexOf(name) : -1;
  return value < 0 ? null : { by, value };
}
