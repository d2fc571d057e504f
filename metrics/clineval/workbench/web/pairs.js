"use strict";
// Pairs and what follows from them. Nothing is matched here: the core did that; this filters
// and counts. An item is a pair, a prediction alone, or a gold mention alone.

const TP = 0;
const FP = 1;
const FN = 2;
const WRONG = 3; // criterion Class: a pair whose classes differ
const NOTHING = 4; // a prediction that the released script counts as nothing
const VERDICTS = ["tp", "fp", "fn", "wrong", "nothing"];
const VERDICT_NAMES = {
  tp: "true positive", fp: "false positive", fn: "false negative",
  wrong: `wrong ${head.classes.word}`, nothing: "does not count",
};

const BOUNDARY = 1;
const CODE = 2;
const SLOT = 4;
const DISCONTIGUOUS = 8;
const ALONE = 16;
const KINDS = { boundary: BOUNDARY, code: CODE, slot: SLOT, alone: ALONE };
const KIND_NAMES = { boundary: "boundary", code: head.classes.word, slot: "slot", alone: "no partner" };

// The slot that says what a mention is, its values, and the one that stands for no class.
const CLASS_SLOT = head.slots.findIndex((slot) => slot.name === head.classes.slot);
const CLASSES = CLASS_SLOT < 0 ? [""] : head.slots[CLASS_SLOT].values;
const NO_CLASS = head.classes.none ? CLASSES.indexOf(head.classes.none) : -1;

function pairingOf(system, match, criterion) {
  return system.pairings[match + "/" + criterion] || system.pairings[match + "/span"];
}

// The most lenient pairing of mentions, where each may have a partner.
const widest = (system) => pairingOf(system, "overlap", "class");

// Whether a mention counts as nothing because another one stands for its span.
const isRepeat = (system, side, row) => system.pairings["overlap/span"][side][row] === DISPLACED && widest(system)[side][row] !== DISPLACED;

function sameCode(system, row) {
  return CLASS_SLOT < 0 || (system.equal[row] >> CLASS_SLOT) & 1;
}

function predictionVerdict(system, match, criterion, row) {
  const partner = pairingOf(system, match, criterion).system[row];
  if (partner === DISPLACED) return NOTHING;
  if (criterion === "class") return partner < 0 ? NOTHING : sameCode(system, row) ? TP : WRONG;
  return partner < 0 ? FP : TP;
}

function goldVerdict(system, match, criterion, row) {
  const partner = pairingOf(system, match, criterion).gold[row];
  if (partner === DISPLACED) return NOTHING;
  if (criterion === "class") return partner < 0 ? NOTHING : sameCode(system, partner) ? TP : WRONG;
  return partner < 0 ? FN : TP;
}

// What is wrong with a mention, seen from the most lenient pairing.
function findKinds(system) {
  const gold = corpus.gold;
  const { system: link, gold: goldLink } = widest(system);
  const exact = pairingOf(system, "exact", "class").system;
  const all = (1 << head.slots.length) - 1;
  const ofClass = CLASS_SLOT < 0 ? 0 : 1 << CLASS_SLOT;
  const ofPrediction = new Uint8Array(system.size);
  const ofGold = new Uint8Array(gold.size);
  for (let p = 0; p < system.size; p++) {
    const g = link[p];
    if (system.columns.fragments[p] > 1) ofPrediction[p] |= DISCONTIGUOUS;
    if (g === NOBODY) ofPrediction[p] |= ALONE;
    if (g < 0) continue;
    if (exact[p] !== g) ofPrediction[p] |= BOUNDARY;
    if (!sameCode(system, p)) ofPrediction[p] |= CODE;
    if ((system.equal[p] | ofClass) !== all) ofPrediction[p] |= SLOT;
  }
  for (let g = 0; g < gold.size; g++) {
    if (gold.columns.fragments[g] > 1) ofGold[g] |= DISCONTIGUOUS;
    if (goldLink[g] < 0) ofGold[g] |= ALONE;
    else ofGold[g] |= ofPrediction[goldLink[g]] & ~DISCONTIGUOUS & ~ALONE;
  }
  system.kinds = { system: ofPrediction, gold: ofGold };
}

