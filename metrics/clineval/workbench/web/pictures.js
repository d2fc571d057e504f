"use strict";
// Pictures in place of tables: bars of the same numbers, drawn as SVG. A button and a key bring the tables.

const SVG = "http://www.w3.org/2000/svg";
const TICKS = [0, 0.25, 0.5, 0.75, 1];

function svgElement(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const isPictured = () => !arrangement.tables;

function showTables(tables) {
  arrange({ tables });
  refresh();
}

const percent = (x) => (100 * Math.min(1, Math.max(0, x))).toFixed(3) + "%";
const gridLines = () => TICKS.map((x) => svgElement("line", { class: "grid-line", x1: percent(x), x2: percent(x), y1: 0, y2: "100%" }));

// The numbers over the bars.
function axis() {
  const anchor = (x) => (x === 0 ? "start" : x === 1 ? "end" : "middle");
  const numbers = TICKS.filter((x) => x !== 0.25 && x !== 0.75).map((x) => svgElement("text", { x: percent(x), y: 12, "text-anchor": anchor(x) }, String(x)));
  return svgElement("svg", { class: "axis", "aria-hidden": "true" }, ...numbers);
}

// A bar from 0 to a value, with its interval; the interval is dashed if it rests on few documents.
function bar(value, bounds, tone) {
  const parts = [...gridLines(), svgElement("rect", { class: `bar-of tone-${tone}`, x: 0, y: 4, height: 12, width: percent(value) })];
  if (bounds) {
    const [low, high] = bounds.slice(0, 2).map(percent);
    const few = bounds[2] ? " few" : "";
    parts.push(svgElement("line", { class: "whisker" + few, x1: low, x2: high, y1: 10, y2: 10 }));
    parts.push(...[low, high].map((x) => svgElement("line", { class: "whisker", x1: x, x2: x, y1: 6, y2: 14 })));
  }
  return parts;
}

const barSvg = (parts, label = null) => svgElement("svg", { class: "bars", role: label && "img", "aria-label": label, "aria-hidden": label ? null : "true" }, ...parts);

// The rows of a table of bars: a group, and a line for each system. A line has the cells of a system.
function barRows(label, attributes, lines) {
  return lines.map((cells, at) => element(
    "tr", { ...attributes, class: [attributes.class, at ? null : "group-start"].filter(Boolean).join(" ") || null },
    at ? null : element("th", { scope: "row", rowspan: lines.length, title: label.title }, ...label.shown), ...cells,
  ));
}

const nameOfSystem = (at) => (corpus.systems.length > 1 ? [element("td", { class: "system-name", title: corpus.systems[at].name }, corpus.systems[at].name)] : []);
const headOfSystems = () => (corpus.systems.length > 1 ? [element("th", { scope: "col" }, "System")] : []);
const pictureTable = (heads, rows) => element("table", { class: "picture" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
