"use strict";
// The Document pane: the note once for each side, line by line beside one another.

const MARK_NAMES = { missed: "missed", spurious: "spurious", boundary: "boundary", code: head.classes.word, slot: "slot", right: "right", nothing: "does not count" };

// How a mention looks: what became of it, seen from the most lenient pairing.
function describeMention(system, side, row) {
  const kinds = system.kinds[side][row];
  const pairing = widest(system)[side][row];
  if (pairing === DISPLACED) return { look: "nothing", letters: "–" };
  if (kinds & ALONE) return side === "gold" ? { look: "missed", letters: "FN" } : { look: "spurious", letters: "FP" };
  const letters = (kinds & BOUNDARY ? "B" : "") + (kinds & CODE ? "C" : "") + (kinds & SLOT ? "S" : "");
  const look = kinds & BOUNDARY ? "boundary" : kinds & CODE ? "code" : kinds & SLOT ? "slot" : "right";
  return { look, letters };
}

// The mentions of a document on one side, with a lane for each, so that no two overlap in one.
function mentionsOf(system, side, d) {
  const columns = side === "gold" ? corpus.gold : system;
  const prefix = side === "gold" ? "g" : "p";
  const lanes = [];
  const found = [];
  for (let row = columns.first[d]; row < columns.first[d + 1]; row++) {
    const fragments = columns.fragments(row).filter(([start, end]) => start < end);
    if (!fragments.length) continue;
    const [from, to] = [Math.min(...fragments.map((f) => f[0])), Math.max(...fragments.map((f) => f[1]))];
    let lane = lanes.findIndex((end) => end <= from);
    if (lane < 0) lane = lanes.length;
    lanes[lane] = to;
    found.push({ row, key: prefix + (row - columns.first[d]), system, side, fragments, lane, ...describeMention(system, side, row) });
  }
  return found;
}

function partnerKey(system, side, row, d) {
  const partner = widest(system)[side][row];
  if (partner < 0) return null;
  return side === "gold" ? "p" + (partner - system.first[d]) : "g" + (partner - corpus.gold.first[d]);
}

// What stands between two places where a mention begins or ends.
function cutLine(from, to, mentions) {
  const cuts = new Set([from, to]);
  for (const { fragments } of mentions) {
    for (const [start, end] of fragments) {
      if (start > from && start < to) cuts.add(start);
      if (end > from && end < to) cuts.add(end);
    }
  }
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, k) => {
    const end = places[k + 1];
    const covering = mentions.filter((m) => m.fragments.some(([a, b]) => a <= start && end <= b));
    return { start, end, covering };
  });
}

function drawSegment({ start, end, covering }, text, units) {
  let inner = document.createTextNode(text.slice(units[start], units[end]));
  if (!covering.length) return inner;
  for (const mention of [...covering].sort((a, b) => a.lane - b.lane)) {
    const fragment = mention.fragments.findIndex(([a, b]) => a <= start && end <= b);
    const [first, last] = mention.fragments[fragment];
    const atEnd = end === last && fragment === mention.fragments.length - 1;
    const mark = element(
      "mark", {
        class: ["m", "k-" + mention.look, "lane-" + Math.min(mention.lane, 5), "side-" + mention.side, start === first ? "first" : "", end === last ? "last" : ""].filter(Boolean).join(" "),
        "data-key": mention.key,
        "data-letters": atEnd ? mention.letters || null : null,
        "data-fragment": mention.fragments.length > 1 ? fragment : null,
        "data-link": mention.fragments.length > 1 && start === first ? mention.link : null,
        "aria-description": start === first ? MARK_NAMES[mention.look] : null,
      },
      inner,
    );
    inner = mark;
  }
  return inner;
}

function linesOf(text, units) {
  const lines = [];
  let from = 0;
  for (let i = 0; i < units.length - 1; i++) {
    if (text[units[i]] === "\n") {
      lines.push([from, i + 1]);
      from = i + 1;
    }
  }
  if (from < units.length - 1 || !lines.length) lines.push([from, units.length - 1]);
  return lines;
}

// Which panes the Document pane has: a title, and the mentions that it marks.
function panesOf(d) {
  const system = view0();
  const gold = { title: "Gold", mentions: mentionsOf(system, "gold", d) };
  const panes = corpus.systems.map((each) => ({ title: each.name, mentions: mentionsOf(each, "system", d), other: each !== system }));
  const own = panes[view.system];
  if (view.show === "gold") return [gold];
  if (view.show === "system") return [own];
  if (view.show === "merged") {
    // a pair's letters stand once, on the system's side
    for (const mention of gold.mentions) if (mention.look !== "missed") mention.letters = "";
    return [{ title: "Gold above, " + own.title + " below", mentions: [...gold.mentions, ...own.mentions] }];
  }
  return [gold, ...panes];
}

async function drawDocument() {
  const drawn = await fillDocument((d, text) => {
    const panes = panesOf(d);
    panes.forEach(({ mentions }) => mentions.filter((m) => m.fragments.length > 1).forEach((m, k) => (m.link = k + 1)));
    return text === null ? drawOffsets(d) : drawText(text, panes);
  });
  if (!drawn) return;
  drawn.addEventListener("click", onMarkClick);
  markSelected();
  drawConnectors();
}

