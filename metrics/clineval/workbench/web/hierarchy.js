"use strict";
// The scores by a hierarchy of codes: a row for each level, then the codes with all ancestors.

const HIERARCHY_COLUMNS = {
  Gold: ({ tp, fn }) => inThousands(tp + fn), Predicted: ({ tp, fp }) => inThousands(tp + fp), Right: ({ tp }) => inThousands(tp),
  P: ({ precision }) => share(precision), R: ({ recall }) => share(recall), F1: ({ f1 }) => share(f1),
};
const HIERARCHY_ROWS = { h: "codes with ancestors", cophe: "with counts (CoPHE)" };

// The row and the part of a score by the hierarchy of some kind of items; null for other scores.
const rowOfHierarchy = (begin, key) => (key.startsWith(begin) ? /^(level\d+|h|cophe)_(tp|fp|fn|precision|recall|f1)$/.exec(key.slice(begin.length)) : null);

// Whether a score is only in these tables; the list of scores has F1 of each row.
const isTabled = (key) => head.hierarchies.some((begin) => rowOfHierarchy(begin, key)) && !key.endsWith("_f1");

const tablesOfHierarchy = (system) => head.hierarchies.map((begin) => tableOfHierarchy(system, begin));

function tableOfHierarchy({ name, scores }, begin) {
  const found = new Map();
  for (const [key, row, part] of Object.keys(scores).map((key) => rowOfHierarchy(begin, key)).filter(Boolean)) {
    if (!found.has(row)) found.set(row, {});
    found.get(row)[part] = scores[begin + key];
  }
  const levels = [...found.keys()].filter((row) => !HIERARCHY_ROWS[row]);
  const rows = [...levels, ...Object.keys(HIERARCHY_ROWS)].map((row) => element(
    "tr", {}, element("th", { scope: "row" }, HIERARCHY_ROWS[row] ?? row.replace("level", "level ")),
    ...Object.values(HIERARCHY_COLUMNS).map((cell) => element("td", {}, cell(found.get(row)))),
  ));
  const headings = ["Hierarchy", ...Object.keys(HIERARCHY_COLUMNS)].map((title) => element("th", { scope: "col" }, title));
  const caption = begin ? `${name}: ${begin.slice(0, -1).replaceAll("_", " ")}` : name;
  return element("table", { class: "hierarchy" }, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...headings)), element("tbody", {}, ...rows));
}
