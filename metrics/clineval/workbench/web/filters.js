"use strict";
// Choose the items to show.

// Whether an item is a prediction without a partner whose error already counts for its gold mention. If a
// match mode separates a pair, the error counts once.
function isTold(items, i) {
  if (items.golds[i] >= 0) return false;
  const g = widest(items.system).system[items.predictions[i]];
  return g >= 0 && pairingOf(items.system, items.match, items.criterion).gold[g] !== DISPLACED;
}

// A filter of items. An empty set restricts nothing.
function makeFilter(items, wanted) {
  const { verdicts, kinds, discontiguous, code, slot, phrase } = wanted;
  const shown = VERDICTS.map((name) => verdicts.has(name));
  const kindMask = [...kinds].reduce((mask, name) => mask | KINDS[name], 0);
  const tests = [];
  if (verdicts.size) tests.push((i) => shown[items.verdicts[i]]);
  if (kindMask) tests.push((i) => items.kinds(i) & kindMask && !isTold(items, i));
  if (discontiguous) tests.push((i) => items.kinds(i) & DISCONTIGUOUS);
  if (PARTS.has(code)) tests.push((i) => PARTS.get(code).classes.includes(items.code(i)));
  else if (code !== null) tests.push((i) => items.code(i) === code);
  if (phrase !== null) tests.push((i) => items.phrase(i) === phrase);
  if (slot) tests.push(makeSlotTest(items, slot));
  if (wanted.bucket) {
    const grouping = groupingOf(wanted.bucket.by);
    tests.push((i) => groupOf(items, grouping, i) === wanted.bucket.value);
  }
  if (wanted.tag !== null) tests.push((i) => hasTag(remarkOf(items, i), wanted.tag));
  if (wanted.where) tests.push(testExpression(items, wanted.where));
  if (wanted.query) tests.push((i) => isFound(items, i));
  if (wanted.compared) {
    const stateOf = makeComparer(items);
    tests.push((i) => stateOf(i) === COMPARED.indexOf(wanted.compared));
  }
  return tests.length === 1 ? tests[0] : (i) => tests.every((test) => test(i));
}

// Test whether an item is a pair with certain values of a slot, or with different values if none are
// given.
function makeSlotTest(items, { name, gold, system: value }) {
  const { system } = items;
  const at = head.slots.findIndex((known) => known.name === name);
  const [ofGold, ofSystem] = [corpus.gold.slots[name], system.slots[name]];
  return (i) => {
    const [g, p] = items.pair(i);
    if (g < 0 || p < 0) return false;
    return gold === null ? !((system.equal[p] >> at) & 1) : ofGold[g] === gold && ofSystem[p] === value;
  };
}

function select(items, filter) {
  const found = new Int32Array(items.size);
  let size = 0;
  for (let i = 0; i < items.size; i++) if (filter(i)) found[size++] = i;
  return found.subarray(0, size);
}

function countPassing(items, filter) {
  let size = 0;
  for (let i = 0; i < items.size; i++) if (filter(i)) size++;
  return size;
}
