"use strict";
// Mentions on paper.

const panesOnPaper = new Map();

function drawOnPaper(d, text) {
  const panes = panesOf(d);
  panesOnPaper.set(d, panes);
  return text === null ? drawOffsets(d) : drawText(text, panes);
}

// A page may end after any line; the drawing over a line stays with it.
function joinOnPaper(sheet, d) {
  const note = sheet.querySelector(".note");
  note?.classList.remove("long"); // paper shows the whole note
  if (note) joinMarks([...note.querySelectorAll(".block .text-row")], panesOnPaper.get(d), [...note.querySelectorAll(".block")]);
  panesOnPaper.delete(d);
}

// The items of a document that the filter shows; without a filter, those that are not right.
function itemsOnPaper(d) {
  const { rows, items, byDocument: { first, shown } } = current;
  const own = shown[d] ? [...rows.subarray(first[d], first[d] + shown[d])] : [];
  return hasFilter() ? own : own.filter((i) => items.verdicts[i] !== TP || items.kinds(i) & (BOUNDARY | CODE | SLOT));
}

const remarkAt = (i) => remarkOf(current.items, i);

function sideOnPaper(side, row, text) {
  if (row < 0) return "—";
  const fragments = side.fragments(row);
  return [text === null ? spell(fragments) : excerpt(text, fragments), labelOf(side, row)].filter(Boolean).join(", ");
}

// The slots, other than the class, in which a pair differs.
function slotsOnPaper(i) {
  const [g, p] = current.items.pair(i);
  if (g < 0 || p < 0) return "";
  return head.slots.filter((slot, k) => k !== CLASS_SLOT && !((view0().equal[p] >> k) & 1))
    .map((slot) => `${slot.name.replace("_", " ")} ${corpus.gold.value(g, slot)} → ${view0().value(p, slot)}`).join("; ");
}

// The mentions of an item. One without a partner in this mode is shown with its most lenient partner.
function bothSides(i) {
  const [gold, system] = [current.items.golds[i], current.items.predictions[i]];
  if (gold >= 0 && system >= 0) return { gold, system };
  return pairOf(gold >= 0 ? { side: "gold", row: gold } : { side: "system", row: system });
}

const PAPER_COLUMNS = {
  "Counts as": (i) => VERDICTS[current.items.verdicts[i]].toUpperCase(),
  Errors: (i) => Object.keys(KINDS).filter((name) => KINDS[name] !== ALONE && current.items.kinds(i) & KINDS[name]).map((name) => KIND_NAMES[name]).join(", "),
  Gold: (i, text) => sideOnPaper(corpus.gold, bothSides(i).gold, text),
  System: (i, text) => sideOnPaper(view0(), bothSides(i).system, text),
  Slots: slotsOnPaper,
};

function detailOnPaper(d) {
  const found = view.m ? mentionAt(d, view.m) : { row: null };
  if (found.row === null) return [];
  const pair = pairOf(found);
  return [element("h3", {}, "The chosen item"), element("p", {}, ...summary(pair)), fieldTable(pair)];
}

function measuresOf(d) {
  const m = measure(...countsOf(d));
  const counts = view.criterion === "class" ? `right ${m.tp}, wrong ${m.wrong}` : `TP ${m.tp}, FP ${m.fp}, FN ${m.fn}`;
  return `${counts}, ${isAccuracy(view.criterion) ? "accuracy" : "F1"} ${isScored(d) ? mainOf(m).toFixed(4) : NO_SCORE}`;
}
