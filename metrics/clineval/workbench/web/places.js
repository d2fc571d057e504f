"use strict";
// Find remarks and search results among mentions.

// The annotation that a remark on an item is about: the gold mention, or a prediction without a partner.
function mentionOf(items, i) {
  const [g, p] = [items.golds[i], items.predictions[i]];
  const partner = g >= 0 ? g : widest(items.system).system[p];
  return partner >= 0 ? [corpus.gold, partner] : [items.system, p];
}

function placeOfMention(side, row) {
  return { ...spotOf(side, row), ...(twinsIn(side, side.document[row]).has(row) ? { slots: scoredOf(side, row) } : {}) };
}

// What identifies a mention, unless another mention of its document differs from it only in slots.
function spotOf(side, row) {
  const of = side === corpus.gold ? "gold" : side.name;
  return { document: corpus.documents[side.document[row]], side: of, spans: offsets(side.fragments(row)), class: CLASS_SLOT < 0 ? "" : side.value(row, head.slots[CLASS_SLOT]) };
}

// The slots that are scored, other than the class; mentions that differ only in other slots are the same.
const scoredOthers = () => otherSlots().filter(({ name }) => scoredSlots().includes(name));
const scoredOf = (side, row) => Object.fromEntries(scoredOthers().map((slot) => [slot.name, side.value(row, slot)]));

// The mentions of a document that share span and class with another mention but differ in slots.
function twinsIn(side, d) {
  side.twins ??= new Map();
  if (!side.twins.has(d)) side.twins.set(d, findTwins(side, d));
  return side.twins.get(d);
}

function findTwins(side, d) {
  const alike = new Map();
  for (let row = side.first[d]; row < side.first[d + 1]; row++) {
    if (side.sourceSize(row)) continue; // a relation has no slots
    const key = keyOf(spotOf(side, row));
    alike.set(key, [...(alike.get(key) ?? []), row]);
  }
  const differ = (rows) => new Set(rows.map((row) => JSON.stringify(scoredOf(side, row)))).size > 1;
  return new Set([...alike.values()].filter((rows) => rows.length > 1 && differ(rows)).flat());
}

// The places of the mentions that a remark can be about: several, if it does not include their slots.
function placesLike(remark) {
  const { sides, numbers } = whereabouts();
  const [side, d] = [sides.get(visible(remark.side)), numbers.get(visible(remark.document))];
  const key = keyOf({ ...remark, slots: {} });
  const known = scoredOthers().filter(({ name }) => Object.hasOwn(remark.slots ?? {}, name));
  const found = new Map();
  for (let row = side?.first[d] ?? 0; row < (side?.first[d + 1] ?? 0); row++) {
    if (keyOf(spotOf(side, row)) !== key || known.some((slot) => side.value(row, slot) !== remark.slots[slot.name])) continue;
    const place = placeOfMention(side, row);
    found.set(keyOf(place), place);
  }
  return [...found.values()];
}

// Sides and documents by the names that remarks use.
function whereabouts() {
  corpus.whereabouts ??= {
    numbers: new Map(corpus.documents.map((name, d) => [visible(name), d])),
    sides: new Map([["gold", corpus.gold], ...corpus.systems.map((system) => [visible(system.name), system])]),
  };
  return corpus.whereabouts;
}

function remarkOf(items, i) {
  const [side, row] = mentionOf(items, i);
  return current.remarked.rows.get(side)?.get(row);
}

// Find the mentions with remarks: side to row to remark. Also list the remarks whose mention is in this
// report.
function findPlaces(all) {
  const found = { rows: new Map(), known: new Set() };
  if (!all.size) return found;
  const { sides, numbers } = whereabouts();
  for (const [key, remark] of all) {
    const [side, d] = [sides.get(visible(remark.side)), numbers.get(visible(remark.document))];
    for (let row = side?.first[d] ?? 0; row < (side?.first[d + 1] ?? 0); row++) {
      if (keyOf(placeOfMention(side, row)) !== key) continue;
      if (!found.rows.has(side)) found.rows.set(side, new Map());
      found.rows.get(side).set(row, remark);
      found.known.add(key);
    }
  }
  return found;
}

// Whether an item matches the search: in its text, its codes, or their names.
function isFound(items, i) {
  const found = foundNow();
  const [g, p] = [items.golds[i], items.predictions[i]];
  return found && ((g >= 0 && found.matched.get(corpus.gold)[g]) || (p >= 0 && found.matched.get(items.system)[p]));
}

// Find the mentions of each document that match, by their words, their codes, or the names of their codes.
function makeMatcher(pattern) {
  const sides = [corpus.gold, ...corpus.systems];
  const found = { matched: new Map(sides.map((side) => [side, new Uint8Array(side.size)])) };
  const coded = head.slots.filter(({ kind }, k) => k === CLASS_SLOT || kind !== "closed");
  const known = coded.map(({ values }) => values.map((value) => matches(pattern, value) || matches(pattern, nameOf(value))));
  const look = (d, hits, text) => {
    for (const side of sides) {
      const of = found.matched.get(side);
      for (let row = side.first[d]; row < side.first[d + 1]; row++) {
        const fragments = side.fragments(row);
        const touched = fragments.some(([start, end]) => touches(hits, start, end));
        const joined = () => text !== null && fragments.length > 1 && matches(pattern, excerpt(text, fragments).replaceAll(" … ", " "));
        of[row] = touched || coded.some(({ name }, k) => known[k][side.slots[name][row]]) || joined();
      }
    }
  };
  return { found, look };
}

// Whether a range shares a character with one of the given ranges, which are sorted and do not nest.
function touches(stretches, start, end) {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[middle][1] <= start) low = middle + 1;
    else high = middle;
  }
  return low < stretches.length && stretches[low][0] < end;
}

// The item, among those that the filters show, that overlaps a hit in a note; -1 if there is none.
function itemAt({ d, start, end }) {
  const { items, rows, byDocument } = current;
  const from = byDocument.first[d];
  for (let k = from; k < from + byDocument.shown[d]; k++) {
    const [g, p] = [items.golds[rows[k]], items.predictions[rows[k]]];
    const fragments = [...(g >= 0 ? corpus.gold.fragments(g) : []), ...(p >= 0 ? items.system.fragments(p) : [])];
    if (fragments.some(([a, b]) => a < end && b > start)) return rows[k];
  }
  return -1;
}

const hitPasses = (hit) => itemAt(hit) >= 0;
const keyAt = (hit) => (itemAt(hit) >= 0 ? current.items.key(itemAt(hit)) : null);