function drawText(text, panes) {
  const units = unitsOf(text);
  const grid = element("div", { class: "note panes-" + panes.length });
  const lanes = Math.max(1, ...panes.flatMap(({ mentions }) => mentions.map((m) => m.lane + 1)));
  grid.classList.add("lanes-" + Math.min(lanes, 6));
  grid.classList.toggle("merged", view.show === "merged");
  panes.forEach(({ title, other }) => grid.append(element("div", { class: "pane-title" + (other ? " other" : "") }, title)));
  for (const [from, to] of linesOf(text, units)) {
    for (const [k, { mentions, title, other }] of panes.entries()) {
      const near = mentions.filter((m) => m.fragments.some(([a, b]) => a < to && b > from));
      grid.append(element("div", { class: "line" + (other ? " other" : ""), "data-pane": k, "data-title": title }, ...cutLine(from, to, near).map((segment) => drawSegment(segment, text, units))));
    }
  }
  return grid;
}

// Without a text: the mentions as offsets, gold beside system.
function drawOffsets(d) {
  const system = view0();
  const rows = [];
  for (const item of itemsOfDocument(d)) {
    const side = (row, which) => {
      if (row < 0) return element("td", {}, "");
      const columns = which === "gold" ? corpus.gold : system;
      const { look, letters } = describeMention(system, which, row);
      const key = (which === "gold" ? "g" : "p") + (row - columns.first[d]);
      return element("td", {}, element("mark", { class: `m k-${look} first last side-${which}`, "data-key": key, "data-letters": letters || null }, spell(columns.fragments(row))), " ", element("code", {}, head.coded ? columns.value(row, head.slots[CLASS_SLOT]) : ""));
    };
    rows.push(element("tr", {}, side(item.gold, "gold"), side(item.system, "system")));
  }
  const why = head.text ? "The text of this document was not given: offsets only." : "This report has no text: offsets only.";
  return element(
    "div", { class: "offsets" },
    element("p", { class: "empty" }, why),
    element("table", {}, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Gold"), element("th", { scope: "col" }, system.name))), element("tbody", {}, ...rows)),
  );
}

// The pairs of a document under the most lenient pairing, and what has no partner.
function itemsOfDocument(d) {
  const system = view0();
  const { gold: goldLink, system: link } = widest(system);
  const found = [];
  for (let p = system.first[d]; p < system.first[d + 1]; p++) found.push({ gold: Math.max(link[p], NOBODY), system: p, start: system.start(p) });
  for (let g = corpus.gold.first[d]; g < corpus.gold.first[d + 1]; g++) if (goldLink[g] < 0) found.push({ gold: g, system: NOBODY, start: corpus.gold.start(g) });
  return found.sort((a, b) => a.start - b.start);
}

// Where mentions overlap, pressing again goes to the next one at that place.
function onMarkClick(event) {
  const keys = [];
  for (let at = event.target.closest("mark"); at; at = at.parentElement.closest("mark")) {
    if (!at.closest(".other")) keys.push(at.dataset.key);
  }
  if (!keys.length) return;
  change({ m: keys[(keys.indexOf(view.m) + 1) % keys.length] });
}

function markSelected() {
  const d = current.document;
  const chosen = new Set();
  if (view.m && d >= 0) {
    chosen.add(view.m);
    const { side, row } = mentionAt(d, view.m);
    const partner = row === null ? null : partnerKey(view0(), side, row, d);
    if (partner) chosen.add(partner);
  }
  let first = null;
  for (const mark of $("document-body").querySelectorAll("mark")) {
    const selected = chosen.has(mark.dataset.key) && !mark.closest(".other");
    mark.classList.toggle("selected", selected);
    if (selected && mark.dataset.key === view.m) mark.setAttribute("aria-current", "true");
    else mark.removeAttribute("aria-current");
    if (selected) first ??= mark;
  }
  if (first) scrollIntoBox(first);
}

function scrollIntoBox(mark) {
  const box = $("document-body");
  const [inner, outer] = [mark.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top + 28 || inner.bottom > outer.bottom - 28) box.scrollTop += inner.top - outer.top - outer.height / 3;
}

// A mention's side and row from its key, such as g3 or p7; row is null if there is none.
function mentionAt(d, key) {
  const side = key.startsWith("g") ? "gold" : "system";
  const columns = side === "gold" ? corpus.gold : view0();
  const row = columns.first[d] + Number(key.slice(1));
  return { side, row: row < columns.first[d + 1] ? row : null };
}

// Dashed curves between the fragments of a mention; across lines each has the same number.
function drawConnectors() {
  const grid = $("document-body").querySelector(".note");
  if (!grid) return;
  grid.querySelector("svg")?.remove();
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "connectors");
  svg.setAttribute("aria-hidden", "true");
  const origin = grid.getBoundingClientRect();
  const parts = new Map();
  for (const mark of grid.querySelectorAll("mark[data-fragment]")) {
    const name = mark.closest(".line").dataset.pane + mark.dataset.key;
    if (!parts.has(name)) parts.set(name, []);
    (parts.get(name)[mark.dataset.fragment] ??= []).push(mark);
  }
  for (const fragments of parts.values()) {
    for (let k = 1; k < fragments.length; k++) {
      const before = fragments[k - 1].at(-1).getClientRects();
      const [left, right] = [before[before.length - 1], fragments[k][0].getClientRects()[0]];
      if (!left || !right || Math.abs(left.bottom - right.bottom) > 8 || right.left < left.right - 1) continue;
      const [x1, x2, y] = [left.right - origin.left, right.left - origin.left, left.bottom - origin.top];
      const path = document.createElementNS(svg.namespaceURI, "path");
      path.setAttribute("d", `M${x1},${y} C${x1 + 4},${y + 7} ${x2 - 4},${y + 7} ${x2},${y}`);
      path.setAttribute("class", "connector " + [...fragments[k][0].classList].find((name) => name.startsWith("k-")));
      svg.append(path);
    }
  }
  grid.append(svg);
}
