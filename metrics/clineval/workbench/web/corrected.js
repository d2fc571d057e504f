"use strict";
// Correct the gold standard's own files, which the reader chooses, by the decisions. The result is what
// `clineval adjudicate` writes (clineval/formats/editing). The browser reads the files and sends nothing.

const NO_SUCH = "the gold standard has no such mention";
const foldName = (name) => name.toLowerCase().replace(/\.txt$/, "");
const refuse = (edit, problem) => {
  const { spans, label } = edit.old ?? edit.new;
  throw new RangeError(`${edit.document}, ${spans} ${label}: ${problem}`);
};

// The corrections that follow from the decisions, by document.
function findEdits() {
  const found = new Map();
  for (const { document, side, spans, class: name, slots = {}, decision, to_spans, to_class, to_slots } of remarks.values()) {
    if (!decision) continue;
    const [own, theirs] = [{ spans, label: name }, { spans: to_spans, label: to_class }];
    const made = { "gold wrong": null, "system right": theirs, boundary: { ...own, spans: to_spans }, label: { ...own, label: to_class } }[decision];
    const edit = { document, old: side === "gold" ? own : null, new: made, slots: decision === "system right" ? to_slots : {}, held: side === "gold" ? slots : {}, done: false };
    const key = foldName(document);
    found.set(key, [...(found.get(key) ?? []), edit]);
  }
  return found;
}

// --- values: for comparison, and as people write them

const isNoCode = (value) => ["", "cuiless", "cui-less"].includes(value.toLowerCase());

// In files, a slot of any name holds words, even if the page shows its few values as a closed set.
const asFree = (name) => ({ name, kind: "free", declared: [], usual: "no" });
const inFiles = (slot) => (slot.free ? asFree(slot.name) : slot);
const NEVER_FREE = ["cues", "id", "text", "type", "spans", "cui", "__proto__"];

function slotNamed(name) {
  const known = otherSlots().find((slot) => slot.name === name);
  if (known) return inFiles(known);
  return head.free && !NEVER_FREE.includes(name) && name !== classSlot()?.name ? asFree(name) : null;
}

// The slots that a correction sets, with their values: first those of the page, in its order.
function slotsIn(edit) {
  const declared = otherSlots().filter((slot) => !slot.free && Object.hasOwn(edit.slots, slot.name)).map(({ name }) => name);
  const others = Object.keys(edit.slots).filter((name) => !declared.includes(name)).sort();
  return [...declared, ...others].map((name) => [slotNamed(name), edit.slots[name]]);
}

const NO_VALUE = "(invalid\u00a0value)";

// Reject a class or a slot that the metric does not have.
function checkEdit(edit) {
  for (const [name, value] of Object.entries(edit.slots)) {
    const slot = slotNamed(name);
    if (!slot) refuse(edit, `to_slots: the metric has no slot '${name}'`);
    if (value === NO_VALUE || (slot.kind === "closed" && !slot.declared.includes(foldValue(slot, value)))) refuse(edit, `to_slots: '${name}' cannot be '${value}'`);
  }
  for (const name of Object.keys(edit.held)) if (!slotNamed(name)) refuse(edit, `slots: the metric has no slot '${name}'`);
  const [label, known] = [edit.new?.label ?? "", classSlot()?.declared ?? []];
  if (label === NO_VALUE || (label && known.length && !known.includes(label) && edit.old?.label !== label)) refuse(edit, `to_class: the metric has no class '${label}'`);
}

// Find a value of a closed set, ignoring case.
const valueNamed = (slot, value) => slot.declared.find((known) => known.toLowerCase() === value.toLowerCase());

function foldValue(slot, value) {
  if (slot.kind === "label" || slot.kind === "free") return value;
  if (slot.kind === "closed") return valueNamed(slot, value) || value.toLowerCase() || slot.declared[0];
  if (slot.kind === "code") return isNoCode(value) ? "cui-less" : value.toLowerCase();
  const codes = value.split(",").map((code) => code.trim().toLowerCase()).filter((code) => code && code !== "null");
  return [...new Set(codes.map((code) => (isNoCode(code) ? "cui-less" : code)))].sort().join(",") || "null";
}