// The items of a system in one match mode and criterion, document by document.
class Items {
  constructor(system, match, criterion) {
    const gold = corpus.gold;
    const most = system.size + gold.size;
    this.system = system;
    this.match = match;
    this.criterion = criterion;
    this.golds = new Int32Array(most);
    this.predictions = new Int32Array(most);
    this.verdicts = new Uint8Array(most);
    this.documents = new Int32Array(most);
    this.size = 0;
    const pairing = pairingOf(system, match, criterion);
    for (let d = 0; d < corpus.documents.length; d++) {
      let g = gold.first[d];
      for (let p = system.first[d]; p <= system.first[d + 1]; p++) {
        const last = p === system.first[d + 1];
        const from = last ? Infinity : system.start(p);
        for (; g < gold.first[d + 1] && gold.start(g) <= from; g++) {
          if (pairing.gold[g] === NOBODY && criterion !== "class") this.add(d, g, NOBODY, FN);
        }
        if (last) continue;
        const verdict = predictionVerdict(system, match, criterion, p);
        if (verdict !== NOTHING) this.add(d, pairing.system[p], p, verdict);
      }
    }
  }

  add(d, g, p, verdict) {
    this.documents[this.size] = d;
    this.golds[this.size] = g;
    this.predictions[this.size] = p;
    this.verdicts[this.size++] = verdict;
  }

  kinds(i) {
    const { system, gold } = this.system.kinds;
    const [g, p] = [this.golds[i], this.predictions[i]];
    return (p >= 0 ? system[p] : 0) | (g >= 0 ? gold[g] : 0);
  }

  // The class of an item is that of its gold mention, or of a prediction alone.
  code(i) {
    if (CLASS_SLOT < 0) return 0;
    const [g, name] = [this.golds[i], head.classes.slot];
    return g >= 0 ? corpus.gold.slots[name][g] : this.system.slots[name][this.predictions[i]];
  }

  phrase(i) {
    const g = this.golds[i];
    return g >= 0 ? corpus.gold.phrase[g] : this.system.phrase[this.predictions[i]];
  }

  key(i) {
    const p = this.predictions[i];
    const d = this.documents[i];
    return p >= 0 ? "p" + (p - this.system.first[d]) : "g" + (this.golds[i] - corpus.gold.first[d]);
  }
}

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

// Whether an item is a prediction alone whose error is told of by its gold mention's item: where match
// modes part a pair, the kinds of its errors count once.
function isTold(items, i) {
  if (items.golds[i] >= 0) return false;
  const g = widest(items.system).system[items.predictions[i]];
  return g >= 0 && pairingOf(items.system, items.match, items.criterion).gold[g] !== DISPLACED;
}

// A filter: which items are shown. Empty sets let everything through.
function makeFilter(view) {
  const { verdicts, kinds, discontiguous, code, slot, phrase } = view;
  const verdictSet = new Set([...verdicts].map((name) => VERDICTS.indexOf(name)));
  const kindMask = [...kinds].reduce((mask, name) => mask | KINDS[name], 0);
  const slotAt = slot ? head.slots.findIndex((known) => known.name === slot.name) : -1;
  const tests = [];
  if (verdictSet.size) tests.push((items, i) => verdictSet.has(items.verdicts[i]));
  if (kindMask) tests.push((items, i) => items.kinds(i) & kindMask && !isTold(items, i));
  if (discontiguous) tests.push((items, i) => items.kinds(i) & DISCONTIGUOUS);
  if (code === "coded") tests.push((items, i) => items.code(i) !== NO_CLASS);
  else if (code !== null) tests.push((items, i) => items.code(i) === code);
  if (phrase !== null) tests.push((items, i) => items.phrase(i) === phrase);
  if (slot) {
    tests.push((items, i) => {
      const [g, p] = [items.golds[i], items.predictions[i]];
      if (g < 0 || p < 0) return false;
      const [a, b] = [corpus.gold.slots[slot.name][g], items.system.slots[slot.name][p]];
      if (slot.gold === null) return !((items.system.equal[p] >> slotAt) & 1);
      return a === slot.gold && b === slot.system;
    });
  }
  if (view.bucket) {
    const grouping = groupingOf(view.bucket.by);
    tests.push((items, i) => groupOf(items, grouping, i) === view.bucket.value);
  }
  if (view.tag !== null) tests.push((items, i) => hasTag(remarkOf(items, i), view.tag));
  if (view.query) tests.push(isFound);
  if (view.compared) {
    tests.push(isCompared(COMPARED.indexOf(view.compared), view.match, view.criterion));
  }
  return (items, i) => tests.every((test) => test(items, i));
}

