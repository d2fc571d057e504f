"use strict";
// Confusions as a heat map: gold in rows, the system in columns. Each cell leads to its pairs.

const FEWEST_CLASSES = 6; // fewer classes are a table
const MOST_CLASSES = 20;
const CELL = 28; // pixels

// Cells are { gold, system, n, label, pressed, choose } with the names of both; the most confused classes
// are shown. Returns null if there are too few classes, or no confusions.
function heatMap(title, cells) {
  const byConfusions = [...cells].sort((a, b) => (a.gold === a.system) - (b.gold === b.system) || b.n - a.n);
  const all = [...new Set(byConfusions.flatMap(({ gold, system }) => [gold, system]))];
  if (all.length < FEWEST_CLASSES || byConfusions[0].gold === byConfusions[0].system) return null;
  const names = all.slice(0, MOST_CLASSES).sort((a, b) => (a < b ? -1 : 1));
  const shown = cells.filter(({ gold, system }) => names.includes(gold) && names.includes(system));
  const caption = `${title}: gold in rows, system in columns` + (all.length > names.length ? `; the ${names.length} of ${inThousands(all.length)} classes with the most confusions` : "");
  return element("figure", { class: "heat" }, element("figcaption", {}, caption), drawHeat(caption, names, shown));
}

function drawHeat(label, names, cells) {
  const left = Math.min(150, 12 + 6.5 * Math.max(...names.map((name) => name.length)));
  const size = left + names.length * CELL;
  const [most, mostRight] = [false, true].map((right) => Math.max(1, ...cells.filter((cell) => (cell.gold === cell.system) === right).map(({ n }) => n)));
  const short = (name) => (name.length > 21 ? name.slice(0, 20) + "…" : name);
  const middle = (k) => left + (k + 0.5) * CELL;
  const rows = names.map((name, k) => svgElement("text", { x: left - 6, y: middle(k) + 4, "text-anchor": "end" }, short(name), svgElement("title", {}, name)));
  const columns = names.map((name, k) => svgElement("text", { x: 0, y: 0, transform: `translate(${middle(k) + 4} ${left - 6}) rotate(-90)` }, short(name), svgElement("title", {}, name)));
  const grid = svgElement("rect", { class: "heat-grid", x: left, y: left, width: size - left, height: size - left });
  const squares = cells.map((cell) => heatCell(cell, left + names.indexOf(cell.system) * CELL, left + names.indexOf(cell.gold) * CELL, cell.gold === cell.system ? mostRight : most));
  const svg = svgElement("svg", { role: "group", "aria-label": label, width: size + 2, height: size + 2, viewBox: `0 0 ${size + 2} ${size + 2}` }, grid, ...rows, ...columns, ...squares);
  oneStop(svg, squares, cells, names);
  return element("div", { class: "scroll-x" }, svg);
}

function heatCell({ gold, system, n, label, pressed, choose }, x, y, most) {
  const depth = (8 + 47 * Math.sqrt(n / most)).toFixed(0);
  return svgElement(
    "g", { class: gold === system ? "heat-cell agreed" : "heat-cell", role: "button", tabindex: -1, "aria-label": label, "aria-pressed": String(pressed), "data-n": n },
    svgElement("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 2, "fill-opacity": depth / 100 }),
    svgElement("text", { x: x + CELL / 2, y: y + CELL / 2 + 4, "text-anchor": "middle" }, n > 9999 ? Math.round(n / 1000) + "k" : String(n)),
  );
}

// Let the Tab key stop once; the arrow keys move to the next cell in their direction.
function oneStop(svg, squares, cells, names) {
  const stop = (square) => squares.forEach((each) => each.setAttribute("tabindex", each === square ? 0 : -1));
  const places = cells.map(({ gold, system }) => [names.indexOf(gold), names.indexOf(system)]);
  stop(squares[Math.max(0, cells.findIndex(({ pressed }) => pressed))]);
  squares.forEach((square, k) => square.addEventListener("click", () => cells[k].choose()));
  svg.addEventListener("keydown", (event) => {
    const from = squares.indexOf(event.target);
    const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [0, 0];
    if (event.key === "Enter" || event.key === " ") cells[from].choose();
    else if (!down && !right) return;
    event.preventDefault();
    event.stopPropagation();
    const ahead = ([row, column]) => (down ? (row - places[from][0]) * down : (column - places[from][1]) * right);
    const aside = ([row, column]) => Math.abs(down ? column - places[from][1] : row - places[from][0]);
    const next = places.map((_, k) => k).filter((k) => ahead(places[k]) > 0).sort((a, b) => ahead(places[a]) + 3 * aside(places[a]) - ahead(places[b]) - 3 * aside(places[b]))[0];
    if (next !== undefined && (down || right)) {
      stop(squares[next]);
      squares[next].focus();
    }
  });
}