// The slot's word for true or false.
function wordOf(slot, value) {
  const truth = { true: true, false: false }[value.toLowerCase()];
  if (!["closed", "free"].includes(slot.kind) || valueNamed(slot, value) !== undefined || truth === undefined) return value;
  const words = truth ? ["yes", "true"] : ["no", "false"];
  if (slot.kind === "free") return words[0];
  const byPlace = slot.usual !== null && slot.declared.length === 2 ? [slot.declared[Number(truth)]] : [];
  return [...words, ...byPlace].map((word) => valueNamed(slot, word)).find((word) => word !== undefined) ?? value;
}

const isUsual = (slot, value) => slot.usual !== null && foldValue(slot, value) === foldValue(slot, slot.usual);
const classSlot = () => (CLASS_SLOT < 0 ? null : head.slots[CLASS_SLOT]);

function spellClass(value) {
  const slot = classSlot();
  const given = typeof value === "string" ? value : "";
  if (!slot) return "";
  if (slot.kind === "code") return isNoCode(given) ? "CUI-less" : given.toUpperCase();
  return foldValue(slot, given);
}

const spellSpans = (spans) => [...spans].sort(([a], [b]) => a - b).map(([start, end]) => `${start}-${end}`).join(",");
const numbersIn = (spans) => spans.split(",").map((span) => span.split("-").map(Number));
const isOf = ({ old }, { spans, label }) => old !== null && old.spans === spans && old.label === label;
const fileLines = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

// Choose among mentions with the same span and class by their slots. Return several if they agree in all
// slots that count.
function findMeant(edit, twins) {
  const valueOf = (held, slot) => foldValue(slot, Object.hasOwn(held, slot.name) ? held[slot.name] : slot.usual ?? "");
  const agree = (one, other, names) => names.map(slotNamed).every((slot) => !slot || valueOf(one, slot) === valueOf(other, slot));
  const meant = twins.filter((held) => agree(held, edit.held, Object.keys(edit.held)));
  if (meant.some((held) => !agree(held, meant[0], scoredSlots()))) refuse(edit, `${meant.length} mentions have this span and class and differ in slots, and the remark does not identify one of them; decide again in a new report that shows these slots`);
  return meant.map((held) => twins.indexOf(held));
}

// Assign the corrections of a document to its mentions. `know` returns the span and class of a mention,
// `read` its slots.
function assignEdits(edits, mentions, know, read) {
  const found = new Map();
  for (const edit of edits.filter(({ old }) => old)) {
    const alike = mentions.filter((mention) => isOf(edit, know(mention)));
    for (const at of findMeant(edit, alike.map(read))) {
      edit.done = true;
      if (!found.has(alike[at])) found.set(alike[at], edit);
    }
  }
  return found;
}

// --- pipe files

function correctPipe(text, stem, editsFor) {
  const lines = fileLines(text);
  const rows = lines.map((line) => line.replace(/[\r\n]+$/, "").split("|"));
  const last = new Map(rows.map(([name], at) => [name, at]));
  const found = new Map([...last.keys()].flatMap((name) => findPipeEdits(rows.filter((row) => row[0] === name), editsFor(name))));
  const written = rows.flatMap((cells, at) => {
    const changed = found.has(cells) ? changePipe(cells, ...found.get(cells)) : [lines[at]];
    return last.get(cells[0]) === at ? [...changed, ...addToPipe(cells[0], editsFor(cells[0]), cells.length > 4)] : changed;
  });
  if (!rows.length) written.push(...addToPipe(`${stem}.txt`, editsFor(stem), true));
  return written.join("");
}

// The lines of corrected mentions, each with its correction and all lines of its mention.
function findPipeEdits(rows, edits) {
  const mentions = new Map();
  if (!edits.length) return [];
  for (const cells of rows.filter((row) => row.length > 2)) {
    const key = JSON.stringify([knowPipe([cells]), otherSlots().filter(({ name }) => name !== "body_location").map((slot) => foldValue(slot, pipeSlots([cells])[slot.name] ?? slot.usual ?? ""))]);
    mentions.set(key, [...(mentions.get(key) ?? []), cells]);
  }
  return [...assignEdits(edits, [...mentions.values()], knowPipe, pipeSlots)].flatMap(([twins, edit]) => twins.map((cells) => [cells, [edit, twins]]));
}

