"use strict";
// What two systems made of the same mentions.

const LIST_TAB = "pairs";
const remembered = new Map();

// What was made for the same question before; questions change rarely, so that few are kept.
function remember(key, make) {
  if (!remembered.has(key)) {
    if (remembered.size > 12) remembered.delete(remembered.keys().next().value);
    remembered.set(key, make());
  }
  return remembered.get(key);
}

const itemsOf = (at, match, criterion) => remember(`items ${at} ${match} ${criterion}`, () => new Items(corpus.systems[at], match, criterion));

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
  const pair = comparedPair();
  return remember(`golds ${pair} ${match} ${criterion}`, () => {
    const firsts = findFirsts(criterion);
    const [a, b] = pair.map((at) => {
      const right = new Uint8Array(corpus.gold.size);
      firsts.forEach((first, g) => (right[first] |= goldVerdict(corpus.systems[at], match, criterion, g) === TP));
      return right;
    });
    return Uint8Array.from(firsts, (g) => (a[g] ? (b[g] ? 0 : BROKEN) : b[g] ? FIXED : 3));
  });
}

// For each prediction of both systems, if it is a false positive, whether the other has it too: one
// of the same span, and of the same class where classes count.
function compareSpurious(match, criterion) {
  const pair = comparedPair();
  return remember(`spurious ${pair} ${match} ${criterion}`, () => {
    const rows = pair.map((at) => Array.from({ length: corpus.systems[at].size }, (_, p) => p).filter((p) => predictionVerdict(corpus.systems[at], match, criterion, p) === FP));
    const name = head.classes.slot;
    const keys = pair.map((at, side) => rows[side].map((p) => {
      const system = corpus.systems[at];
      return `${system.document[p]}:${spell(system.fragments(p))}${criterion === "both" && CLASS_SLOT >= 0 ? "/" + system.slots[name][p] : ""}`;
    }));
    return pairSpurious(keys).map((states, side) => {
      const found = new Uint8Array(corpus.systems[pair[side]].size);
      rows[side].forEach((p, at) => (found[p] = states[at]));
      return found;
    });
  });
}

// Whether an item is in a state of the comparison.
function isCompared(state, match, criterion) {
  if (state < NEW) {
    const states = compareGolds(match, criterion);
    return (items, i) => items.golds[i] >= 0 && states[items.golds[i]] === state;
  }
  const spurious = compareSpurious(match, criterion);
  const sides = new Map(comparedPair().map((at, side) => [corpus.systems[at], spurious[side]]));
  return (items, i) => items.verdicts[i] === FP && sides.get(items.system)?.[items.predictions[i]] === state;
}

// How many items there are in each state, and the system whose list has them if only one has.
function comparedCounts() {
  const [a, b] = comparedPair();
  const states = COMPARED.map((_, state) => state).filter((state) => state < NEW || view.criterion !== "class");
  return states.map((state) => {
    const system = state === NEW ? b : state === VANISHED ? a : null;
    const items = itemsOf(system ?? view.system, view.match, view.criterion);
    const is = isCompared(state, view.match, view.criterion);
    let n = 0;
    for (let i = 0; i < items.size; i++) n += is(items, i);
    return { state, n, system, effect: 0 };
  });
}

// The score that is compared: the challenge's own if match mode and criterion stand for one.
function comparedScore() {
  const preset = shownPreset();
  const counted = (at) => {
    const { accuracy, f1 } = measureItems(itemsOf(at, view.match, view.criterion));
    return view.criterion === "class" ? accuracy : f1;
  };
  return { key: preset?.key ?? null, scores: corpus.systems.map(({ scores }, at) => (preset ? scores[preset.key] : counted(at))) };
}

// For each document the right pairs of the second system less those of the first.
function documentDifferences() {
  const differences = new Int32Array(corpus.documents.length);
  const states = compareGolds(view.match, view.criterion);
  const firsts = findFirsts(view.criterion);
  states.forEach((state, g) => {
    if (firsts[g] !== g) return;
    if (state === FIXED) differences[corpus.gold.document[g]]++;
    if (state === BROKEN) differences[corpus.gold.document[g]]--;
  });
  return differences;
}
