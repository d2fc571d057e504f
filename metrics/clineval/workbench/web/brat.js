"use strict";
// Corrections in brat's .ann files: the lines of a mention, and of what is said of it, the same bytes as
// clineval/formats/editing/brat_lines.py writes.

// As Python's str.split() has it.
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;
const wordsOf = (text) => text.split(BLANKS).filter(Boolean).join(" ");
const cutAt = (text, mark) => (text.includes(mark) ? [text.slice(0, text.indexOf(mark)), text.slice(text.indexOf(mark) + 1)] : [text, ""]);
const bratOffsets = (spans) => numbersIn(spans).map(([start, end]) => `${start} ${end}`).join(";");

// What a line says of a mention: a name, of what, a value, a note.
function statementIn(line) {
  const [head, note] = cutAt(cutAt(line, "\t")[1], "\t");
  const [name, rest] = cutAt(head, " ");
  const [target, value] = cutAt(rest, " ");
  return { name, target, value, note };
}

// The word of a slot for true or false.
function wordOf(slot, value) {
  const truth = { true: true, false: false }[value.toLowerCase()];
  if (!["closed", "free"].includes(slot.kind) || slot.declared.includes(value.toLowerCase()) || truth === undefined) return value;
  const words = truth ? ["yes", "true"] : ["no", "false"];
  if (slot.kind === "free") return words[0];
  const byPlace = slot.usual !== null && slot.declared.length === 2 ? [slot.declared[Number(truth)]] : [];
  return [...words, ...byPlace].find((word) => slot.declared.includes(word)) ?? value;
}

function refuseIn(edit, cell, separator) {
  if (cell.includes(separator) || /[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]/.test(cell)) refuse(edit, `brat has no way to write a value with ${separator === " " ? "a blank" : "a tab"} or a line end in it`);
}

class BratFile {
  constructor(lines, note) {
    Object.assign(this, { lines, note, coded: classSlot()?.kind === "code" });
  }

  get mentions() {
    return new Map(this.lines.filter((line) => line[0] === "T" && line.includes("\t")).map((line) => [cutAt(line, "\t")[0].trim(), line]));
  }

  // The lines that say something of a mention.
  statements(id, kinds = "AMN#") {
    return this.lines.filter((line) => line && kinds.includes(line[0]) && statementIn(line).target === id);
  }

  // The first code said of each mention, normalized before noted.
  codes() {
    const found = new Map();
    if (!this.coded) return found;
    for (const kind of "N#") {
      for (const line of this.lines.filter((each) => each[0] === kind)) {
        const { target, value, note } = statementIn(line);
        const code = (kind === "N" ? cutAt(value, ":")[1] : note).trim();
        if (code && !found.has(target)) found.set(target, code);
      }
    }
    return found;
  }

  know(id, line, codes) {
    const [kind, offsets] = cutAt(line.split("\t")[1].trim(), " ");
    const spans = spellSpans(offsets.split(";").map((span) => span.trim().split(/\s+/).map(Number)));
    return { spans, label: spellClass(this.coded ? codes.get(id) ?? "" : kind) };
  }

  findIds(edit) {
    return [...this.known].filter(([, { spans, label }]) => spans === edit.old.spans && label === edit.old.label).map(([id]) => id);
  }

  correct(edits) {
    const codes = this.codes();
    this.known = new Map([...this.mentions].map(([id, line]) => [id, this.know(id, line, codes)]));
    for (const edit of edits.filter(({ old }) => old)) {
      for (const id of this.findIds(edit)) {
        this.change(id, edit);
        edit.done = true;
      }
    }
    for (const edit of edits.filter(({ old, new: made }) => !old && made)) {
      this.add(edit);
      edit.done = true;
    }
  }

  change(id, edit) {
    if (!edit.new) return this.takeOut(id, edit);
    const old = this.know(id, this.mentions.get(id), this.codes());
    if (old.label !== edit.new.label) {
      refuseIn(edit, edit.new.label, " ");
      if (this.coded) this.setCode(id, edit.new.label);
      else this.setHead(id, { kind: edit.new.label });
    }
    if (old.spans !== edit.new.spans) this.setHead(id, { offsets: bratOffsets(edit.new.spans), words: this.quote(edit) });
    return this.setSlots(id, edit);
  }

  // Parts of a mention's line are written anew; the others stay.
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
    this.setSlots(id, edit);
  }

  takeOut(id, edit) {
    const ends = (line) => [...cutAt(line, "\t")[1].matchAll(/[ :](T\d+)/g)].map(([, end]) => end);
    if (this.lines.some((line) => line && "RE*".includes(line[0]) && ends(line).includes(id))) refuse(edit, "relations or events end at it");
    const own = new Set([...this.statements(id), this.mentions.get(id)]);
    this.lines = this.lines.filter((line) => !own.has(line));
  }

  // A code is written as the file writes codes: in notes, or normalized.
  setCode(id, code) {
    const taken = this.statements(id, "N#");
    const some = (kind) => this.lines.some((line) => line[0] === kind);
    const noted = (this.statements(id, "#").length && !this.statements(id, "N").length) || (!taken.length && !some("N"));
    const inNotes = noted && (some("#") || taken.length);
    this.lines = this.lines.filter((line) => !taken.includes(line));
    if (inNotes) this.lines.push(`#${this.free("#")}\tAnnotatorNotes ${id}\t${code}`);
    else this.lines.push(`N${this.free("N")}\tReference ${id} ${head.brat.database}:${code}\t${code}`);
  }

  // The attributes that are not a slot's default, where they differ from those that are there.
  setSlots(id, edit) {
    for (const slot of otherSlots().filter(({ name }) => name in edit.slots)) {
      const value = edit.slots[slot.name];
      const own = this.statements(id, "AM").filter((line) => statementIn(line).name.toLowerCase() === slot.name);
      const held = own.map((line) => foldValue(slot, wordOf(slot, statementIn(line).value || wordOf(slot, "true"))));
      if (held.length === 1 && held[0] === value) continue;
      this.lines = this.lines.filter((line) => !own.includes(line));
      if (slot.usual !== null && foldValue(slot, value) === foldValue(slot, slot.usual)) continue;
      refuseIn(edit, value, "\t");
      this.lines.push(`A${this.free("A")}\t${slot.name[0].toUpperCase()}${slot.name.slice(1).toLowerCase()} ${id} ${value}`);
    }
  }

  free(kind) {
    return 1 + Math.max(0, ...this.lines.map((line) => Number(new RegExp(`^${kind}(\\d+)\t`).exec(line)?.[1] ?? 0)));
  }

  // The words at a mention, which brat repeats.
  quote(edit) {
    if (this.note === null) refuse(edit, "brat repeats the words of a mention, and this page has no notes: hand on the remarks, and run clineval adjudicate");
    const units = unitsOf(this.note);
    const spans = numbersIn(edit.new.spans);
    if (spans.at(-1)[1] >= units.length) refuse(edit, `the text has ${units.length - 1} characters only`);
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
