"use strict";
// Curves over the open note: between the fragments of a mention, and from the source of a relation
// to its target.

const SVG = "http://www.w3.org/2000/svg";

function svgElement(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// The blocks of a note that are laid out: of a long one only those in sight.
const blocksInSight = (note) => [...note.querySelectorAll(".block")].filter((block) => !note.classList.contains("long") || isNear(block));

function isNear(block) {
  const [outer, inner] = [$("document-body").getBoundingClientRect(), block.getBoundingClientRect()];
  return inner.bottom > outer.top - 200 && inner.top < outer.bottom + 200;
}

// Draw what belongs to the document that is open, as its size is now.
function drawConnectors() {
  const note = $("document-body").querySelector(".note");
  if (!note) return;
  note.querySelector("svg")?.remove();
  const svg = svgElement("svg", { class: "connectors", "aria-hidden": "true" });
  const origin = note.getBoundingClientRect();
  const marks = blocksInSight(note).flatMap((block) => [...block.querySelectorAll("mark[data-fragment], mark[data-from]")]);
  joinFragments(svg, marks.filter((mark) => mark.dataset.fragment !== undefined), origin);
  drawArcs(svg, marks.filter((mark) => mark.dataset.from !== undefined), origin);
  note.append(svg);
}

// Dashed curves between the fragments of a mention; across lines each has the same number.
function joinFragments(svg, marks, origin) {
  const parts = new Map();
  for (const mark of marks) {
    const name = mark.closest(".line").dataset.pane + mark.dataset.key;
    if (!parts.has(name)) parts.set(name, []);
    (parts.get(name)[mark.dataset.fragment] ??= []).push(mark);
  }
  for (const fragments of parts.values()) {
    for (let k = 1; k < fragments.length; k++) {
      if (!fragments[k - 1] || !fragments[k]) continue;
      const before = fragments[k - 1].at(-1).getClientRects();
      const [left, right] = [before[before.length - 1], fragments[k][0].getClientRects()[0]];
      if (!left || !right || Math.abs(left.bottom - right.bottom) > 8 || right.left < left.right - 1) continue;
      const [x1, x2, y] = [left.right - origin.left, right.left - origin.left, left.bottom - origin.top];
      const look = [...fragments[k][0].classList].find((name) => name.startsWith("k-"));
      svg.append(svgElement("path", { d: `M${x1},${y} C${x1 + 4},${y + 7} ${x2 - 4},${y + 7} ${x2},${y}`, class: "connector " + look }));
    }
  }
}

// An arc for each relation, above the words, with its label and what became of it.
function drawArcs(svg, marks, origin) {
  const panes = current.panes ?? [];
  if (!panes.some(({ arcs }) => arcs.length)) return;
  const places = new Map();
  for (const mark of marks) {
    const name = mark.closest(".line").dataset.pane + ":" + mark.dataset.from;
    if (!places.has(name)) places.set(name, mark);
  }
  const taken = [];
  panes.forEach(({ arcs }, pane) => [...arcs].sort((a, b) => isShown(b) - isShown(a)).forEach((arc) => {
    const [source, target] = [arc.source, arc.target].map((start) => places.get(pane + ":" + start)?.getClientRects()[0]);
    if (source && target) svg.append(drawArc(arc, source, target, origin, taken));
  }));
}

// Labels that would lie on others are left out: first come the chosen relation, then errors.
const isShown = ({ key, other, letters }) => 2 * (!other && isChosen(key)) + (letters !== "");
const LETTER = 5.6; // how wide a letter of a label is, in pixels

function labelArc(text, x, y, taken) {
  const [left, right] = [x - (text.length * LETTER) / 2, x + (text.length * LETTER) / 2];
  if (taken.some((box) => Math.abs(box.y - y) < 9 && box.left < right && left < box.right)) return null;
  taken.push({ y, left, right });
  return svgElement("text", { x: Math.max(x, (text.length * LETTER) / 2), y, "text-anchor": "middle" }, text);
}

function drawArc({ key, look, label, letters, other }, source, target, origin, taken) {
  const ends = [source, target].map((box) => [box.left + Math.min(box.width, 40) / 2 - origin.left, box.top - origin.top + 1]);
  const [[x1, y1], [x2, y2]] = ends;
  const rise = Math.min(15, 8 + Math.abs(x2 - x1) / 30);
  const top = Math.min(y1, y2) - rise;
  const curve = svgElement("path", { class: "arc", d: `M${x1},${y1} C${x1},${top} ${x2},${top} ${x2},${y2}` });
  const head = svgElement("path", { class: "arc-head", d: `M${x2 - 3},${y2 - 5} L${x2 + 3},${y2 - 5} L${x2},${y2} Z` });
  const name = [label, letters].filter(Boolean).join(" ");
  const parts = [curve, head, labelArc(name, x1, y1 - 5, taken), svgElement("title", {}, name)];
  const selected = !other && isChosen(key) ? " selected" : "";
  return svgElement("g", { class: `relation k-${look}${selected}${other ? " other" : ""}`, "data-key": key }, ...parts.filter(Boolean));
}