function select(items, filter) {
  const found = new Int32Array(items.size);
  let size = 0;
  for (let i = 0; i < items.size; i++) if (filter(items, i)) found[size++] = i;
  return found.subarray(0, size);
}

const ratio = (top, bottom) => (bottom ? top / bottom : 0);

function measure(tp, fp, fn, wrong) {
  return {
    tp, fp, fn, wrong, gold: tp + fn, system: tp + fp, pairs: tp + wrong,
    precision: ratio(tp, tp + fp), recall: ratio(tp, tp + fn), f1: ratio(2 * tp, 2 * tp + fp + fn),
    accuracy: ratio(tp, tp + wrong),
  };
}

function measureItems(items, rows) {
  const counts = [0, 0, 0, 0, 0];
  if (rows) for (const i of rows) counts[items.verdicts[i]]++;
  else for (let i = 0; i < items.size; i++) counts[items.verdicts[i]]++;
  return measure(...counts);
}

// A way to group mentions: the groups' names, and the number of the group of each mention. Classes
// and slots are columns of every mention; other groupings are those of the command line's --by.
function groupingOf(by) {
  const slot = by === "class" ? head.slots[CLASS_SLOT] : by.startsWith("slot:") ? head.slots.find(({ name }) => "slot:" + name === by) : null;
  if (slot) return { names: slot.values, of: (side) => side.slots[slot.name] };
  return { names: head.groups[by], of: (side) => side.columns["group/" + by] };
}

// The number of an item's group: that of its gold mention, or else of its prediction.
function groupOf(items, { of }, i) {
  const g = items.golds[i];
  return g >= 0 ? of(corpus.gold)[g] : of(items.system)[items.predictions[i]];
}

// The rows of the Statistics pane for another grouping than classes, in the grouping's order.
function countGroups(items, by) {
  const grouping = groupingOf(by);
  const table = new Int32Array(grouping.names.length * 5);
  for (let i = 0; i < items.size; i++) table[groupOf(items, grouping, i) * 5 + items.verdicts[i]]++;
  const rows = grouping.names.map((label, value) => ({ label: label || "(absent)", code: null, bucket: { by, value }, ...measure(...table.subarray(value * 5, value * 5 + 5)) }));
  const used = rows.filter((row) => row.tp + row.fp + row.fn + row.wrong);
  return [{ label: "All", code: null, bucket: null, ...measureItems(items) }, ...used];
}

// The rows of the Statistics pane: all, with and without a class, and each class.
function countClasses(items) {
  const table = new Int32Array(CLASSES.length * 5);
  for (let i = 0; i < items.size; i++) table[items.code(i) * 5 + items.verdicts[i]]++;
  const rowOf = (c) => table.subarray(c * 5, c * 5 + 5);
  const sum = (some) => some.reduce((total, c) => total.map((n, k) => n + rowOf(c)[k]), [0, 0, 0, 0, 0]);
  const every = CLASSES.map((_, c) => c);
  const rows = [{ label: "All", code: null, ...measure(...sum(every)) }];
  if (!head.coded) return rows;
  if (head.classes.none) rows.push({ label: `With ${head.classes.name}`, code: "coded", ...measure(...sum(every.filter((c) => c !== NO_CLASS))) });
  const each = every.map((c) => ({ label: CLASSES[c], code: c, ...measure(...rowOf(c)) }));
  const used = each.filter((row) => row.tp + row.fp + row.fn + row.wrong);
  const without = used.filter((row) => row.code === NO_CLASS);
  const others = used.filter((row) => row.code !== NO_CLASS);
  const errors = (row) => row.fp + row.fn + row.wrong;
  others.sort((a, b) => errors(b) - errors(a) || b.tp - a.tp || (a.label < b.label ? -1 : 1));
  return [...rows, ...without, ...others];
}

