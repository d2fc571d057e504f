"use strict";
// The flags and fields of items in lists, for expressions. A view may name fields with a value on each side.

const HIDDEN_COLUMNS = new Set(["document", "row", "kind", "unit"]);

function makeVocabulary() {
  const flags = new Map();
  head.kinds.forEach(({ name, label }, kind) => {
    for (const each of [name, label]) flags.set(each.toLowerCase(), (list) => (i) => list.columns.kind[i] === kind);
  });
  const slots = byName((VIEW.fields?.() ?? []).map(sidedField));
  const fields = new Map([...slots, ...byName([...columnFields(), ...usualFields(), ...wordFields()])]);
  if (VIEW.wrong) fields.set("wrong", { name: "wrong", closed: true, values: () => corpus.extra.fields, of: (list) => (i) => VIEW.wrong(list.item(i)) });
  for (const name of ["len", "start", "end"]) if (!fields.has(name)) fields.set(name, { name, why: "items of this page have no place of their own in the note" });
  return { flags, fields, slots };
}

function usualFields() {
  const row = { closed: true, values: () => corpus.rows, of: (list) => (i) => corpus.rows[list.columns.row[i]] };
  return [
    { name: "document", values: () => corpus.documents, of: (list) => (i) => corpus.documents[list.columns.document[i]] },
    { name: "kind", closed: true, values: () => head.kinds.map(({ name }) => name), of: (list) => (i) => kindOf(list.columns.kind[i]).name },
    { name: "row", ...row }, { name: head.row_title.toLowerCase(), ...row },
  ];
}

const allLists = () => corpus.systems.flatMap(({ lists }) => Object.values(lists));

// The columns of a view with plain values, without those that its fields replace.
function columnFields() {
  const isPlain = (value) => value === null || ["string", "number"].includes(typeof value);
  const names = [...new Set(allLists().flatMap(({ columns }) => Object.keys(columns)))];
  const hidden = VIEW.fields ? ["gold", "system"] : [];
  const shown = names.filter((name) => !HIDDEN_COLUMNS.has(name) && !hidden.includes(name) && allLists().every(({ columns }) => (columns[name] ?? []).every(isPlain)));
  return shown.map((name) => ({ name, values: () => distinct(allLists().flatMap(({ columns }) => columns[name] ?? [])), of: ({ columns }) => (i) => columns[name]?.[i] ?? null }));
}

const distinct = (values) => [...new Set(values.filter((value) => value !== null && value !== ""))].sort().map(String);

// A field with a value on each side: the gold value, or else that of the system.
const sidedField = ({ name, values, read }) => ({
  name, values, sided: true,
  of: (list, side) => (i) => {
    const item = list.item(i);
    return side ? read(item, side) : read(item, "gold") ?? read(item, "system");
  },
});

// Items have no words of their own, so both fields are about the note of the item.
function wordFields() {
  const words = (list, _, pattern, negated) => {
    const found = lookFor(pattern);
    return (i) => found.ready && found.notes[list.columns.document[i]] === (negated ? 2 : 1);
  };
  return ["text", "note"].map((name) => ({ name, words, why: head.text ? undefined : NO_WORDS }));
}

// For each note: 1 if it matches, 2 if it does not, 0 without a text.
function makeWordMatcher(pattern) {
  const found = { notes: new Uint8Array(corpus.documents.length) };
  return { found, look: (d, text) => text !== null && (found.notes[d] = matches(pattern, text) ? 1 : 2) };
}
