"use strict";
// Calibration: the mean probability of labels against their share in the gold standard, for each system.

const SIDE = 230; // pixels
const MARGIN = 34;

function drawCalibration() {
  const systems = head.calibration.map((bins, at) => ({ at, bins })).filter(({ bins }) => bins.length);
  if (!systems.length) return null;
  const made = isPictured() ? calibrationPicture(systems) : calibrationTable(systems);
  return element("figure", { class: "calibration" }, element("figcaption", {}, "Calibration: labels by their probability, and how many of them are in the gold standard"), made);
}

function calibrationPicture(systems) {
  const most = Math.max(...systems.flatMap(({ bins }) => bins.map(([n]) => n)));
  const x = (share) => MARGIN + share * SIDE;
  const y = (share) => 8 + (1 - share) * SIDE;
  const grid = TICKS.flatMap((at) => [svgElement("line", { class: "grid-line", x1: x(at), x2: x(at), y1: y(0), y2: y(1) }), svgElement("line", { class: "grid-line", x1: x(0), x2: x(1), y1: y(at), y2: y(at) })]);
  const numbers = [0, 0.5, 1].flatMap((at) => [svgElement("text", { x: x(at), y: y(0) + 14, "text-anchor": "middle" }, String(at)), svgElement("text", { x: x(0) - 6, y: y(at) + 4, "text-anchor": "end" }, String(at))]);
  const ideal = svgElement("line", { class: "ideal", x1: x(0), x2: x(1), y1: y(0), y2: y(1) });
  const lines = systems.flatMap(({ at, bins }) => [
    svgElement("polyline", { class: `calibrated tone-${at % 4}`, points: bins.map(([, mean, right]) => `${x(mean)},${y(right)}`).join(" ") }),
    ...bins.map(([n, mean, right]) => svgElement("circle", { class: `bin tone-${at % 4}`, cx: x(mean), cy: y(right), r: (2.5 + 5 * Math.sqrt(n / most)).toFixed(1) }, svgElement("title", {}, tellBin(at, n, mean, right)))),
  ]);
  const label = `Calibration. ${systems.flatMap(({ at, bins }) => bins.map(([n, mean, right]) => tellBin(at, n, mean, right))).join("; ")}`;
  const svg = svgElement("svg", { role: "img", "aria-label": label, width: SIDE + MARGIN + 12, height: SIDE + 42 }, ...grid, ...numbers, ideal, ...lines, svgElement("text", { x: x(0.5), y: SIDE + 38, "text-anchor": "middle" }, "probability"));
  const legend = element("p", { class: "systems-legend" }, ...systems.map(({ at }) => element("span", {}, element("span", { class: `swatch tone-${at % 4}`, "aria-hidden": "true" }), corpus.systems[at].name)));
  return element("div", {}, svg, legend);
}

const tellBin = (at, n, mean, right) => `${corpus.systems[at].name}: ${inThousands(n)} labels with a probability of ${share(mean)}, ${share(right)} of them right`;

function calibrationTable(systems) {
  const titles = ["System", "Labels", "Mean probability", "In gold"].map((title) => element("th", { scope: "col" }, title));
  const rows = systems.flatMap(({ at, bins }) => bins.map(([n, mean, right]) => element("tr", {}, element("th", { scope: "row" }, corpus.systems[at].name), ...[inThousands(n), share(mean), share(right)].map((text) => element("td", {}, text)))));
  return element("table", {}, element("thead", {}, element("tr", {}, ...titles)), element("tbody", {}, ...rows));
}
