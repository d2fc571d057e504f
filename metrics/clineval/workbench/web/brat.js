"use strict";
// Correct brat's .ann files: the lines of a mention and of its attributes, byte for byte as
// clineval/formats/editing/brat_lines.py writes them.

// Split as Python's str.split() does.
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;
const wordsOf = (text) => text.split(BLANKS).filter(Boolean).join(" ");
const cutAt = (text, mark) => (text.includes(mark) ? [text.slice(0, text.indexOf(mark)), text.slice(text.indexOf(mark) + 1)] : [text, ""]);
const bratOffsets = (spans) => numbersIn(spans).map(([start, end]) => `${start} ${end}`).join(";");

// A statement about a mention: a name, the mention's id, a value, a note.
function statementIn(line) {
  const [head, note] = cutAt(cutAt(line, "\t")[1], "\t");
  const [name, rest] = cutAt(head, " ");
  const [target, value] = cutAt(rest, " ");
  return { name, target, value, note };
}

// --- codes, as in clineval/formats/brat/codes.py

const isCode = (note) => /^(?:C\d+|CUI-?less)$/i.test(note.trim());

function readCode(value) {
  const [database, code] = cutAt(value, ":").map((part) => part.trim());
  if (!value.includes(":")) return database;
  if (!code) return "";
  return database.toUpperCase() === head.brat.database ? code : `${database}:${code}`;
}

function joinCodes(codes, notes) {
  const known = codes.filter(Boolean);
  return [...new Set(known.length ? known : notes.filter(isCode).map((note) => note.trim()))].join(",");
}

// Write each code with the name of its database, and without it.
function writeCodes(joined) {
  const parts = joined.split(",");
  return (parts.every(Boolean) ? parts : joined ? [joined] : []).map((code) => {
    const [database, own] = cutAt(code, ":");
    const named = own && !["", head.brat.database].includes(database.trim().toUpperCase());
    return named ? [database, own] : [head.brat.database, code];
  });
}

const idOf = (line) => cutAt(line, "\t")[0];
const eventIn = (line) => /^(E\d+)\t([^\s:]+):(T\d+)/.exec(line);
const endsOf = (line) => [...cutAt(line, "\t")[1].matchAll(/[ :]([TE]\d+)/g)].map(([, end]) => end);
const isCodedNote = (line) => line[0] === "#" && isCode(statementIn(line).note);
const valueIn = ({ value }, slot) => foldValue(slot, wordOf(slot, value || wordOf(slot, "true")));

function refuseIn(edit, cell, separator) {
  if (cell.includes(separator) || /[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]/.test(cell)) refuse(edit, `brat cannot contain a value with ${separator === " " ? "a blank" : "a tab"} or a line end in it`);
}

class BratFile {
  constructor(lines, note) {
    Object.assign(this, { lines, note, coded: classSlot()?.kind === "code" });
  }

  get mentions() {
    return new Map(this.lines.filter((line) => line[0] === "T" && line.includes("\t")).map((line) => [cutAt(line, "\t")[0].trim(), line]));
  }

  // The lines about a mention.
  statements(id, kinds = "AMN#") {
    return this.lines.filter((line) => line && kinds.includes(line[0]) && statementIn(line).target === id);
  }

  // Read the codes of each mention.
  codes() {
    const found = new Map();
    for (const line of this.coded ? this.lines.filter(([kind]) => kind === "N" || kind === "#") : []) {
      const { target, value, note } = statementIn(line);
      if (!found.has(target)) found.set(target, [[], []]);
      found.get(target)[Number(line[0] === "#")].push(line[0] === "N" ? readCode(value) : note);
    }
    return new Map([...found].map(([target, both]) => [target, joinCodes(...both)]));
  }

  // The line of the first event of each mention, if classes are events.
  events() {
    const found = head.brat.events.length ? this.lines.map(eventIn).filter(Boolean).reverse() : [];
    return new Map(found.map((match) => [match[3], match.input]));
  }

  know(id, line, codes, events) {
    const [kind, offsets] = cutAt(line.split("\t")[1].trim(), " ");
    const spans = spellSpans(offsets.split(";").map((span) => span.trim().split(/\s+/).map(Number)));
    if (!head.brat.events.length) return { spans, label: spellClass(this.coded ? codes.get(id) ?? "" : kind) };
    return { spans, label: spellClass(events.has(id) ? eventIn(events.get(id))[2] : head.brat.eventless) };
  }

  // The slots of a mention: its attributes or those of its event, and its last note.
  slotsOf(id) {
    const event = this.events().get(id);
    const said = this.statements(event ? idOf(event) : id, "AM").map(statementIn).map((each) => [slotNamed(each.name.toLowerCase()), each]);
    const held = Object.fromEntries(said.filter(([slot]) => slot).map(([slot, each]) => [slot.name, valueIn(each, slot)]));
    const notes = head.brat.noted ? this.statements(id, "#") : [];
    return notes.length ? { ...held, [head.brat.noted]: statementIn(notes.at(-1)).note.trim() } : held;
  }

