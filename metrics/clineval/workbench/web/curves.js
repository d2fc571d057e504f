"use strict";
// Curves over the open note: between the fragments of a mention, and as arcs of relations.

// The blocks of a note that are laid out: all, or those in sight if the note is long.
const blocksInSight = (note) => [...note.querySelectorAll(".block")].filter((block) => !note.classList.contains("long") || isNear(block));

function isNear(block) {
  const [outer, inner] = [$("document-body").getBoundingClientRect(), block.getBoundingClientRect()];
  return inner.bottom > outer.top - 200 && inner.top < outer.bottom + 200;
}

// Draw the curves of the open document at its present size.
function drawConnectors() {
  const note = $("document-body").querySelector(".note");
  if (note?.getClientRects().length) joinMarks([note], current.panes ?? [], blocksInSight(note));
}

// Join the marks of some blocks. Each box has its own drawing, which moves with it.
function joinMarks(boxes, panes, blocks) {
  const marks = blocks.flatMap((block) => [...block.querySelectorAll("mark[data-fragment], mark[data-from]")]);
  const stacks = stackArcs(panes, blocks, marks.filter((mark) => mark.dataset.from !== undefined));
  for (const box of boxes) {
    box.querySelector("svg")?.remove();
    const svg = svgElement("svg", { class: "connectors", "aria-hidden": "true" });
    const origin = box.getBoundingClientRect();
    joinFragments(svg, marks.filter((mark) => mark.dataset.fragment !== undefined && box.contains(mark)), origin);
    svg.append(...stacks.filter(({ line }) => box.contains(line)).flatMap((stack) => drawStack(stack, origin)));
    box.append(svg);
  }
}

// Draw dashed curves between the fragments of a mention. On different lines, fragments have the same
// number instead.
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
