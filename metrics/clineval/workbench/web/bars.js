"use strict";
// Bars of the main measure of each class or group, with its interval, for each system. A bar is a filter.

const isPictureOf = (rows) => isPictured() && rows.filter((row) => !isTotal(row)).length > 1;

// Read something as if a system were chosen.
function asSystem(system, read) {
  const before = view;
  view = { ...view, system };
  try {
    return read();
  } finally {
    view = before;
  }
}

const barKey = (row) => (isTotal(row) ? `total ${row.code}` : rowKey(row));

// The rows of a system by their keys, with the interval of each.
function measuredRows(system) {
  return answers.get(`bars ${system} ${view.match} ${view.criterion} ${view.by} ${view.preset}`, () => asSystem(system, () => {
    const items = { system: corpus.systems[system], match: view.match, criterion: view.criterion };
    const rows = view.by === "class" ? countClasses(items) : countGroups(itemsOf(system, view.match, view.criterion), view.by);
    const bounds = intervalsOf(view.by);
    return new Map(rows.map((row) => [barKey(row), { ...row, bounds: bounds && boundsOf(row, bounds) }]));
  }));
}

function drawBars(rows) {
  const [name, title, verdicts] = columnsOf(view.criterion).at(-1);
  const systems = corpus.systems.map((_, at) => ({ at, rows: measuredRows(at) }));
  const heads = [element("th", { scope: "col" }, chooseGrouping()), ...headOfSystems(), element("td", {}, axis()), columnHead(name, title), element("th", { scope: "col" }, "95 %"), element("th", { scope: "col" }, "Items")];
  const lines = rows.flatMap((row) => barRows(
    { title: withName(row.label), shown: codeElement(row.label) }, { class: isTotal(row) ? "total" : null, "data-row": String(rowKey(row)) },
    systems.map(({ at, rows: own }) => barLine(own.get(barKey(row)) ?? { ...row, ...measure(0, 0, 0, 0), bounds: null }, at, { name, title, verdicts })),
  ));
  return pictureTable(heads, lines);
}

// The cells of a bar. It says how many items it stands for, and leads to them.
function barLine(row, system, { name, title, verdicts }) {
  const items = verdicts.reduce((sum, verdict) => sum + row[verdict], 0);
  const value = items && isDefined(row, name) ? share(row[name]) : NO_SCORE;
  const found = row.bounds && items ? shortInterval(row.bounds) : NO_SCORE;
  const filter = row.bucket ? { code: null, bucket: row.bucket } : { code: row.code, bucket: null };
  const pressed = view.system === system && view.code === filter.code && sameBucket(view.bucket, filter.bucket) && sameSet(view.verdicts, verdicts) && isOnlyClassFilter();
  const whose = corpus.systems.length > 1 ? `, ${corpus.systems[system].name}` : "";
  const picture = element("button", {
    type: "button", class: "bar-button", "aria-pressed": String(pressed), "aria-label": `${row.label}${whose}: ${title} ${value}, 95 % ${found}, ${items} items, show them`,
    onclick: () => change({ ...NO_FILTER, verdicts: new Set(verdicts), ...filter, system, tab: "pairs", doc: null, m: null }),
  }, barSvg(value === NO_SCORE ? gridLines() : bar(row[name], row.bounds, system % 4)));
  return [...nameOfSystem(system), element("td", { class: "picture-cell" }, picture), ...[value, found, inThousands(items)].map((text, k) => element("td", { class: k === 1 ? "interval" : null }, text))];
}