// For each document the counts of its items, and of those that the filter lets through.
function countDocuments(items, rows) {
  const size = corpus.documents.length;
  const counts = { table: new Int32Array(size * 5), shown: new Int32Array(size), first: new Int32Array(size) };
  for (let i = 0; i < items.size; i++) counts.table[items.documents[i] * 5 + items.verdicts[i]]++;
  for (let k = rows.length - 1; k >= 0; k--) {
    counts.shown[items.documents[rows[k]]]++;
    counts.first[items.documents[rows[k]]] = k;
  }
  return counts;
}

// Slot by slot over the pairs among the items: equal ones, and their weights.
function countSlots(items) {
  const found = head.slots.map(() => ({ pairs: 0, equal: 0, weight: 0, equalWeight: 0, own: 0, equalOwn: 0 }));
  const sums = { pairs: 0, equal: 0, weighted: 0 };
  for (let i = 0; i < items.size; i++) {
    const [g, p] = [items.golds[i], items.predictions[i]];
    if (g < 0 || p < 0) continue;
    let [weights, equalWeights] = [0, 0];
    head.slots.forEach((slot, k) => {
      const equal = (items.system.equal[p] >> k) & 1;
      const weight = slot.weights ? slot.weights[corpus.gold.slots[slot.name][g]] : 1;
      found[k].pairs++;
      found[k].equal += equal;
      found[k].weight += weight;
      found[k].equalWeight += weight * equal;
      const own = Math.max(weight, head.least); // in the slot's own average
      found[k].own += own;
      found[k].equalOwn += own * equal;
      sums.equal += equal;
      weights += weight;
      equalWeights += weight * equal;
    });
    sums.pairs++;
    sums.weighted += ratio(equalWeights, weights);
  }
  return { slots: found, ...sums };
}

// The cells of one slot's confusion matrix: gold value, system value, number.
function countConfusions(items, slot) {
  const cells = new Map();
  const values = slot.values.length;
  for (let i = 0; i < items.size; i++) {
    const [g, p] = [items.golds[i], items.predictions[i]];
    if (g < 0 || p < 0) continue;
    const cell = corpus.gold.slots[slot.name][g] * values + items.system.slots[slot.name][p];
    cells.set(cell, (cells.get(cell) || 0) + 1);
  }
  return [...cells].map(([cell, n]) => ({ gold: Math.floor(cell / values), system: cell % values, n }));
}

// Whether an item is of some classes (all if none are named), and not of others.
function ofClasses(classes, without) {
  const counted = CLASSES.map((name) => (!classes.length || classes.includes(name)) && !without.includes(name));
  return (items, i) => counted[items.code(i)];
}

// Compare what the page counts with what the core reported; returns what differs.
function findDifferences() {
  const differences = [];
  const close = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
  for (const system of corpus.systems) {
    const itemsFor = (match, criterion) => itemsOf(corpus.systems.indexOf(system), match, criterion);
    const expect = (key, counted) => {
      if (key in system.scores && !close(counted, system.scores[key])) {
        differences.push(`${system.name}: ${key} is ${system.scores[key]}, but the pairs give ${counted}`);
      }
    };
    for (const { key, match, criterion, measure: name, classes, without } of head.checks) {
      const items = itemsFor(match, criterion);
      const some = classes.length || without.length ? select(items, ofClasses(classes, without)) : null;
      expect(key, measureItems(items, some)[name]);
    }
    if (!("weighted_accuracy" in system.scores)) continue;
    const counted = countSlots(itemsFor("overlap", "span"));
    expect("accuracy", ratio(counted.equal, counted.pairs * head.slots.length));
    expect("weighted_accuracy", ratio(counted.weighted, counted.pairs));
    head.slots.forEach((slot, k) => {
      const { pairs, equal, own, equalOwn } = counted.slots[k];
      expect(slot.name + "_accuracy", ratio(equal, pairs));
      expect(slot.name + "_weighted_accuracy", ratio(equalOwn, own));
    });
  }
  return differences;
}
