"use strict";
// Find remarks and search results among items.

// The annotation that a remark on an item is about: the gold annotation, or a prediction without one.
function placeOfItem(item) {
  const gold = item.unit >= 0;
  return { document: corpus.documents[item.document], side: gold ? "gold" : system0().name, ...VIEW.place(item, gold) };
}

// Items never differ in slots alone.
const placesLike = () => [];

// Find the items with remarks: list to item to remark. Also list the remarks whose item is in this report.
function findPlaces(all) {
  const found = { rows: new Map(), known: new Set() };
  const numbers = new Map(corpus.documents.map((name, d) => [visible(name), d]));
  for (const [key, remark] of all) {
    const d = numbers.get(visible(remark.document));
    for (const { name, lists } of d === undefined ? [] : corpus.systems) {
      for (const list of Object.values(lists)) {
        for (const item of list.of(d)) {
          const gold = item.unit >= 0;
          const place = { document: corpus.documents[d], side: gold ? "gold" : name, ...VIEW.place(item, gold) };
          if (keyOf(place) !== key) continue;
          if (!found.rows.has(list)) found.rows.set(list, new Map());
          found.rows.get(list).set(item.i, remark);
          found.known.add(key);
        }
      }
    }
  }
  return found;
}

// --- search

// Find the items of each document that match: those with a term that the pattern matches.
function makeMatcher(pattern) {
  const found = { matched: new Map() };
  const lists = corpus.systems.flatMap((system) => Object.values(system.lists));
  for (const list of lists) found.matched.set(list, new Uint8Array(list.size));
  const look = (d, _, text) => {
    for (const list of lists) {
      for (let i = list.first[d]; i < list.first[d + 1]; i++) {
        found.matched.get(list)[i] = VIEW.terms(list.item(i), text).some((term) => matches(pattern, term));
      }
    }
  };
  return { found, look };
}

// Items have no place in the note's text, so a hit passes if its document has an item that the filters
// show.
function hitPasses({ d }) {
  const filter = makeFilter({ ...view, ...NO_SEARCH });
  const list = current.list;
  for (let i = list.first[d]; i < list.first[d + 1]; i++) if (filter(list, i)) return true;
  return false;
}

const keyAt = () => null;
