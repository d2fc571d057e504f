"use strict";
// Several systems: the two that are compared, the outcome of their items, and the table of all systems. A
// view defines what it counts (comparedCounts) and its score (comparedScore).

const COMPARED = ["right in both", "fixed", "broken", "wrong in both", "new spurious", "vanished spurious", "spurious in both"];
const FIXED = 1;
const BROKEN = 2;
const NEW = 4;
const VANISHED = 5;
const MEANINGS = [
  "both systems have them right", "only the second system has them right", "only the first system has them right",
  "neither system has them right", "the second system has them, and they are wrong", "the first system had them, and they were wrong",
  "both systems have them, and they are wrong",
];
const NO_PAIR = { base: 0, other: 1, table: false };

// A signature for people: with the name of the gold standard, if it is known.
function shownSignature(system) {
  return head.dataset ? system.signature.replace(/\|refs:[0-9a-f]+/, `$& (${head.dataset})`) : system.signature;
}

// Show the command's warnings, and the meaning of the dagger, above the numbers.
function drawCautions() {
  const marked = corpus.systems.some((system) => system.few_units?.length);
  const lines = [...head.warnings, ...(marked ? [FEW_UNITS] : [])];
  $("cautions").hidden = !lines.length;
  const title = `${lines.length} ${lines.length === 1 ? "caution" : "cautions"}`;
  const button = element("button", { type: "button", class: "link", "aria-expanded": "false", onclick: () => openCautions($("cautions").classList.contains("folded-in")) }, title);
  $("cautions").append(button, element("ul", { tabindex: 0, "aria-label": title }, ...lines.map((line) => element("li", {}, line))));
  openCautions(false);
}

function openCautions(open) {
  $("cautions").classList.toggle("folded-in", !open);
  $("cautions").querySelector("button").setAttribute("aria-expanded", String(open));
}

const FEW_UNITS = "† fewer than 10 documents with true positives, or with errors: a rough guide";

// The two compared systems, the first one first.
function comparedPair() {
  return [view.base, view.other];
}

// The changes when a system is chosen: it becomes one of the two compared systems.
function chooseSystem(system) {
  const [a, b] = comparedPair();
  return { system, m: null, ...(system === a || system === b ? {} : { other: system }) };
}

function chooseBase(base) {
  const other = view.other === base ? view.base : view.other;
  return { base, other, m: null, system: view.system === base || view.system === other ? view.system : other };
}

function otherSystem() {
  const [a, b] = comparedPair();
  return corpus.systems.length < 2 ? {} : { system: view.system === a ? b : a, m: null };
}

// The part of an address that names the compared systems.
function pairFromAddress(parts) {
  const known = (name, usual) => (/^\d+$/.test(parts.get(name)) && Number(parts.get(name)) < corpus.systems.length ? Number(parts.get(name)) : usual);
  const system = known("sys", 0);
  const base = known("base", 0);
  let other = known("other", system === base ? (base === 1 || corpus.systems.length < 2 ? 0 : 1) : system);
  if (other === base) other = base ? 0 : Math.min(1, corpus.systems.length - 1);
  return { base, other, system: system === base || system === other ? system : base, table: parts.get("table") === "1" };
}

function pairToAddress(set) {
  set("sys", view.system, 0);
  set("base", view.base, 0);
  if (view.system === view.base) set("other", view.other, 1);
  set("table", view.table ? 1 : null);
}

// The core's tests of a system's difference from the baseline, which is the first system.
const differenceOf = (system, key) => head.comparison?.differences[corpus.systems[system].name]?.[key];
const signed = (x) => (x < 0 ? "−" : "+") + share(Math.abs(x));
const minus = (x) => share(x).replace("-", "−");
const interval = (bounds) => (!bounds ? "" : bounds[0] === null ? "–" : `${minus(bounds[0])} to ${minus(bounds[1])}`); // – means undefined, for a single document
const smallP = (p) => (p < 0.0001 ? "< 0.0001" : share(p));
const pName = (p) => "p " + (p < 0.0001 ? "" : "= ") + smallP(p);
const intervalOf = (system, key) => corpus.systems[system].intervals?.[key];
const DAGGER = " †"; // marks an interval that rests on few documents
const daggerOf = (system, key) => (corpus.systems[system].few_units?.includes(key) ? DAGGER : "");

const showInterval = (system, key) => (intervalOf(system, key) ? `95 %: ${interval(intervalOf(system, key))}${daggerOf(system, key)}` : "");