  correct(edits) {
    const [codes, events] = [this.codes(), this.events()];
    this.known = new Map([...this.mentions].map(([id, line]) => [id, this.know(id, line, codes, events)]));
    const found = assignEdits(edits, [...this.known.keys()], (id) => this.known.get(id), (id) => this.slotsOf(id));
    for (const edit of edits) for (const [id, own] of found) if (own === edit) this.change(id, edit);
    for (const edit of edits.filter(({ old, new: made }) => !old && made)) {
      this.add(edit);
      edit.done = true;
    }
  }

  change(id, edit) {
    if (!edit.new) return this.takeOut(id, edit);
    const old = this.know(id, this.mentions.get(id), this.codes(), this.events());
    if (old.label !== edit.new.label) this.setLabel(id, old.label, edit);
    if (old.spans !== edit.new.spans) this.setHead(id, { offsets: bratOffsets(edit.new.spans), words: this.quote(edit) });
    this.setSlots(id, edit);
    return this.isEventless(edit) ? this.dropEvent(id, edit) : undefined;
  }

  isEventless(edit) {
    return head.brat.events.length > 0 && !head.brat.events.includes(edit.new.label);
  }

  setLabel(id, old, edit) {
    const kind = edit.new.label;
    refuseIn(edit, kind, " ");
    if (this.coded) this.setCode(id, kind);
    else if (!head.brat.events.length || cutAt(this.mentions.get(id).split("\t")[1].trim(), " ")[0] === old) this.setHead(id, { kind });
    if (head.brat.events.includes(kind)) this.setEvent(id, kind);
  }

  // Rewrite the changed parts of a mention's line; the others stay.
  setHead(id, { kind, offsets, words }) {
    const line = this.mentions.get(id);
    const [head, rest] = cutAt(cutAt(line, "\t")[1], "\t");
    const [ownKind, ownOffsets] = cutAt(head.trim(), " ");
    const hasWords = line.split("\t").length > 2;
    const cells = [`${kind ?? ownKind} ${offsets ?? ownOffsets}`, ...(words ? [words] : hasWords ? [rest] : [])];
    this.lines[this.lines.indexOf(line)] = [id, ...cells].join("\t");
  }

  add(edit) {
    refuseIn(edit, edit.new.label, " ");
    const id = `T${this.free("T")}`;
    const kind = this.coded ? head.brat.type : edit.new.label;
    this.lines.push(`${id}\t${kind} ${bratOffsets(edit.new.spans)}\t${this.quote(edit)}`);
    if (this.coded) this.setCode(id, edit.new.label);
    if (head.brat.events.includes(edit.new.label)) this.setEvent(id, edit.new.label);
    this.setSlots(id, edit);
  }

  takeOut(id, edit) {
    const event = this.events().get(id) ?? "";
    this.refuseEnds([id, idOf(event)], event, edit);
    const said = [...this.statements(id), ...(event ? this.statements(idOf(event)) : [])];
    const own = new Set([...said, this.mentions.get(id), event]);
    this.lines = this.lines.filter((line) => !own.has(line));
  }

  // Reject the removal of lines that other lines refer to.
  refuseEnds(ids, own, edit) {
    const others = this.lines.filter((line) => line && "RE*".includes(line[0]) && line !== own);
    if (others.some((line) => endsOf(line).some((end) => ids.includes(end))) || endsOf(own).length > 1) refuse(edit, "relations or events refer to it");
  }

  // Set the type of a mention's event, or add an event in the style of the file.
  setEvent(id, label) {
    const event = this.events().get(id);
    if (event) this.lines[this.lines.indexOf(event)] = `${idOf(event)}\t${label}:${cutAt(event, ":")[1]}`;
    else this.lines.push(`E${this.free("E")}\t${label}:${id}${this.lines.some((line) => eventIn(line) && line.endsWith(" ")) ? " " : ""}`);
  }

  // Remove the event of a mention whose new class has none.
  dropEvent(id, edit) {
    const event = this.events().get(id);
    if (!event) return;
    if (this.statements(idOf(event)).length) refuse(edit, `brat's attributes belong to events, and ${edit.new.label} is not an event`);
    this.refuseEnds([idOf(event)], event, edit);
    this.lines.splice(this.lines.indexOf(event), 1);
  }