const knowPipe = ([cells]) => ({ spans: spellSpans(numbersIn(cells[1])), label: spellClass(cells[2]) });

// The slots of a mention with one line for each body location; lines without columns have no slots.
function pipeSlots(twins) {
  if (twins[0].length < head.pipe.columns) return {};
  const own = Object.entries(head.pipe.slots).map(([name, at]) => [name, (name === "body_location" ? twins : twins.slice(0, 1)).map((cells) => cells[at]).join(",")]);
  return Object.fromEntries(own);
}

function changePipe(cells, edit, twins) {
  if (!edit.new) return [];
  const changed = [cells[0], edit.new.spans, edit.new.label || "CUI-less", ...cells.slice(3)];
  if (!Object.keys(edit.slots).length || cells.length < head.pipe.columns) {
    refuseColumns(edit);
    return [changed.join("|") + "\n"];
  }
  return twins[0] === cells ? atLocations(withSlots(changed, edit.slots), edit.slots, twins) : [];
}

// Reject slots on a short line, which has no columns for them.
function refuseColumns(edit) {
  const others = slotsIn(edit).filter(([slot, value]) => !isUsual(slot, value)).map(([{ name }]) => name);
  if (others.length) refuse(edit, `its line has no columns for ${others.join(", ")}; convert the gold standard to JSON Lines`);
}

function withSlots(cells, slots) {
  const changed = [...cells];
  for (const [name, at] of Object.entries(head.pipe.slots)) {
    if (name !== "body_location" && name in slots && cells[at].toLowerCase() !== slots[name]) changed.splice(at, 2, slots[name], "NULL");
  }
  return changed;
}

function atLocations(cells, slots, twins) {
  const at = head.pipe.slots.body_location;
  const cues = new Map(twins.filter((row) => row.length > at + 1).map((row) => [row[at].toLowerCase(), row.slice(at, at + 2)]));
  return (slots.body_location ?? cells[at]).split(",").map((location) => {
    const own = cues.get(location.toLowerCase()) ?? [location.toLowerCase() === "null" ? "NULL" : location, "NULL"];
    return [...cells.slice(0, at), ...own, ...cells.slice(at + 2)].join("|") + "\n";
  });
}

function addToPipe(name, edits, wide) {
  return edits.filter(({ old, new: made }) => !old && made).flatMap((edit) => {
    edit.done = true;
    const cells = [name, edit.new.spans, edit.new.label || "CUI-less"];
    if (!wide) {
      refuseColumns(edit);
      return [[...cells, ""].join("|") + "\n"];
    }
    const plain = [...cells, ...Array(head.pipe.columns - 3).fill("NULL"), ""];
    return atLocations(withSlots(plain, edit.slots), { body_location: "NULL", ...edit.slots }, []);
  });
}

// --- JSON Lines

// Write JSON as Python does, with blanks after commas and colons.
function pythonJson(value) {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (value && typeof value === "object") return `{${Object.entries(value).map(([name, held]) => `${JSON.stringify(name)}: ${pythonJson(held)}`).join(", ")}}`;
  return JSON.stringify(value);
}

function correctLines(text, stem, editsFor) {
  const lines = fileLines(text);
  const read = lines.map((line) => (line.trim() ? JSON.parse(line) : { id: "" }));
  const flags = flagsIn(read);
  return lines.map((line, at) => {
    const held = read[at];
    const own = editsFor(held.id);
    if (!own.length) return line;
    const found = assignEdits(own, held.mentions, knowLine, lineSlots);
    held.mentions = held.mentions.filter((mention) => !found.has(mention) || keepMention(held, mention, found.get(mention), flags));
    for (const edit of own.filter(({ old, new: made }) => !old && made)) {
      edit.done = true;
      held.mentions.push(writeMention({}, edit, flags));
    }
    return pythonJson(held) + "\n";
  }).join("");
}

const knowLine = (mention) => ({ spans: spellSpans(mention.spans), label: spellClass(mention[classSlot()?.name]) });

function lineSlots(mention) {
  const slots = Object.keys(mention).map(slotNamed).filter(Boolean);
  return Object.fromEntries(slots.map((slot) => [slot.name, writtenIn(mention, slot)]));
}

