"use strict";
// Pairs and what follows from them. Nothing is matched here: the core did that; this filters
// and counts. An item is a pair, a prediction alone, or a gold mention alone.

const TP = 0;
const FP = 1;
const FN = 2;
const WRONG = 3; // criterion Class: a pair whose codes differ
const NOTHING = 4; // a prediction that the released script counts as nothing
const VERDICTS = ["tp", "fp", "fn", "wrong", "nothing"];
const VERDICT_NAMES = {
  tp: "true positive", fp: "false positive", fn: "false negative",
  wrong: "wrong code", nothing: "does not count",
};

const BOUNDARY = 1;
const CODE = 2;
const SLOT = 4;
const DISCONTIGUOUS = 8;
const ALONE = 16;
const KINDS = { boundary: BOUNDARY, code: CODE, slot: SLOT, alone: ALONE };
const KIND_NAMES = { boundary: "boundary", code: "code", slot: "slot", alone: "no partner" };

const CODE_SLOT = head.view === "mentions" ? head.slots.findIndex((slot) => slot.name === "cui") : -1;

function pairingOf(system, match, criterion) {
  return system.pairings[match + "/" + (criterion === "class" ? "span" : criterion)];
}

function sameCode(system, row) {
  return (system.equal[row] >> CODE_SLOT) & 1;
}

function predictionVerdict(system, match, criterion, row) {
  const partner = pairingOf(system, match, criterion).system[row];
  if (partner === DISPLACED) return NOTHING;
  if (criterion === "class") return partner < 0 ? NOTHING : sameCode(system, row) ? TP : WRONG;
  return partner < 0 ? FP : TP;
}

function goldVerdict(system, match, criterion, row) {
  const partner = pairingOf(system, match, criterion).gold[row];
  if (criterion === "class") return partner < 0 ? NOTHING : sameCode(system, partner) ? TP : WRONG;
  return partner < 0 ? FN : TP;
}

// What is wrong with a mention, seen from the most lenient pairing.
function findKinds(system) {
  const gold = corpus.gold;
  const { system: link, gold: goldLink } = system.pairings["overlap/span"];
  const exact = system.pairings["exact/span"].system;
  const all = (1 << head.slots.length) - 1;
  const ofPrediction = new Uint8Array(system.size);
  const ofGold = new Uint8Array(gold.size);
  for (let p = 0; p < system.size; p++) {
    const g = link[p];
    if (system.columns.fragments[p] > 1) ofPrediction[p] |= DISCONTIGUOUS;
    if (g === NOBODY) ofPrediction[p] |= ALONE;
    if (g < 0) continue;
    if (exact[p] !== g) ofPrediction[p] |= BOUNDARY;
    if (!sameCode(system, p)) ofPrediction[p] |= CODE;
    if ((system.equal[p] | (1 << CODE_SLOT)) !== all) ofPrediction[p] |= SLOT;
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
          if (pairing.gold[g] < 0 && criterion !== "class") this.add(d, g, NOBODY, FN);
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

  // The class of an item is the code of its gold mention, or of a prediction alone.
  code(i) {
    const g = this.golds[i];
    return g >= 0 ? corpus.gold.slots.cui[g] : this.system.slots.cui[this.predictions[i]];
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

const CUI_LESS = head.view === "mentions" ? head.slots[CODE_SLOT].values.indexOf("CUI-less") : -1;

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
  if (code === "coded") tests.push((items, i) => items.code(i) !== CUI_LESS);
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

// The rows of the Statistics pane: all, with and without a code, and each code.
function countClasses(items) {
  const codes = head.slots[CODE_SLOT].values;
  const table = new Int32Array(codes.length * 5);
  for (let i = 0; i < items.size; i++) table[items.code(i) * 5 + items.verdicts[i]]++;
  const rowOf = (c) => table.subarray(c * 5, c * 5 + 5);
  const sum = (some) => some.reduce((total, c) => total.map((n, k) => n + rowOf(c)[k]), [0, 0, 0, 0, 0]);
  const every = codes.map((_, c) => c);
  const rows = [{ label: "All", code: null, ...measure(...sum(every)) }];
  if (!head.coded) return rows;
  rows.push({ label: "With CUI", code: "coded", ...measure(...sum(every.filter((c) => c !== CUI_LESS))) });
  const each = every.map((c) => ({ label: codes[c], code: c, ...measure(...rowOf(c)) }));
  const used = each.filter((row) => row.tp + row.fp + row.fn + row.wrong);
  const cuiLess = used.filter((row) => row.code === CUI_LESS);
  const others = used.filter((row) => row.code !== CUI_LESS);
  const errors = (row) => row.fp + row.fn + row.wrong;
  others.sort((a, b) => errors(b) - errors(a) || b.tp - a.tp || (a.label < b.label ? -1 : 1));
  return [...rows, ...cuiLess, ...others];
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
  const found = head.slots.map(() => ({ pairs: 0, equal: 0, weight: 0, equalWeight: 0 }));
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

// For each gold mention what two systems made of it: an index into COMPARED.
function compareGolds(match, criterion) {
  const states = new Uint8Array(corpus.gold.size);
  const right = (system, g) => goldVerdict(system, match, criterion, g) === TP;
  for (let g = 0; g < states.length; g++) {
    const [a, b] = corpus.systems.map((system) => right(system, g));
    states[g] = a ? (b ? 0 : 2) : b ? 1 : 3;
  }
  return states;
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
    for (const { key, match, criterion, measure: name } of head.checks) {
      expect(key, measureItems(itemsOf(match, criterion))[name]);
    }
    if (!("weighted_accuracy" in system.scores)) continue;
    const counted = countSlots(itemsOf("overlap", "span"));
    expect("accuracy", ratio(counted.equal, counted.pairs * head.slots.length));
    expect("weighted_accuracy", ratio(counted.weighted, counted.pairs));
    head.slots.forEach((slot, k) => {
      const { pairs, equal, weight, equalWeight } = counted.slots[k];
      expect(slot.name + "_accuracy", ratio(equal, pairs));
      expect(slot.name + "_weighted_accuracy", ratio(equalWeight, weight));
    });
  }
  return differences;
}
