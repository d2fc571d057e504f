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

// A filter: which items are shown. Empty sets let everything through.
function makeFilter(view) {
  const { verdicts, kinds, discontiguous, code, slot, phrase } = view;
  const verdictSet = new Set([...verdicts].map((name) => VERDICTS.indexOf(name)));
  const kindMask = [...kinds].reduce((mask, name) => mask | KINDS[name], 0);
  const slotAt = slot ? head.slots.findIndex((known) => known.name === slot.name) : -1;
  const tests = [];
  if (verdictSet.size) tests.push((items, i) => verdictSet.has(items.verdicts[i]));
  if (kindMask) tests.push((items, i) => items.kinds(i) & kindMask);
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
  if (view.compared) {
    const states = compareGolds(view.match, view.criterion);
    const wanted = COMPARED.indexOf(view.compared);
    tests.push((items, i) => items.golds[i] >= 0 && states[items.golds[i]] === wanted);
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

const COMPARED = ["right in both", "fixed", "broken", "wrong in both"];

// For each gold mention the first one of its span where spans count once, else itself.
function findFirsts(criterion) {
  const once = criterion === "span" && corpus.systems.some((system) => system.pairings["exact/class"]);
  const spanOf = (g) => corpus.gold.document[g] + ":" + spell(corpus.gold.fragments(g));
  const firsts = Int32Array.from({ length: corpus.gold.size }, (_, g) => g);
  if (once) for (let g = 1; g < firsts.length; g++) if (spanOf(g) === spanOf(g - 1)) firsts[g] = firsts[g - 1];
  return firsts;
}

// For each gold mention what two systems made of it, or of its span: an index into COMPARED.
function compareGolds(match, criterion) {
  const firsts = findFirsts(criterion);
  const [a, b] = corpus.systems.map((system) => {
    const right = new Uint8Array(corpus.gold.size);
    firsts.forEach((first, g) => (right[first] |= goldVerdict(system, match, criterion, g) === TP));
    return right;
  });
  return Uint8Array.from(firsts, (g) => (a[g] ? (b[g] ? 0 : 2) : b[g] ? 1 : 3));
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
    const tables = {};
    const itemsOf = (match, criterion) =>
      (tables[match + criterion] ??= new Items(system, match, criterion));
    const expect = (key, counted) => {
      if (key in system.scores && !close(counted, system.scores[key])) {
        differences.push(`${system.name}: ${key} is ${system.scores[key]}, but the pairs give ${counted}`);
      }
    };
    for (const { key, match, criterion, measure: name, classes, without } of head.checks) {
      const items = itemsOf(match, criterion);
      const some = classes.length || without.length ? select(items, ofClasses(classes, without)) : null;
      expect(key, measureItems(items, some)[name]);
    }
    if (!("weighted_accuracy" in system.scores)) continue;
    const counted = countSlots(itemsOf("overlap", "span"));
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