// The slots that the file writes as true and false.
function flagsIn(lines) {
  const mentions = lines.flatMap(({ mentions: found }) => found ?? []);
  return new Set(mentions.flatMap((mention) => Object.keys(mention).filter((name) => typeof mention[name] === "boolean")));
}

// Correct a mention; return false if it is removed.
function keepMention(held, mention, edit, flags) {
  if (edit.new) return Boolean(writeMention(mention, edit, flags));
  if ((held.relations ?? []).some(({ from, to }) => [from, to].includes(mention.id))) refuse(edit, "relations refer to it");
  return false;
}

function writeMention(mention, edit, flags) {
  mention.spans = numbersIn(edit.new.spans);
  const slot = classSlot();
  const same = slot && slot.name in mention && spellClass(mention[slot.name]) === edit.new.label;
  if (slot && !same) mention[slot.name] = slot.kind === "code" && isNoCode(edit.new.label) ? null : edit.new.label;
  for (const [each, value] of slotsIn(edit)) {
    if (foldValue(each, writtenIn(mention, each)) !== foldValue(each, value)) mention[each.name] = asJson(each, value, flags.has(each.name));
  }
  return mention;
}

// The value of a mention in a file, or the default.
function writtenIn(mention, slot) {
  const value = mention[slot.name] ?? null;
  if (value === null) return slot.usual ?? "";
  return wordOf(slot, value === 0 || value === 1 ? String(value === 1) : String(value));
}

// Write a value as JSON: as true or false if the file does so for the slot.
function asJson(slot, value, flag) {
  if (slot.kind === "codes") return value.split(",");
  const truth = flag && ["closed", "free"].includes(slot.kind) ? ["true", "false"].find((word) => wordOf(slot, word) === foldValue(slot, value)) : undefined;
  return truth ? truth === "true" : value;
}

// --- choose files, and save the corrected files

const EDITORS = [[/\.pipe/, (...of) => correctPipe(...of)], [/\.jsonl$/, (...of) => correctLines(...of)], [/\.ann$/, (...of) => correctBrat(...of)]];
const editorOf = ({ name }) => EDITORS.find(([pattern]) => pattern.test(name))?.[1];

// The notes of corrected documents; brat's files repeat their words.
async function readNotes(edits) {
  const found = new Map();
  for (const name of edits.keys()) {
    const d = corpus.documents.findIndex((known) => foldName(known) === name);
    found.set(name, d < 0 ? null : await textOf(d));
  }
  return found;
}

async function readExactly(file) {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
}

async function correctFiles(files) {
  const edits = findEdits();
  const changed = [];
  try {
    [...edits.values()].flat().forEach(checkEdit);
    const notes = await readNotes(edits);
    const known = files.filter(editorOf); // the notes may be among them
    if (!known.length) throw new RangeError("expected files that end in .ann, .pipe or .jsonl; none of the chosen files does.");
    for (const file of known) {
      const text = await readExactly(file);
      const corrected = editorOf(file)(text, file.name.replace(/\.(pipe.*|ann)$/, ""), (name) => edits.get(foldName(name)) ?? [], (name) => notes.get(foldName(name)) ?? null);
      if (corrected !== text) changed.push([file.name, corrected]);
    }
    const lost = [...edits.values()].flat().find(({ done }) => !done);
    if (lost) refuse(lost, NO_SUCH + " in the chosen files; choose all of them");
  } catch (error) {
    return warn(["Nothing was corrected. " + (error instanceof RangeError ? error.message : "A file does not follow its format.")]);
  }
  for (const [name, text] of changed) save(name, "text/plain", text);
  return announce(`${inThousands(changed.length)} corrected ${changed.length === 1 ? "file" : "files"}; the others stay as they are`);
}

function chooseGold() {
  if (!decided()) return warn(["There are no decisions yet: choose an item, and press w, r, d or l."]);
  const input = element("input", { type: "file", multiple: true, id: "gold-files", "aria-label": "Gold standard's files", hidden: true, onchange: () => {
    correctFiles([...input.files]);
    input.remove();
  } });
  $("gold-files")?.remove();
  document.body.append(input);
  return input.click();
}
