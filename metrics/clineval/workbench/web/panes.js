"use strict";
// Filters, Reports, Items, Frequent errors.

// --- the filters above the lists

function drawFilters() {
  drawExpression();
  const others = (changes) => countPassing(current.items, makeFilter(current.items, { ...view, ...changes }));
  const toggle = (group, name) => {
    const chosen = new Set(view[group]);
    if (!chosen.delete(name)) chosen.add(name);
    change({ [group]: chosen, doc: null, m: null });
  };
  const chip = (label, n, pressed, onclick, mark) => element(
    "button", { type: "button", class: "chip", "aria-pressed": String(pressed), onclick },
    mark ? element("span", { class: "key " + mark, "aria-hidden": "true" }) : null, `${label} ${inThousands(n)}`,
  );
  const verdicts = view.criterion === "class" ? ["tp", "wrong"] : ["tp", "fp", "fn"];
  const chips = verdicts.map((name) => chip(name.toUpperCase(), others({ verdicts: new Set([name]) }), view.verdicts.has(name), () => toggle("verdicts", name), "v-" + name));
  const kinds = Object.keys(KINDS).filter((name) => name !== "slot" || head.slots.length > 1).filter((name) => name !== "code" || head.coded);
  chips.push(...kinds.map((name) => chip(KIND_NAMES[name], others({ kinds: new Set([name]) }), view.kinds.has(name), () => toggle("kinds", name), "k-" + (LOOKS[name] ?? name))));
  chips.push(chip("discontiguous", others({ discontiguous: true }), view.discontiguous, () => change({ discontiguous: !view.discontiguous, doc: null, m: null })));
  for (const [tag, label] of tagChoices()) chips.push(chip(label, others({ tag }), view.tag === tag, () => change({ tag: view.tag === tag ? null : tag, doc: null, m: null }), "k-remark"));
  for (const [label, changes] of restrictions()) {
    chips.push(element("button", { type: "button", class: "chip only", "aria-pressed": "true", title: "remove this restriction", onclick: () => change({ ...changes, doc: null, m: null }) }, label + " ✕"));
  }
  chips.push(element("button", { type: "button", class: "link", onclick: () => change({ ...NO_FILTER, doc: null, m: null }) }, "show all"));
  replace("filters", ...chips);
}

// Active restrictions from elsewhere, each with the change that removes it.
function restrictions() {
  const found = [];
  if (view.code !== null) found.push([PARTS.get(view.code)?.chip ?? withName(codeName(view.code)), { code: null }]);
  if (view.slot) {
    const slot = head.slots.find((known) => known.name === view.slot.name);
    const what = view.slot.gold === null ? "wrong" : `${valueName(slot, view.slot.gold)} → ${valueName(slot, view.slot.system)}`;
    found.push([`${slot.name.replace("_", " ")} ${what}`, { slot: null }]);
  }
  if (view.phrase !== null) found.push([`“${corpus.phrases[view.phrase - 1]}”`, { phrase: null }]);
  if (view.compared) found.push([view.compared, { compared: null }]);
  found.push(...bucketChip(), ...searchChip());
  return found;
}

const codeName = (code) => CLASSES[code];

// --- Reports and Pairs

function documentRow(k) {
  const d = current.order[k];
  const [tp, fp, fn, wrong] = current.byDocument.table.subarray(d * 5, d * 5 + 4);
  const m = measure(tp, fp, fn, wrong);
  const corpusWide = current.measures;
  const perfect = measure(corpusWide.tp + fn + wrong, corpusWide.fp - fp, corpusWide.fn - fn, corpusWide.wrong - wrong);
  const gain = mainOf(perfect) - mainOf(corpusWide);
  const numbers = view.criterion === "class" ? [m.pairs, wrong] : [fp, fn];
  return element(
    "div", { class: "document-row" },
    nameElement(d),
    element("span", { class: "number matched", title: "items that the filter shows" }, inThousands(current.byDocument.shown[d])),
    ...numbers.map((n) => element("span", { class: "number" }, inThousands(n))),
    element("span", { class: "number" }, isScored(d) ? mainOf(m).toFixed(2) : NO_SCORE),
    element("span", { class: "number", title: "gain in the corpus score if this document were perfect" }, gain ? "+" + gain.toFixed(4).replace(/^0/, "") : ""),
  );
}

const SORTS = {
  fp: (a, b) => countsOf(b)[FP] - countsOf(a)[FP] || a - b,
  fn: (a, b) => countsOf(b)[FN] - countsOf(a)[FN] || a - b,
  errors: (a, b) => errorsOf(b) - errorsOf(a) || a - b,
  matches: (a, b) => current.byDocument.shown[b] - current.byDocument.shown[a] || a - b,
  score: (a, b) => isScored(b) - isScored(a) || scoreOf(a) - scoreOf(b) || errorsOf(b) - errorsOf(a) || a - b,
  name: (a, b) => (corpus.documents[a] < corpus.documents[b] ? -1 : 1),
  difference: (a, b) => Math.abs(current.differences[b]) - Math.abs(current.differences[a]) || a - b,
};
const countsOf = (d) => current.byDocument.table.subarray(d * 5, d * 5 + 5);
const errorsOf = (d) => countsOf(d)[FP] + countsOf(d)[FN] + countsOf(d)[WRONG];
const scoreOf = (d) => mainOf(measure(...countsOf(d)));

