"use strict";
// Where remarks and what is searched for are among mentions.

// What a remark on an item is on: the gold mention, or a prediction that has no partner.
function mentionOf(items, i) {
  const [g, p] = [items.golds[i], items.predictions[i]];
  const partner = g >= 0 ? g : widest(items.system).system[p];
  return partner >= 0 ? [corpus.gold, partner] : [items.system, p];
}

function placeOfMention(side, row) {
  const of = side === corpus.gold ? "gold" : side.name;
  return { document: corpus.documents[side.document[row]], side: of, spans: offsets(side.fragments(row)), class: CLASS_SLOT < 0 ? "" : side.value(row, head.slots[CLASS_SLOT]) };
}

function remarkOf(items, i) {
  const [side, row] = mentionOf(items, i);
  return current.remarked.rows.get(side)?.get(row);
}

// The mentions that remarks are on: side to row to remark, and which remarks there are here.
function findPlaces(all) {
  const found = { rows: new Map(), known: new Set() };
  if (!all.size) return found;
  const numbers = new Map(corpus.documents.map((name, d) => [visible(name), d]));
  const sides = new Map([["gold", corpus.gold], ...corpus.systems.map((system) => [visible(system.name), system])]);
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

// Whether what is searched for stands in an item, in its codes, or in their names.
function isFound(items, i) {
  const found = foundNow();
  const [g, p] = [items.golds[i], items.predictions[i]];
  return found && ((g >= 0 && found.matched.get(corpus.gold)[g]) || (p >= 0 && found.matched.get(items.system)[p]));
}

// Looks which mentions of each document match: by their words, their codes, or their codes' names.
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

// Whether one of some ascending stretches, none in another, shares a character with a stretch.
function touches(stretches, start, end) {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[middle][1] <= start) low = middle + 1;
    else high = middle;
  }
  return low < stretches.length && stretches[low][0] < end;
}

// The item that a hit in a note lies in, as the filters show them; -1 if there is none.
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
