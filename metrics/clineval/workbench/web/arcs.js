"use strict";
// The arcs of relations, from source to target, stacked in the space above the words. If the two ends are
// on different rows of words, the arc leaves one row and enters the other at the edge of the pane.

const LEVEL = 11; // pixels between stacked arcs
const MOST_LEVELS = 10; // further arcs share the top level, without labels
const GLYPHS = 17; // height of a row of words in pixels, without the space between rows
const LETTER = 5.8; // width of a letter of a label in pixels
const BEND = 4;

// Find the rows of words that have arcs, with the stretches of each row and their levels. Lines get enough
// room that no arc crosses a word. This room does not change where lines wrap.
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

// Find where each mention begins: its line, and the row of words in that line as it wraps now. Of several
// marks at one place, arcs end at the one that reaches highest.
function placesOf(marks) {
  const places = new Map();
  for (const mark of marks) {
    const line = mark.closest(".line");
    const name = line.dataset.pane + ":" + mark.dataset.from;
    const known = places.get(name);
    if (!known) places.set(name, { mark, line, ...rowOf(mark, line) });
    else if (topOf(mark) < topOf(known.mark)) known.mark = mark;
  }
  return places;
}

const topOf = (mark) => mark.getClientRects()[0].top;

function rowOf(mark, line) {
  const style = getComputedStyle(line);
  const [box, outer, height] = [mark.getClientRects()[0], line.getBoundingClientRect(), parseFloat(style.lineHeight)];
  const top = outer.top + parseFloat(style.paddingTop);
  return { row: Math.max(0, Math.floor((box.top + box.height / 2 - top) / height)), x: box.left + Math.min(box.width, 40) / 2, left: outer.left + 4, right: outer.right - 4 };
}

// Return one stretch if both ends are on the same row of words, else one for each end. An end that is not
// drawn, because it is far away in a long note, has no stretch.
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

// Assign the lowest free level to each stretch, the shortest first.
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

// The space between two rows of words is as high as the stack of the lower row. The line height would also
// add half of it above the first row and below the last; the style sheet removes that, and adds what the
// first row needs.
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

// How far the marks of a line extend below its words, given their lanes.
const lanesUnder = (line) => 3 + 4 * Math.max(0, ...[...line.querySelectorAll("mark")].map(({ className }) => Number(/lane-(\d)/.exec(className)?.[1] ?? 0)));

function drawStack({ stretches }, origin) {
  const tops = stretches.flatMap(({ ends }) => ends.map(([{ mark }]) => topOf(mark)));
  const base = Math.min(...tops) - origin.top - 7;
  return stretches.sort((a, b) => isShown(a.arc) - isShown(b.arc)).map((stretch) => drawStretch(stretch, base - stretch.level * LEVEL, origin));
}

// Draw errors over right relations, and the chosen relation over all others.
const isShown = ({ key, other, letters }) => 2 * (!other && isChosen(key)) + (letters !== "");

function drawStretch({ arc, ends, from, to, name, middle, crowded }, y, origin) {
  const [left, right] = [from - origin.left, to - origin.left];
  const legs = ends.map(([{ mark, x }, isTarget]) => ({ x: x - origin.left, y: topOf(mark) - origin.top + 1, isTarget }));
  const bend = Math.min(BEND, (right - left) / 2);
  const leg = ({ x, y: foot }) => `M${x},${foot} L${x},${y + bend} Q${x},${y} ${x + (x - left < right - x ? bend : -bend)},${y}`;
  const line = `${legs.map(leg).join(" ")} M${left + (legs.some(({ x }) => x === left) ? bend : 0)},${y} L${right - (legs.some(({ x }) => x === right) ? bend : 0)},${y}`;
  const heads = legs.filter(({ isTarget }) => isTarget).map(({ x, y: foot }) => svgElement("path", { class: "arc-head", d: `M${x - 3},${foot - 5} L${x + 3},${foot - 5} L${x},${foot} Z` }));
  const label = crowded ? [] : [svgElement("text", { x: middle - origin.left, y: y + 3, "text-anchor": "middle" }, name)];
  const selected = !arc.other && isChosen(arc.key) ? " selected" : "";
  return svgElement("g", { class: `relation k-${arc.look}${selected}${arc.other ? " other" : ""}`, "data-key": arc.key }, svgElement("path", { class: "arc", d: line }), ...heads, ...label, svgElement("title", {}, name));
}