  // Write codes as the file does: in notes or normalizations.
  setCode(id, joined) {
    const normalized = this.statements(id, "N");
    const noted = this.statements(id, "#").filter(isCodedNote);
    const some = new Set(this.lines.filter((line) => line[0] === "N" || isCodedNote(line)).map(([kind]) => kind));
    const inNotes = !normalized.length && (noted.length || (some.has("#") && !some.has("N"))) && isCode(joined);
    const names = new Map(this.lines.filter(([kind]) => kind === "N").map((line) => cutAt(statementIn(line).value, ":")[0]).map((name) => [name.toUpperCase(), name]));
    this.lines = this.lines.filter((line) => !normalized.includes(line) && !noted.includes(line));
    if (inNotes) return this.lines.push(`#${this.free("#")}\tAnnotatorNotes ${id}\t${joined}`);
    for (const [database, own] of writeCodes(joined)) this.lines.push(`N${this.free("N")}\tReference ${id} ${names.get(database.toUpperCase()) ?? database}:${own}\t${own}`);
    return this.lines.length;
  }

  // The attributes that are not a slot's default and differ from the file's.
  setSlots(id, edit) {
    for (const [slot, value] of slotsIn(edit)) {
      if (slot.name === head.brat.noted) {
        this.setNote(id, edit, value);
        continue;
      }
      const event = this.events().get(id);
      const target = event ? idOf(event) : id;
      const own = this.statements(target, "AM").filter((line) => statementIn(line).name.toLowerCase() === slot.name);
      const held = own.map((line) => valueIn(statementIn(line), slot));
      if (held.length < 2 && foldValue(slot, held[0] ?? slot.usual ?? "") === foldValue(slot, value)) continue;
      if (!isUsual(slot, value)) this.checkAttribute(slot, value, edit);
      this.put("A", own, isUsual(slot, value) ? "" : this.spellAttribute(slot, value, target));
    }
  }

  // Replace the mention's own statements, or add a last line.
  put(kind, own, statement) {
    if (own.length && statement) {
      this.lines[this.lines.indexOf(own[0])] = `${idOf(own[0])}\t${statement}`;
      own = own.slice(1);
    } else if (statement) this.lines.push(`${kind}${this.free(kind)}\t${statement}`);
    this.lines = this.lines.filter((line) => !own.includes(line));
  }

  checkAttribute(slot, value, edit) {
    if (this.isEventless(edit)) refuse(edit, `brat's attributes belong to events, and ${edit.new.label} is not an event`);
    if (slot.name !== slot.name.toLowerCase() || slot.name.includes(" ") || value !== value.trim() || !value) refuse(edit, "brat's files cannot contain the name or value of a slot");
    refuseIn(edit, value, head.brat.events.length ? " " : "\t");
  }

  // Write an attribute as the file does: its name, and whether true ones have a value.
  spellAttribute(slot, value, target) {
    const said = this.lines.filter((line) => line && "AM".includes(line[0])).map(statementIn);
    const alike = said.filter(({ name }) => name.toLowerCase() === slot.name);
    const [first, ...rest] = slot.name;
    const name = alike.length ? alike[0].name : first.toUpperCase() + rest.join("");
    const bare = foldValue(slot, value) === foldValue(slot, wordOf(slot, "true")) && (alike.length ? alike : said).some((each) => !each.value);
    return bare ? `${name} ${target}` : `${name} ${target} ${value}`;
  }

  // The slot that is stored in a note; the last note of a mention counts.
  setNote(id, edit, value) {
    const own = this.statements(id, "#");
    if ((own.length ? statementIn(own.at(-1)).note.trim() : "") === value) return;
    refuseIn(edit, value, "\t");
    const begin = own.length ? own.at(-1).split("\t")[1] : `AnnotatorNotes ${id}`;
    this.put("#", value ? own.slice(-1) : own, value ? `${begin}\t${value}` : "");
  }

  free(kind) {
    return 1 + Math.max(0, ...this.lines.map((line) => Number(new RegExp(`^${kind}(\\d+)\t`).exec(line)?.[1] ?? 0)));
  }

  // The words of a mention, which its line in brat contains.
  quote(edit) {
    if (this.note === null) refuse(edit, "brat's files contain the words of a mention, but this page has no notes: pass on the remarks, and run clineval adjudicate");
    const units = unitsOf(this.note);
    const spans = numbersIn(edit.new.spans);
    if (spans.at(-1)[1] >= units.length) refuse(edit, `the text has only ${units.length - 1} characters`);
    return spans.map(([start, end]) => wordsOf(this.note.slice(units[start], units[end]))).join(" ");
  }
}

function correctBrat(text, stem, editsFor, noteFor) {
  const own = editsFor(stem);
  if (!own.length) return text;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const whole = text.endsWith(end) ? text.slice(0, -end.length) : text;
  const file = new BratFile(text ? whole.split(end) : [], noteFor(stem));
  file.correct(own);
  return file.lines.map((line) => line + end).join("");
}
