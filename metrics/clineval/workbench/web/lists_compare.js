"use strict";
// Compare two systems on the same units: gold units, and spurious units that both systems have.

const LIST_TAB = "items";

// The state of each gold unit for two systems: an index into COMPARED.
function compareUnits(mode) {
  const [a, b] = comparedPair().map((at) => {
    const right = [];
    const { unit, kind } = corpus.systems[at].lists[mode].columns;
    unit.forEach((u, i) => {
      if (u >= 0) right[u] = kindOf(kind[i]).right;
    });
    return right;
  });
  const states = [];
  for (let u = 0; u < Math.max(a.length, b.length); u++) states.push(a[u] ? (b[u] ? 0 : BROKEN) : b[u] ? FIXED : 3);
  return states;
}

// For each item of both systems without a gold unit, whether the other system has it too.
function compareOthers(mode) {
  const lists = comparedPair().map((at) => corpus.systems[at].lists[mode]);
  const rows = lists.map(({ size, columns }) => Array.from({ length: size }, (_, i) => i).filter((i) => columns.unit[i] < 0));
  const keys = lists.map((list, side) => rows[side].map((i) => `${list.columns.document[i]}:${VIEW.identify(list.item(i))}`));
  const found = new Map();
  pairSpurious(keys).forEach((states, side) => {
    const all = new Uint8Array(lists[side].size);
    rows[side].forEach((i, at) => (all[i] = states[at]));
    found.set(lists[side], all);
  });
  return found;
}

// Make a test of whether an item of a list has a state of the comparison.
function comparedTest(state, mode) {
  if (state < NEW) {
    const states = compareUnits(mode);
    return ({ columns }, i) => columns.unit[i] >= 0 && states[columns.unit[i]] === state;
  }
  const others = compareOthers(mode);
  return (list, i) => others.get(list)?.[i] === state;
}

// Count the items in each state. Name the system if only one system's list has them. Include their effect
// on the score if the score is a sum over items.
function comparedCounts() {
  const [a, b] = comparedPair();
  return COMPARED.map((_, state) => {
    const system = state === NEW ? b : state === VANISHED ? a : null;
    const is = comparedTest(state, view.mode);
    const list = corpus.systems[system ?? view.system].lists[view.mode];
    let n = 0;
    for (let i = 0; i < list.size; i++) n += is(list, i);
    const lost = (at) => {
      const own = corpus.systems[at].lists[view.mode];
      return VIEW.losses(corpus.systems[at]).reduce((sum, loss, i) => (is(own, i) ? sum + loss : sum), 0);
    };
    return { state, n, system, effect: VIEW.losses ? lost(a) - lost(b) : 0 };
  });
}

function comparedScore() {
  return { key: head.headline, scores: corpus.systems.map((system) => scoreOfSystem(system, head.headline)) };
}
