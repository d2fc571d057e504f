"use strict";
// Draw a note's text as lines of marks. The work grows with the length of the text plus the number of
// marks, because it visits fragments once, in the order of the text.

const LANES = 5; // deeper overlapping mentions are folded and counted
const LONG = 4000; // characters of a line that are drawn as one piece; longer lines are cut between words
const BLOCK = 40; // lines that the browser lays out together

// The lines of a text as ranges of code points; very long lines are cut into pieces.
function linesOf(text, units) {
  const lines = [];
  const size = units.length - 1;
  let [from, space] = [0, -1];
  for (let i = 0; i < size; i++) {
    const c = text.charCodeAt(units[i]);
    if (c === 32) space = i + 1;
    if (c !== 10 && i + 1 - from < LONG) continue;
    const to = c === 10 || space <= from ? i + 1 : space;
    lines.push([from, to]);
    from = to;
  }
  if (from < size || !lines.length) lines.push([from, size]);
  return lines;
}

// The fragments of some mentions in the order of the text, each with its mention.
function fragmentsInOrder(mentions) {
  const found = mentions.flatMap((mention) => mention.fragments.map(([start, end], fragment) => ({ start, end, fragment, mention })));
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

// Go through the lines in order, and return the fragments on each.
class Sweep {
  constructor(mentions) {
    Object.assign(this, { fragments: fragmentsInOrder(mentions), next: 0, open: [] });
  }

  on(from, to) {
    this.open = this.open.filter(({ end }) => end > from);
    for (; this.next < this.fragments.length && this.fragments[this.next].start < to; this.next++) {
      if (this.fragments[this.next].end > from) this.open.push(this.fragments[this.next]);
    }
    return this.open;
  }
}

// Cut a line into segments: wherever a shown fragment begins or ends, and wherever folded fragments begin
// or stop. Return the shown and the folded fragments of each segment.
function cutLine(from, to, fragments) {
  const cuts = new Set([from, to]);
  const begin = [...fragments].sort((a, b) => a.start - b.start);
  for (const { start, end } of fragments) {
    if (start > from && start < to) cuts.add(start);
    if (end > from && end < to) cuts.add(end);
  }
  const places = [...cuts].sort((a, b) => a - b);
  const segments = [];
  let [next, active] = [0, []];
  for (let k = 0; k + 1 < places.length; k++) {
    const [start, end] = [places[k], places[k + 1]];
    if (active.some((fragment) => fragment.end <= start)) active = active.filter((fragment) => fragment.end > start);
    for (; next < begin.length && begin[next].start <= start; next++) active.push(begin[next]);
    addSegment(segments, { start, end, shown: active.filter(({ mention }) => mention.lane < LANES), folded: active.filter(({ mention }) => mention.lane >= LANES) });
  }
  return segments;
}

// Join neighbours that differ only in folded fragments.
function addSegment(segments, segment) {
  const last = segments.at(-1);
  const same = last && last.folded.length && segment.folded.length && last.shown.length === segment.shown.length && last.shown.every((fragment, k) => fragment === segment.shown[k]);
  if (!same) return segments.push(segment);
  last.end = segment.end;
  last.folded = [...new Set([...last.folded, ...segment.folded])];
  return segments;
}

function drawSegment({ start, end, shown }, text, units) {
  let inner = document.createTextNode(text.slice(units[start], units[end]));
  for (const own of [...shown].sort((a, b) => a.mention.lane - b.mention.lane)) inner = drawMark(own, start, end, inner);
  return inner;
}

function drawMark({ mention, fragment, start: first, end: last }, start, end, inner) {
  const atEnd = end === last && fragment === mention.fragments.length - 1;
  return element(
    "mark", {
      class: ["m", "k-" + mention.look, "lane-" + mention.lane, "side-" + mention.side, start === first ? "first" : "", end === last ? "last" : ""].filter(Boolean).join(" "),
      "data-key": mention.key,
      "data-letters": atEnd ? mention.letters || null : null,
      "data-fragment": mention.fragments.length > 1 && !mention.relation ? fragment : null,
      "data-link": mention.fragments.length > 1 && start === first ? mention.link ?? null : null,
      "data-from": start === first ? first : null,
      "aria-description": start === first ? MARK_NAMES[mention.look] : null,
    },
    inner,
  );
}

// The nodes of a line. Segments with folded mentions share a box that shows how many there are.
function drawLine(segments, text, units) {
  const nodes = [];
  let stretch = null;
  for (const segment of segments) {
    const node = drawSegment(segment, text, units);
    if (!segment.folded.length) {
      nodes.push(node);
      stretch = null;
      continue;
    }
    if (!stretch) nodes.push((stretch = { keys: new Set(), box: element("span", { class: "folded" }) }).box);
    segment.folded.forEach(({ mention }) => stretch.keys.add(mention.key));
    stretch.box.dataset.keys = [...stretch.keys].join(" ");
    stretch.box.dataset.count = "+" + stretch.keys.size;
    stretch.box.title = `${stretch.keys.size} more mentions: press to go through them`;
    stretch.box.append(node);
  }
  return nodes;
}

// Give each mention a lane, so that mentions in a lane do not overlap; chosen mentions are always shown.
function giveLanes(mentions, chosen) {
  const lanes = [];
  for (const mention of mentions) {
    mention.from = Math.min(...mention.fragments.map(([start]) => start));
    mention.to = Math.max(...mention.fragments.map(([, end]) => end));
    let lane = lanes.findIndex((end) => end <= mention.from);
    if (lane < 0) lane = lanes.length;
    lanes[lane] = mention.to;
    mention.lane = lane;
  }
  const hidden = mentions.filter(({ lane }) => lane >= LANES).map(({ key }) => key);
  for (const own of mentions.filter(({ key, lane }) => chosen.has(key) && lane >= LANES)) {
    for (const other of mentions) if (other.lane === LANES - 1 && other.from < own.to && own.from < other.to) other.lane = LANES;
    own.lane = LANES - 1;
  }
  return hidden;
}

// Draw the note as rows of panes, in blocks.
function drawText(text, panes) {
  const units = unitsOf(text);
  const rows = inRows(panes.length);
  const note = element("div", { class: rows ? "note rows" : "note panes-" + panes.length });
  const lanes = Math.max(1, ...panes.flatMap(({ mentions }) => mentions.map((m) => Math.min(m.lane, LANES - 1) + 1)));
  note.classList.add("lanes-" + lanes);
  note.classList.toggle("merged", view.show === "merged");
  note.append(element("div", { class: "text-row titles" }, ...panes.map(({ title, other }) => element("div", { class: "pane-title" + (other ? " other" : panes.length > 2 ? " current" : "") }, title))));
  const lines = linesOf(text, units);
  const sweeps = panes.map(({ mentions }) => new Sweep(mentions));
  note.classList.toggle("long", lines.length > 4 * BLOCK || units.length > 20 * LONG);
  let block = null;
  lines.forEach(([from, to], k) => {
    if (k % BLOCK === 0 || to - from > LONG / 2) note.append((block = element("div", { class: "block" })));
    const marked = sweeps.map((sweep) => [...sweep.on(from, to)]);
    const plain = rows && !marked.some((fragments) => fragments.length); // a line without marks is shown once
    block.append(element("div", { class: plain ? "text-row plain" : "text-row" }, ...panes.map(({ title, other }, pane) => element(
      "div", { class: "line" + (other ? " other" : ""), "data-pane": pane, "data-title": title }, ...drawLine(cutLine(from, to, marked[pane]), text, units),
    ))));
  });
  return note;
}
