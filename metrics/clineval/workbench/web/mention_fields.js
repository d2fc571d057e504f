"use strict";
// The flags and fields of mentions in expressions.

function makeVocabulary() {
  const flags = new Map();
  VERDICTS.forEach((name, verdict) => flags.set(name, (items) => (i) => items.verdicts[i] === verdict));
  for (const [name, bit] of [...Object.entries(KINDS), ["discontiguous", DISCONTIGUOUS]]) {
    const make = (items) => (i) => (items.kinds(i) & bit) !== 0 && (bit === DISCONTIGUOUS || !isTold(items, i));
    for (const each of [name, KIND_NAMES[name] ?? name]) flags.set(each.toLowerCase(), make);
  }
  const slots = byName(head.slots.map(slotField));
  const fields = new Map([...slots, ...byName(Object.keys(head.groups).map(groupField)), ...byName([...placeFields(), ...wordFields()])]);
  if (CLASS_SLOT >= 0) for (const name of ["class", head.classes.word]) if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), slotField(head.slots[CLASS_SLOT]));
  return { flags, fields, slots };
}

// The side and the row that stand for an item: the gold mention, or else the prediction; or those of one side.
function sideOf(items, side) {
  return (i) => {
    const [g, p] = items.pair(i);
    if (side === "gold" || (side === "" && g >= 0)) return g >= 0 ? [corpus.gold, g] : null;
    return p >= 0 ? [items.system, p] : null;
  };
}

const sidedField = (name, read, more = {}) => ({
  name, sided: true, ...more,
  of: (items, side) => {
    const at = sideOf(items, side);
    return (i) => {
      const found = at(i);
      return found === null ? null : read(...found);
    };
  },
});

const slotField = (slot) => sidedField(slot.name, (side, row) => side.value(row, slot), {
  closed: slot.kind === "closed" || slot.name === head.classes.slot, values: () => slot.values,
});

const groupField = (by) => ({ name: by, closed: true, values: () => head.groups[by], of: (items) => (i) => head.groups[by][groupOf(items, groupingOf(by), i)] });

const kindNames = () => [...Object.keys(KINDS).map((name) => KIND_NAMES[name]), "discontiguous"];

function placeFields() {
  const names = (of) => head.slots.map(({ name }) => name).filter(of);
  return [
    { name: "document", values: () => corpus.documents, of: (items) => (i) => corpus.documents[items.documents[i]] },
    { name: "verdict", closed: true, values: () => VERDICTS, of: (items) => (i) => VERDICTS[items.verdicts[i]] },
    {
      name: "kind", closed: true, values: kindNames,
      of: (items) => {
        const tests = kindNames().map((name) => [name, words0().flags.get(name.toLowerCase())(items)]);
        return (i) => tests.filter(([, test]) => test(i)).map(([name]) => name);
      },
    },
    {
      name: "wrong", closed: true, values: () => names(() => true),
      of: (items) => (i) => {
        const [g, p] = items.pair(i);
        return g < 0 || p < 0 ? null : names((_, k) => !((items.system.equal[p] >> k) & 1));
      },
    },
    sidedField("len", (side, row) => side.fragments(row).reduce((sum, [start, end]) => sum + end - start, 0)),
    sidedField("fragments", (side, row) => side.columns.fragments[row]),
    sidedField("start", (side, row) => side.start(row)),
    sidedField("end", (side, row) => side.fragments(row).at(-1)[1]),
  ];
}

function wordFields() {
  const why = head.text ? undefined : NO_WORDS;
  const testWords = (of) => (items, side, pattern, negated) => {
    const found = lookFor(pattern);
    const valueOf = of(items, side, found);
    return (i) => found.ready && valueOf(i) === (negated ? 2 : 1);
  };
  return [
    {
      name: "text", sided: true, why,
      words: testWords((items, side, found) => {
        const at = sideOf(items, side);
        return (i) => {
          const place = at(i);
          return place === null ? 0 : (place[0] === corpus.gold ? found.gold : found.systems.get(place[0]))[place[1]];
        };
      }),
    },
    { name: "note", why, words: testWords((items, _, found) => (i) => found.notes[items.documents[i]]) },
  ];
}

// For each note and each mention: 1 if it matches, 2 if it does not, 0 without a text.
function makeWordMatcher(pattern) {
  const found = { notes: new Uint8Array(corpus.documents.length), gold: new Uint8Array(corpus.gold.size), systems: new Map(corpus.systems.map((system) => [system, new Uint8Array(system.size)])) };
  const judge = (text) => (matches(pattern, text) ? 1 : 2);
  const look = (d, text) => {
    if (text === null) return;
    found.notes[d] = judge(text);
    const units = unitsOf(text);
    for (const [side, marks] of [[corpus.gold, found.gold], ...found.systems]) {
      for (let row = side.first[d]; row < side.first[d + 1]; row++) marks[row] = judge(side.fragments(row).map(([start, end]) => text.slice(units[start], units[end])).join(" … "));
    }
  };
  return { found, look };
}
