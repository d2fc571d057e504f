"use strict";
// Sections: the text between ribbons of gold and predicted sections, with edits and their costs.

const cost = (x) => (x ? x.toFixed(3) : "0");
const labelName = (label) => (label < 0 ? "—" : corpus.extra.labels[label]);

function describeEdit({ kind, displacement, gold, system, cost: c }) {
  const name = kindOf(kind).name;
  if (name === "match") return labelName(gold);
  const words = Math.abs(displacement) === 1 ? "word" : "words";
  const what = {
    addition: () => `${labelName(gold)} missed`,
    deletion: () => `${labelName(system)} spurious`,
    substitution: () => `${labelName(gold)} taken for ${labelName(system)}`,
    transposition: () => `${labelName(gold)} ${Math.abs(displacement)} ${words} ${displacement > 0 ? "late" : "early"}`,
  }[name]();
  return `${what}, costs ${cost(c)}`;
}

// Where each side has boundaries: token to label and item.
function boundariesOf(items) {
  const sides = { gold: new Map(), system: new Map() };
  for (const item of items) {
    if (item.gold >= 0) sides.gold.set(item.position, item);
    if (item.system >= 0) sides.system.set(item.position + item.displacement, item);
  }
  return sides;
}

function drawSections(d, text) {
  const list = current.list;
  const sides = boundariesOf(list.of(d));
  const tokens = corpus.extra.tokens?.[d];
  const places = [...new Set([0, ...sides.gold.keys(), ...sides.system.keys()])].sort((a, b) => a - b);
  const units = text === null ? null : unitsOf(text);
  const startOf = (k) => (k === 0 ? 0 : tokens[places[k]]);
  const grid = element("div", { class: "ribbons" }, element("div", { class: "pane-title" }, "Gold"), element("div", { class: "pane-title" }, "Note"), element("div", { class: "pane-title" }, system0().name), element("div", { class: "pane-title" }, "Edits"));
  const open = { gold: -1, system: -1 };
  let spent = 0;
  places.forEach((place, k) => {
    const ribbon = (side) => {
      const item = sides[side].get(place);
      if (item) open[side] = item[side];
      const label = open[side];
      return element("div", { class: `ribbon ${label < 0 ? "" : "label-" + (label % 7)}` }, item ? labelName(label) : "");
    };
    const [gold, system] = [ribbon("gold"), ribbon("system")];
    const items = [...new Set([sides.gold.get(place), sides.system.get(place)])].filter((item) => item && (item.position === place || item.gold < 0));
    const edits = items.map((item) => {
      spent += item.cost;
      const kind = kindOf(item.kind);
      return element("button", { type: "button", class: `edit k-${kind.look}${item.i === chosenItem() ? " selected" : ""}`, onclick: () => pick(item.i) }, kind.right ? kind.label : describeEdit(item));
    });
    const running = items.some((item) => item.cost) ? element("span", { class: "number" }, `Σ ${cost(spent)}`) : null;
    const words = units === null ? `from token ${place}` : text.slice(units[startOf(k)], units[k + 1 < places.length ? startOf(k + 1) : units.length - 1]);
    grid.append(gold, element("div", { class: "prose" + (units === null ? " empty" : "") }, words), system, element("div", { class: "edits" }, ...edits, running ?? ""));
  });
  return grid;
}

function detailOfEdit(item) {
  const rows = [
    ["Kind", kindOf(item.kind).label], ["Gold", labelName(item.gold)], ["System", labelName(item.system)], ["Token", item.position],
    ["Displacement", item.displacement ? `${item.displacement} tokens` : "none"], ["Cost", cost(item.cost)], ["Why", kindOf(item.kind).meaning],
  ];
  return element("table", { class: "fields" }, element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, String(value))))));
}

// A note's edits: what they cost together, the size of its alignment, its b2, its gold boundaries.
function measureNote(items) {
  const moved = items.filter(({ kind }) => kindOf(kind).name === "transposition");
  const spent = items.reduce((e, item) => e + item.cost, 0);
  const size = items.length + moved.length - moved.reduce((w, item) => w + item.cost, 0);
  const b2 = items.length ? Math.min(Math.max(size - spent, 0), Math.max(size, 0)) / Math.max(size, 0) || 0 : 1;
  return { spent, b2, golds: items.filter(({ gold }) => gold >= 0).length };
}

// Notes weigh as many times as they have gold boundaries, the same if no note has any.
const measureNotes = (list) => {
  const notes = corpus.documents.map((_, d) => measureNote(list.of(d)));
  const weights = notes.reduce((sum, { golds }) => sum + golds, 0);
  return { notes, weightOf: ({ golds }) => (weights ? golds / weights : 1 / notes.length) };
};

// b2 from the costs of the edits: D - E over D for each note.
function checkSections(system, expect) {
  const { notes, weightOf } = measureNotes(system.lists[head.modes[0].name]);
  expect("b2", notes.reduce((sum, note) => sum + weightOf(note) * note.b2, 0));
}

// What each item takes away from b2: they add up to what b2 lacks to 1.
function lossesOf(system) {
  const list = system.lists[head.modes[0].name];
  const { notes, weightOf } = measureNotes(list);
  const losses = new Float64Array(list.size);
  for (let i = 0; i < list.size; i++) {
    const note = notes[list.columns.document[i]];
    if (note.spent) losses[i] = (weightOf(note) * (1 - note.b2) * list.columns.cost[i]) / note.spent;
  }
  return losses;
}

const VIEW = {
  describe: describeEdit,
  draw: drawSections,
  detail: detailOfEdit,
  check: checkSections,
  terms: ({ gold, system }) => [gold, system].filter((label) => label >= 0).map(labelName),
  place: ({ position, gold, system }, isGold) => ({ spans: String(position), class: labelName(isGold ? gold : system) }),
  identify: ({ position, system }) => `${position}:${system}`,
  losses: lossesOf,
  record: ({ position, displacement, gold, system, cost: c }) => ({ position, displacement, gold: gold < 0 ? "" : labelName(gold), system: system < 0 ? "" : labelName(system), cost: c }),
};
