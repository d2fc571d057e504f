"use strict";
// Compare the results of two systems for the same mentions.

const LIST_TAB = "pairs";
const answers = new Recent(12); // the latest results; they rarely change

const itemsOf = (at, match, criterion) => answers.get(`items ${at} ${match} ${criterion}`, () => new Items(corpus.systems[at], match, criterion));

// For each gold mention, the first mention with its span if each span counts once; else the mention
// itself.
function findFirsts(criterion) {
  const once = criterion === "span" && corpus.systems.some((system) => system.isPaired("exact/class"));
  const firsts = new Int32Array(corpus.gold.size).map((_, g) => g);
  if (once) for (let g = 1; g < firsts.length; g++) if (corpus.gold.spanKey(g) === corpus.gold.spanKey(g - 1)) firsts[g] = firsts[g - 1];
  return firsts;
}

// For each gold mention or its span, the outcome of both systems: an index into COMPARED.
function compareGolds(match, criterion) {
  const pair = comparedPair();
  return answers.get(`golds ${pair} ${match} ${criterion}`, () => {
    const firsts = findFirsts(criterion);
    const [a, b] = pair.map((at) => {
      const verdicts = verdictsOf(corpus.systems[at], match, criterion).gold;
      const right = new Uint8Array(verdicts.length);
      for (let g = 0; g < right.length; g++) right[firsts[g]] |= verdicts[g] === TP;
      return right;
    });
    return new Uint8Array(firsts.length).map((_, g) => (a[firsts[g]] ? (b[firsts[g]] ? 0 : BROKEN) : b[firsts[g]] ? FIXED : 3));
  });
}

// For each false positive of both systems, whether the other system has it too: a prediction with the same
// span, and the same class if classes count.
function compareSpurious(match, criterion) {
  const pair = comparedPair();
  return answers.get(`spurious ${pair} ${match} ${criterion}`, () => {
    const name = head.classes.slot;
    const rows = pair.map((at) => {
      const verdicts = verdictsOf(corpus.systems[at], match, criterion).system;
      return [...new Int32Array(verdicts.length).map((_, p) => p).filter((p) => verdicts[p] === FP)];
    });
    const keys = pair.map((at, side) => rows[side].map((p) => {
      const system = corpus.systems[at];
      return system.spanKey(p) + (criterion === "both" && CLASS_SLOT >= 0 ? "/" + system.slots[name][p] : "");
    }));
    return pairSpurious(keys).map((states, side) => {
      const found = new Uint8Array(corpus.systems[pair[side]].size);
      rows[side].forEach((p, at) => (found[p] = states[at]));
      return found;
    });
  });
}

// Return the state of an item of one of the two systems: an index into COMPARED.
function makeComparer({ system, match, criterion, golds, predictions, verdicts }) {
  const states = compareGolds(match, criterion);
  const spurious = compareSpurious(match, criterion)[comparedPair().findIndex((at) => corpus.systems[at] === system)];
  return (i) => (golds[i] >= 0 ? states[golds[i]] : verdicts[i] === FP ? spurious?.[predictions[i]] : -1);
}

// Count the items in each state; name the system if only one system's list has them.
function comparedCounts() {
  const [a, b] = comparedPair();
  const tallies = new Map([a, b].map((at) => {
    const items = itemsOf(at, view.match, view.criterion);
    const stateOf = makeComparer(items);
    const tally = new Int32Array(COMPARED.length);
    for (let i = 0; i < items.size; i++) tally[stateOf(i)]++;
    return [at, tally];
  }));
  const states = COMPARED.map((_, state) => state).filter((state) => state < NEW || view.criterion !== "class");
  return states.map((state) => {
    const system = state === NEW ? b : state === VANISHED ? a : null;
    return { state, n: tallies.get(system ?? view.system)[state], system, effect: 0 };
  });
}

// The score that is compared: the challenge's own if match mode and criterion match one.
function comparedScore() {
  const key = shownKey() ?? null;
  const counted = (at) => {
    return mainOf(measureItems({ ...view, system: corpus.systems[at] }));
  };
  return { key, scores: corpus.systems.map((system, at) => (key ? scoreOfSystem(system, key) : counted(at))) };
}

// For each document, the right pairs of the second system minus those of the first.
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