function drawComparison() {
  $("comparison").hidden = corpus.systems.length < 2;
  if (corpus.systems.length < 2) return;
  const counts = comparedCounts();
  const cells = counts.map(({ state, n, system, effect }) => element(
    "li", { title: MEANINGS[state] }, element("span", {}, COMPARED[state]),
    element("button", {
      type: "button", class: "cell", "aria-pressed": String(view.compared === COMPARED[state]), "aria-label": `${COMPARED[state]}: ${n}, show them`,
      onclick: () => change({ ...NO_FILTER, compared: COMPARED[state], tab: LIST_TAB, doc: null, m: null, ...(system === null ? {} : { system }) }),
    }, inThousands(n)),
    effect ? element("span", { class: "effect" }, signed(effect)) : null,
  ));
  const more = corpus.systems.length > 2 ? choosePair() : null;
  const table = element("button", { type: "button", class: "link", "aria-expanded": String(view.table), onclick: () => change({ table: !view.table }) }, corpus.systems.length > 2 ? `all ${corpus.systems.length} systems` : "intervals");
  const difference = describeDifference();
  const line = element("div", { class: "compared" }, more, element("span", { class: "difference", title: difference }, difference), element("ul", {}, ...cells), table);
  replace("comparison", line, view.table ? tableOfSystems() : null);
}

function choosePair() {
  const select = (label, chosen, without, onchange) => element(
    "select", { "aria-label": label, onchange: (event) => change(onchange(Number(event.target.value))) },
    ...corpus.systems.map(({ name }, at) => element("option", { value: at, selected: at === chosen, disabled: at === without }, name)),
  );
  return element("span", {}, select("The first of two systems", view.base, -1, chooseBase), " → ", select("The second of two systems", view.other, view.base, chooseSystem));
}

// Both scores, and their difference, with interval and p if the first system is the baseline.
function describeDifference() {
  const [a, b] = comparedPair();
  const { key, scores } = comparedScore();
  const [first, second] = [scores[a], scores[b]];
  const found = key && view.base === 0 ? differenceOf(b, key) : undefined;
  const how = found ? `, ${interval([found.low, found.high])}; ${key}: ${pName(found.p)}, ${head.comparison.exact ? "exact" : head.comparison.test}` : "";
  return `${corpus.systems[a].name} ${share(first)} → ${corpus.systems[b].name} ${share(second)} (${signed(second - first)}${how})`;
}

// The table that `clineval compare` prints for the displayed score.
function tableOfSystems() {
  const { key, scores } = comparedScore();
  const titles = ["System", key ?? "F1", "95 %", "Difference", "95 %", "p", ...(corpus.systems.length > 2 ? ["p (Holm)"] : [])];
  const rows = corpus.systems.map(({ name }, at) => {
    const found = at && key ? differenceOf(at, key) : undefined;
    const numbers = found ? [signed(found.value), interval([found.low, found.high]), smallP(found.p), smallP(found.p_holm)] : [at ? "" : "baseline", "", "", ""];
    const link = element("button", { type: "button", class: "link", onclick: () => change(chooseSystem(at)) }, name);
    return element("tr", { class: at === view.system ? "chosen" : null }, element("th", { scope: "row" }, link), ...[share(scores[at]), key ? interval(intervalOf(at, key)) + daggerOf(at, key) : "", ...numbers].slice(0, titles.length - 1).map((text) => element("td", {}, text)));
  });
  const how = key ? `Intervals from resampled documents; differences from ${corpus.systems[0].name}, the baseline; ${head.comparison.exact ? "p is exact" : head.comparison.test}` : "No score of the challenge has this match mode and criterion: only counts are shown";
  const made = element("table", { class: "systems" }, element("caption", {}, how), element("thead", {}, element("tr", {}, ...titles.map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows));
  return element("div", { class: "all-systems" }, made);
}

// The scores of all systems as rows of the table of outcome measures; the numbers say how many empty cells
// precede and follow the row's name.
const scoreRows = (before, after) => corpus.systems.flatMap(({ name, scores }) => Object.entries(scores).map(([key, score]) =>
  [name, ...Array(before).fill(""), "All", ...Array(after).fill(""), key, Number.isInteger(score) ? score : rounded(score, 6)]));

// Match the wrong items of two systems by their keys: the first of equal items with the first, and so on.
// Return for each side an array of NEW, VANISHED or NEW + 2.
function pairSpurious([mine, theirs]) {
  const waiting = new Map();
  const states = [mine, theirs].map((keys) => new Uint8Array(keys.length));
  mine.forEach((key, at) => {
    if (!waiting.has(key)) waiting.set(key, []);
    waiting.get(key).push(at);
    states[0][at] = VANISHED;
  });
  theirs.forEach((key, at) => {
    const same = waiting.get(key)?.shift();
    states[1][at] = same === undefined ? NEW : NEW + 2;
    if (same !== undefined) states[0][same] = NEW + 2;
  });
  return states;
}
