"use strict";
// A reviewer's decisions on a mention: the gold standard is wrong, the system is right, or the span or the
// class changes. A decision is part of a remark and includes the corrected mention, so `clineval
// adjudicate` needs only the file of remarks. A key makes a decision; the same key undoes it.

const undoable = [];
const isPair = ({ gold, system }) => gold >= 0 && system >= 0;
const spansOf = (side, row) => offsets(side.fragments(row));
const classOf = (side, row) => (CLASS_SLOT < 0 ? "" : side.value(row, head.slots[CLASS_SLOT]));
const otherSlots = () => head.slots.filter((_, k) => k !== CLASS_SLOT);
const slotsOf = (side, row) => Object.fromEntries(otherSlots().map((slot) => [slot.name, side.value(row, slot)]));
const differs = (of) => (pair) => isPair(pair) && String(of(corpus.gold, pair.gold)) !== String(of(view0(), pair.system));
const inAll = (side, row) => JSON.stringify([spansOf(side, row), classOf(side, row), slotsOf(side, row)]);

// Each decision with its key, its name, and the items that it fits.
const DECISIONS = {
  "gold wrong": ["w", "gold is wrong", ({ gold }) => gold >= 0],
  "system right": ["r", "system is right", (pair) => pair.gold < 0 || differs(inAll)(pair)],
  boundary: ["d", "system's boundary", differs(spansOf)],
  label: ["l", `system's ${head.classes.word}`, differs(classOf)],
};
const DECISION_KEYS = {
  ...Object.fromEntries(Object.entries(DECISIONS).map(([name, [key, said]]) => [key, [said, () => decide(name)]])),
  u: ["undo the last decision", undo],
};

// The item in the Detail pane, if it can have decisions; relations cannot.
function decidedPair() {
  const found = view.m && current.document >= 0 ? mentionAt(current.document, view.m) : { row: null };
  if (!head.decisions || found.row === null) return null;
  const pair = pairOf(found);
  const related = (pair.gold >= 0 && corpus.gold.sourceSize(pair.gold)) || (pair.system >= 0 && view0().sourceSize(pair.system));
  return related ? null : pair;
}

const placeOfPair = ({ gold, system }) => (gold >= 0 ? placeOfMention(corpus.gold, gold) : placeOfMention(view0(), system));

// The corrected mention: as the system has it.
function correction(name, { system: p }) {
  if (name === "gold wrong") return { ...NO_DECISION, decision: name };
  const system = view0();
  return { decision: name, to_spans: spansOf(system, p), to_class: classOf(system, p), to_slots: name === "system right" ? slotsOf(system, p) : {} };
}

function decide(name) {
  const pair = decidedPair();
  if (!pair || !DECISIONS[name][2](pair)) return announce("This decision does not fit this item.");
  const place = placeOfPair(pair);
  const { decision = "", to_spans = "", to_class = "", to_slots = {} } = remarks.get(keyOf(place)) ?? {};
  undoable.push([place, { decision, to_spans, to_class, to_slots }]);
  const taken = decision !== name;
  changeRemark(place, taken ? correction(name, pair) : NO_DECISION);
  announce(taken ? `Decided: ${DECISIONS[name][1]}` : "No decision");
}

function undo() {
  const last = undoable.pop();
  if (!last) return announce("There is no decision to undo.");
  changeRemark(...last);
  announce(`Undone in ${last[0].document}`);
}

// A button that does not fit explains this when pressed. It is not disabled, so it keeps the focus.
function drawDecisions() {
  const pair = decidedPair();
  if (!pair) return null;
  const taken = remarks.get(keyOf(placeOfPair(pair)))?.decision;
  const button = ([name, [key, said, fits]]) => element("button", { type: "button", class: "chip", "data-decision": name, "aria-disabled": String(!fits(pair) && taken !== name), "aria-pressed": String(taken === name), title: `key ${key}`, onclick: () => decide(name) }, said);
  const back = element("button", { type: "button", class: "chip", "data-decision": "undo", "aria-disabled": String(!undoable.length), title: "key u", onclick: undo }, "undo");
  return element("div", { class: "remark", role: "group", "aria-label": "Decision" }, "Decision", ...Object.entries(DECISIONS).map(button), back);
}
