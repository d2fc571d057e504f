"use strict";
// The arcs of relations, from the source to the target, stacked in the space above the words. A relation
// whose ends are on two rows of words leaves the one and comes into the other at the edge of the pane.

const LEVEL = 11; // pixels between arcs that lie over one another
const MOST_LEVELS = 10; // more share the top one, without their labels
const GLYPHS = 17; // how high a row of words is without the space between rows
const LETTER = 5.8; // how wide a letter of a label is, in pixels
const BEND = 4;

// The rows of words that have arcs, each with its stretches and their levels; lines get the room that these
// need, so that no arc crosses a word. Where words are broken does not depend on that room.
function stackArcs(panes, blocks, marks) {
  if (!panes.some(({ arcs }) => arcs.length)) return [];
  const rows = new Map();
  const places = placesOf(marks);
  panes.forEach(({ arcs }, pane) => {
    for (const arc of arcs) for (const stretch of stretchesOf(arc, pane, places)) {
      if (!rows.has(stretch.row)) rows.set(stretch.row, { ...stretch.place, stretches: [] });
      rows.get(stretch.row).stretches.push(stretch);
    }
  });
  const stacks = [...rows.values()];
  stacks.forEach(giveLevels);
  makeRoom(blocks, stacks);
  return stacks;
}

// Where each mention begins: the line and the row of words in it, as words are broken now.
function placesOf(marks) {
  const places = new Map();
  for (const mark of marks) {
    const line = mark.closest(".line");
    const name = line.dataset.pane + ":" + mark.dataset.from;
    if (!places.has(name)) places.set(name, { mark, line, ...rowOf(mark, line) });
  }
  return places;
}

function rowOf(mark, line) {
  const style = getComputedStyle(line);
  const [box, outer, height] = [mark.getClientRects()[0], line.getBoundingClientRect(), parseFloat(style.lineHeight)];
  const top = outer.top + parseFloat(style.paddingTop);
  return { row: Math.max(0, Math.floor((box.top + box.height / 2 - top) / height)), x: box.left + Math.min(box.width, 40) / 2, left: outer.left + 4, right: outer.right - 4 };
}

// One stretch if both ends are on a row of words, else one on each; an end that is not drawn, as it is far
// away in a long note, has none.
function stretchesOf(arc, pane, places) {
  const [source, target] = [arc.source, arc.target].map((start) => places.get(pane + ":" + start));
  const rowName = ({ line, row }) => `${pane} ${[...line.closest(".block").children].indexOf(line.closest(".text-row"))} ${blockNumber(line)} ${row}`;
  const make = (place, from, to, ends) => ({ arc, place, row: rowName(place), from: Math.min(from, to), to: Math.max(from, to), ends });
  if (source && target && rowName(source) === rowName(target)) return [make(source, source.x, target.x, [[source, false], [target, true]])];
  const away = (place, isLater) => (isLater ? place.left : place.right);
  return [[source, arc.source > arc.target, false], [target, arc.target > arc.source, true]].filter(([place]) => place)
    .map(([place, isLater, isTarget]) => make(place, place.x, away(place, isLater), [[place, isTarget]]));
}

const blockNumber = (line) => [...line.closest(".note").children].indexOf(line.closest(".block"));

// The lowest level that is free; short arcs are under long ones.
function giveLevels({ stretches, left, right }) {
  const levels = [];
  for (const stretch of stretches.sort((a, b) => a.to - a.from - (b.to - b.from))) {
    const name = [stretch.arc.label, stretch.arc.letters].filter(Boolean).join(" ");
    const width = name.length * LETTER;
    const middle = Math.max(left + width / 2, Math.min(right - width / 2, (stretch.from + stretch.to) / 2));
    const [from, to] = [Math.min(stretch.from, middle - width / 2) - 3, Math.max(stretch.to, middle + width / 2) + 3];
    let level = levels.findIndex((taken) => taken.every((other) => other.to <= from || to <= other.from));
    if (level < 0) level = levels.length;
    stretch.crowded = level >= MOST_LEVELS;
    Object.assign(stretch, { name, middle, level: Math.min(level, MOST_LEVELS - 1) });
    (levels[stretch.level] ??= []).push({ from, to });
  }
}

// The space between two rows of words is as high as the stack of the lower one. Half of it would also be
// over a line's first row and under its last: the style sheet takes that back, and puts what the first
// row needs over it.
function makeRoom(blocks, stacks) {
  const needs = new Map();
  for (const { line, row, stretches } of stacks) {
    const textRow = line.closest(".text-row");
    const need = needs.get(textRow) ?? { first: 0, later: 0 };
    const height = (1 + Math.max(...stretches.map(({ level }) => level))) * LEVEL + 8;
    need[row ? "later" : "first"] = Math.max(need[row ? "later" : "first"], height);
    needs.set(textRow, need);
  }
  for (const textRow of blocks.flatMap((block) => [...block.children])) {
    const { first, later } = needs.get(textRow) ?? { first: 0, later: 0 };
    const lanes = Math.max(...[...textRow.children].map(lanesUnder));
    textRow.style.setProperty("--room", later ? GLYPHS + lanes + later + "px" : "0px");
    textRow.style.setProperty("--above", first ? first + "px" : "0px");
  }
}

// How far the marks of a line reach under its words, by their lanes.
const lanesUnder = (line) => 3 + 4 * Math.max(0, ...[...line.querySelectorAll("mark")].map(({ className }) => Number(/lane-(\d)/.exec(className)?.[1] ?? 0)));

function drawStack({ stretches }, origin) {
  const tops = stretches.flatMap(({ ends }) => ends.map(([{ mark }]) => mark.getClientRects()[0].top));
  const base = Math.min(...tops) - origin.top - 7;
  return stretches.sort((a, b) => isShown(a.arc) - isShown(b.arc)).map((stretch) => drawStretch(stretch, base - stretch.level * LEVEL, origin));
}

// The chosen relation lies over the others, and errors over what is right.
const isShown = ({ key, other, letters }) => 2 * (!other && isChosen(key)) + (letters !== "");

function drawStretch({ arc, ends, from, to, name, middle, crowded }, y, origin) {
  const [left, right] = [from - origin.left, to - origin.left];
  const legs = ends.map(([{ mark, x }, isTarget]) => ({ x: x - origin.left, y: mark.getClientRects()[0].top - origin.top + 1, isTarget }));
  const bend = Math.min(BEND, (right - left) / 2);
  const leg = ({ x, y: foot }) => `M${x},${foot} L${x},${y + bend} Q${x},${y} ${x + (x - left < right - x ? bend : -bend)},${y}`;
  const line = `${legs.map(leg).join(" ")} M${left + (legs.some(({ x }) => x === left) ? bend : 0)},${y} L${right - (legs.some(({ x }) => x === right) ? bend : 0)},${y}`;
  const heads = legs.filter(({ isTarget }) => isTarget).map(({ x, y: foot }) => svgElement("path", { class: "arc-head", d: `M${x - 3},${foot - 5} L${x + 3},${foot - 5} L${x},${foot} Z` }));
  const label = crowded ? [] : [svgElement("text", { x: middle - origin.left, y: y + 3, "text-anchor": "middle" }, name)];
  const selected = !arc.other && isChosen(arc.key) ? " selected" : "";
  return svgElement("g", { class: `relation k-${arc.look}${selected}${arc.other ? " other" : ""}`, "data-key": arc.key }, svgElement("path", { class: "arc", d: line }), ...heads, ...label, svgElement("title", {}, name));
}