// Whether a document has anything to score. Without gold annotations and predictions it is neither good
// nor bad.
function isScored(d) {
  const [tp, fp, fn, wrong] = countsOf(d);
  return (isAccuracy(view.criterion) ? (head.spans_given ? tp + fn : tp + wrong) : tp + fp + fn) > 0;
}

// The documents in the chosen order: all, or those with an item that the filter shows.
function orderDocuments() {
  const { shown } = current.byDocument;
  const filtered = hasFilter();
  const found = [];
  for (let d = 0; d < shown.length; d++) if (!filtered || shown[d]) found.push(d);
  if (view.sort === "difference") current.differences = documentDifferences();
  return found.sort(SORTS[view.sort] || SORTS.errors);
}

const hasFilter = (besides = {}) => isFiltered({ ...view, ...besides });

function isFiltered({ verdicts, kinds, discontiguous, code, slot, phrase, compared, query, bucket, tag, where }) {
  return verdicts.size || kinds.size || discontiguous || code !== null || slot || phrase !== null || compared || query || bucket || where || tag !== null;
}

function pairRow(k) {
  const i = current.rows[k];
  const [g, p, d] = [current.items.golds[i], current.items.predictions[i], current.items.documents[i]];
  const fragments = g >= 0 ? corpus.gold.fragments(g) : view0().fragments(p);
  const words = element("span", { class: "words" }, spell(fragments));
  textOf(d).then((text) => {
    if (text !== null) words.textContent = excerpt(text, fragments);
  });
  return element(
    "div", { class: "pair-row" },
    element("span", { class: "key v-" + VERDICTS[current.items.verdicts[i]], "aria-hidden": "true" }),
    element("span", { class: "verdict" }, VERDICTS[current.items.verdicts[i]].toUpperCase()),
    words,
    element("span", { class: "marks" }, ...kindLetters(current.items.kinds(i))),
    nameElement(d),
  );
}

const RELATION_LETTERS = ["↑", "↓", "↔", "≠"]; // too general, too specific, sibling, unrelated

function kindLetters(kinds) {
  const letters = [[BOUNDARY, "B", "boundary"], [CODE, "C", "code", head.classes.word], [SLOT, "S", "slot"]];
  head.relations.forEach(({ look, label }, k) => letters.push([32 << k, RELATION_LETTERS[k], look, label]));
  return letters.filter(([bit]) => kinds & bit).map(([, letter, name, title]) => element("abbr", { class: "letter k-" + name, title: title ?? name }, letter));
}

function excerpt(text, fragments) {
  const units = unitsOf(text);
  return fragments.map(([start, end]) => text.slice(units[start], units[end])).join(" … ").replace(/\s+/g, " ") || "(nothing)";
}

const view0 = () => corpus.systems[view.system];

// --- Frequent errors

function drawFrequent() {
  const tally = (wanted, keyOf) => {
    const counts = new Map();
    for (let i = 0; i < current.items.size; i++) {
      if (current.items.verdicts[i] !== wanted || (view.query && !isFound(current.items, i))) continue;
      const key = keyOf(i);
      if (key !== null) counts.set(key, (counts.get(key) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, FEW);
  };
  const list = (title, rows, name, filter, shown = (text) => [text]) => element(
    "section", {},
    element("h3", {}, title),
    rows.length ? element("ol", {}, ...rows.map(([key, n]) => element("li", {}, element("span", { class: "words" }, ...shown(name(key))), cell(inThousands(n), `${name(key)}: ${n}, show them`, filter(key))))) : element("p", { class: "empty" }, !view.query ? "none" : foundNow() ? `none matches ${searchChip()[0][0]}` : sayNothing()),
  );
  const asked = { query: view.query, regular: view.regular };
  const lists = [];
  const phrase = (i) => current.items.phrase(i) || null;
  for (const [title, verdict] of view.criterion === "class" ? [[`Wrong ${head.classes.word}s`, WRONG]] : [["Missed", FN], ["Spurious", FP]]) {
    const name = VERDICTS[verdict];
    if (corpus.gold.phrase) lists.push(list(title, tally(verdict, phrase), (key) => corpus.phrases[key - 1], (key) => ({ ...asked, verdicts: new Set([name]), phrase: key })));
    if (head.coded) lists.push(list(`${title}, by ${head.classes.word}`, tally(verdict, (i) => current.items.code(i)), codeName, (key) => ({ ...asked, verdicts: new Set([name]), code: key }), codeElement));
  }
  replace("frequent", ...lists);
}

// The measure of the challenge for match mode and criterion, if there is one; if several fit, the chosen
// one.
function shownPreset() {
  const fitting = head.presets.filter((known) => known.match === view.match && known.criterion === view.criterion);
  return fitting.find(({ name }) => name === view.preset) ?? fitting[0];
}

// The key of the displayed score. A score of a rule fits no mode, so its main score is always shown.
function shownKey() {
  return head.presets.length ? shownPreset()?.key : head.main;
}
