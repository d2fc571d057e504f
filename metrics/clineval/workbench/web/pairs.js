"use strict";
// Pairs, and how each mention counts. The core has already matched them. An item is a pair, a prediction
// without a partner, or a gold mention without a partner.

const TP = 0;
const FP = 1;
const FN = 2;
const WRONG = 3; // criterion Class: a pair whose classes differ
const NOTHING = 4; // a prediction that the released script does not count
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
const LOOKS = {}; // the looks of kinds with another name

// How wrong codes are related to gold codes in a hierarchy, if there is one.
head.relations.forEach(({ name, label, look }, k) => {
  KINDS[name] = 32 << k;
  KIND_NAMES[name] = label;
  LOOKS[name] = look;
});

// The slot that holds a mention's class, its values, and the value that means no class.
const CLASS_SLOT = head.slots.findIndex((slot) => slot.name === head.classes.slot);
const CLASSES = CLASS_SLOT < 0 ? [""] : head.slots[CLASS_SLOT].values;
const NO_CLASS = head.classes.none ? CLASSES.indexOf(head.classes.none) : -1;

function pairingOf(system, match, criterion) {
  const name = match + "/" + criterion;
  return system.pairings.get(system.isPaired(name) ? name : match + "/span");
}

// The most lenient pairing of mentions; every mention may have a partner.
const widest = (system) => pairingOf(system, "overlap", "class");

// Whether a mention does not count because another mention counts for the same span.
const isRepeat = (system, side, row) => pairingOf(system, "overlap", "span")[side][row] === DISPLACED && widest(system)[side][row] !== DISPLACED;

function sameCode(system, row) {
  return CLASS_SLOT < 0 || (system.equal[row] >> CLASS_SLOT) & 1;
}

// The verdict of every mention in a mode: for both sides, indices into VERDICTS.
function verdictsOf(system, match, criterion) {
  return system.verdicts.get(match + "/" + criterion);
}

function findVerdicts(system, match, criterion) {
  const pairing = pairingOf(system, match, criterion);
  const byClass = criterion === "class"; // only pairs count
  const found = { gold: new Uint8Array(corpus.gold.size), system: new Uint8Array(system.size) };
  for (const [side, alone] of [["gold", FN], ["system", FP]]) {
    const [partners, verdicts] = [pairing[side], found[side]];
    for (let row = 0; row < verdicts.length; row++) {
      const partner = partners[row];
      if (partner === DISPLACED) verdicts[row] = NOTHING;
      else if (partner < 0) verdicts[row] = byClass ? NOTHING : alone;
      else verdicts[row] = byClass && !sameCode(system, side === "gold" ? partner : row) ? WRONG : TP;
    }
  }
  return found;
}

// A relation has the fragments of its arguments.
const isDiscontiguous = (side, row) => side.columns.fragments[row] > 1 && !side.sourceSize(row);

// How a wrong code is related to a gold code, as a kind of error; 0 if it is not, or without a hierarchy.
const relationBit = (system, p) => (system.columns.relation?.[p] ? 16 << system.columns.relation[p] : 0);

// The kinds of error of each mention in the most lenient pairing.
function findKinds(system) {
  const gold = corpus.gold;
  const { system: link, gold: goldLink } = widest(system);
  const exact = pairingOf(system, "exact", "class").system;
  const all = (1 << head.slots.length) - 1;
  const ofClass = CLASS_SLOT < 0 ? 0 : 1 << CLASS_SLOT;
  const ofPrediction = new Uint16Array(system.size);
  const ofGold = new Uint16Array(gold.size);
  for (let p = 0; p < system.size; p++) {
    const g = link[p];
    if (isDiscontiguous(system, p)) ofPrediction[p] |= DISCONTIGUOUS;
    if (g === NOBODY) ofPrediction[p] |= ALONE;
    ofPrediction[p] |= relationBit(system, p);
    if (g < 0) continue;
    if (exact[p] !== g) ofPrediction[p] |= BOUNDARY;
    if (!sameCode(system, p)) ofPrediction[p] |= CODE;
    if ((system.equal[p] | ofClass) !== all) ofPrediction[p] |= SLOT;
  }
  for (let g = 0; g < gold.size; g++) {
    if (isDiscontiguous(gold, g)) ofGold[g] |= DISCONTIGUOUS;
    if (goldLink[g] < 0) ofGold[g] |= ALONE;
    else ofGold[g] |= ofPrediction[goldLink[g]] & ~DISCONTIGUOUS & ~ALONE;
  }
  system.kinds = { system: ofPrediction, gold: ofGold };
}

// Count the items: predictions that count, and gold mentions without a prediction.
function countItems(verdicts) {
  let size = 0;
  for (const verdict of verdicts.gold) if (verdict === FN) size++;
  for (const verdict of verdicts.system) if (verdict !== NOTHING) size++;
  return size;
}

// The items of a system in one match mode and criterion, by document.
class Items {
  constructor(system, match, criterion) {
    const gold = corpus.gold;
    const verdicts = verdictsOf(system, match, criterion);
    const most = countItems(verdicts);
    this.system = system;
    this.match = match;
    this.criterion = criterion;
    this.golds = new Int32Array(most);
    this.predictions = new Int32Array(most);
    this.verdicts = new Uint8Array(most);
    this.documents = new Int32Array(most);
    this.size = 0;
    const partners = pairingOf(system, match, criterion).system;
    for (let d = 0; d < corpus.documents.length; d++) {
      const [end, lastGold] = [system.first[d + 1], gold.first[d + 1]];
      let g = gold.first[d];
      for (let p = system.first[d]; p <= end; p++) {
        const from = p === end ? Infinity : system.start(p);
        for (; g < lastGold && gold.start(g) <= from; g++) {
          if (verdicts.gold[g] === FN) this.add(d, g, NOBODY, FN);
        }
        if (p < end && verdicts.system[p] !== NOTHING) this.add(d, partners[p], p, verdicts.system[p]);
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
    const g = this.golds[i];
    const p = this.predictions[i];
    return (p >= 0 ? system[p] : 0) | (g >= 0 ? gold[g] : 0);
  }

  // The pair whose values are compared. With given spans, a wrong answer is two items, and the gold
  // mention's item represents both.
  pair(i) {
    const [g, p] = [this.golds[i], this.predictions[i]];
    if (!head.spans_given || p >= 0) return [g, p];
    return [g, pairingOf(this.system, this.match, "span").gold[g]];
  }

  // The class of an item: that of its gold mention, or else of its prediction.
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
