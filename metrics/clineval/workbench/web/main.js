"use strict";
// Views of mentions: state, address, keyboard.

const NO_FILTER = { verdicts: new Set(), kinds: new Set(), discontiguous: false, code: null, slot: null, phrase: null, compared: null, bucket: null, tag: null, ...NO_EXPRESSION, ...NO_SEARCH };
const TABS = ["reports", "pairs", "frequent", "hits"];
const onTab = () => ({});
const DEFAULT = { system: 0, ...NO_PAIR, match: "exact", criterion: "span", show: "both", sort: "errors", tab: "reports", doc: null, m: null, slotShown: null, preset: null, by: "class", column: null, falling: true, allRows: false, ...NO_FILTER };
let view = { ...DEFAULT };
const current = { items: null, rows: [], byDocument: null, order: [], document: -1, pair: -1, measures: null };
let reports;
let pairs;

// --- the view and its address

function toAddress() {
  const [parts, set] = newAddress();
  commonToAddress(parts, set);
  set("match", view.match, null);
  set("crit", view.criterion, null);
  set("preset", view.preset);
  const filters = [...view.verdicts, ...view.kinds, ...(view.discontiguous ? ["discontiguous"] : [])];
  set("f", filters.join(","), "");
  if (view.code !== null) set("class", PARTS.has(view.code) ? view.code : codeName(view.code));
  if (view.slot) {
    const { values } = head.slots.find((slot) => slot.name === view.slot.name);
    set("slot", view.slot.gold === null ? view.slot.name : `${view.slot.name}:${values[view.slot.gold]}>${values[view.slot.system]}`);
  }
  if (view.phrase !== null) set("phrase", view.phrase);
  set("show", view.show, startingShow());
  return "#" + parts;
}

function fromAddress(hash) {
  const [parts, among] = readAddress(hash);
  const chosen = (parts.get("f") || "").split(",");
  const code = parts.get("class");
  const codeAt = CLASSES.indexOf(code);
  const phrase = Number(parts.get("phrase"));
  return {
    ...commonFromAddress(parts, among),
    match: among("match", Object.keys(head.modes), startingPoint().match),
    criterion: among("crit", head.criteria, startingPoint().criterion),
    preset: among("preset", head.presets.map(({ name }) => name), null),
    verdicts: new Set(VERDICTS.filter((name) => chosen.includes(name))),
    kinds: new Set(Object.keys(KINDS).filter((name) => chosen.includes(name))),
    discontiguous: chosen.includes("discontiguous"),
    code: PARTS.has(code) ? code : codeAt >= 0 ? codeAt : null,
    slot: readSlot(parts.get("slot")),
    phrase: phrase > 0 && phrase <= corpus.phrases.length ? phrase : null,
    show: among("show", ["gold", "system", "both", "merged"], startingShow()),
    m: /^[gp]\d+$/.test(parts.get("m")) ? parts.get("m") : null,
    slotShown: readSlot(parts.get("slot"))?.name ?? view.slotShown,
  };
}

// The default view: the first measure of the challenge, and its errors.
function startingPoint() {
  const { match, criterion } = head.presets[0] || { match: "exact", criterion: "span" };
  return { match, criterion };
}

// Show panes side by side only if the window is wide enough for their words.
const startingShow = () => (matchMedia("(max-width: 700px)").matches ? "merged" : DEFAULT.show);

function readSlot(text) {
  const [, name, gold, system] = /^([^:]+)(?::(.*)>(.*))?$/.exec(text || "") || [];
  const slot = head.slots.find((known) => known.name === name);
  if (!slot) return null;
  if (gold === undefined) return { name, gold: null, system: null };
  const [g, s] = [slot.values.indexOf(gold), slot.values.indexOf(system)];
  return g < 0 || s < 0 ? null : { name, gold: g, system: s };
}

// --- draw

const drawnFor = {};

// Run something only if its inputs have changed.
function when(name, parts, action) {
  const state = JSON.stringify(parts, (_, value) => (value instanceof Set ? [...value] : value));
  if (drawnFor[name] === state) return false;
  drawnFor[name] = state;
  action();
  return true;
}

const filterOf = () => [...Object.keys(NO_FILTER).map((name) => view[name]), foundNow()?.key, view.tag === null || current.remarksDrawn, current.wordsRead];

function refresh() {
  if (!head.criteria.includes(view.criterion)) view.criterion = head.criteria[0];
  const mode = [view.system, view.base, view.other, view.match, view.criterion, shownPreset()?.key];
  const filter = [...mode, ...filterOf()];
  view.slotShown ??= (head.slots.find((slot) => slot.kind === "closed") || head.slots[0]).name;
  when("items", mode, () => {
    current.items = itemsOf(view.system, view.match, view.criterion);
    current.measures = measureItems(current.items);
  });
  when("rows", filter, () => {
    current.rows = select(current.items, makeFilter(current.items, view));
    current.byDocument = countDocuments(current.items, current.rows);
  });
  when("order", [filter, view.sort], () => (current.order = orderDocuments()));
  choose();
  when("statistics", [filter, arrangement.tables, view.preset, view.allRows, view.by, view.column, view.falling, addedRow()], drawStatistics);
  markRow();
  when("slots", [filter, arrangement.tables, view.slotShown], drawSlots);
  when("filters", [filter, current.remarksDrawn], drawFilters);
  when("comparison", [filter, view.preset, view.table], drawComparison);
  when("tab", [view.tab, mode, searchKey(), foundNow()?.key], drawTab);
  drawControls();
  drawLists(filter);
  if (!when("document", [current.document, view.system, view.base, view.other, view.show, arrangement.rows, unfolded(), current.document < 0 && sayNothing()], drawDocument)) markSelected();
  when("search", [filter, view.tab], drawSearch);
  drawDetail();
  drawPosition();
}

// The open document and pair: from the address, or else the first in the list.
function choose() {
  let d = view.doc === null ? -1 : corpus.documents.indexOf(view.doc);
  if (d < 0 && view.tab === "pairs" && current.rows.length) {
    const i = current.rows[0];
    d = current.items.documents[i];
    view.m ??= current.items.key(i);
  } else if (d < 0 && current.order.length) d = current.order[0];
  if (d >= 0) view.m ??= firstOf(d);
  current.document = d;
  view.doc = d >= 0 ? corpus.documents[d] : null;
  current.pair = findPair();
}

// The first pair of a document that the filter shows; without a filter, its first error if it has one.
function firstOf(d) {
  const { rows, items, byDocument } = current;
  const from = byDocument.first[d];
  const inside = [...rows.subarray(from, from + byDocument.shown[d])];
  const i = hasFilter() ? inside[0] : inside.find((row) => items.verdicts[row] !== TP) ?? inside[0];
  return i === undefined ? null : items.key(i);
}

// The position of the open mention in the list of pairs; -1 if it is not there.
function findPair() {
  const { rows, items, document: d } = current;
  if (view.m === null || d < 0 || !current.byDocument.shown[d]) return -1;
  const from = current.byDocument.first[d];
  for (let k = from; k < rows.length && items.documents[rows[k]] === d; k++) {
    const g = items.golds[rows[k]];
    const goldKey = g >= 0 ? "g" + (g - corpus.gold.first[d]) : null;
    if (items.key(rows[k]) === view.m || goldKey === view.m) return k;
  }
  return -1;
}

function drawTab() {
  drawTabs();
  if (view.tab === "frequent") drawFrequent();
}

function drawControls() {
  for (const button of document.querySelectorAll("[data-set]")) {
    const [name, value] = button.dataset.set.split(":");
    button.setAttribute("aria-pressed", String(String(view[name]) === value));
    if (name === "criterion") button.hidden = !head.criteria.includes(value);
  }
  $("rows").hidden = view.show !== "both";
  $("rows").setAttribute("aria-pressed", String(inRows(1 + new Set(comparedPair()).size)));
  const preset = shownPreset();
  $("preset").value = preset ? preset.name : "";
  $("sort").value = view.sort;
  $("system").value = view.system;
  const key = shownKey();
  $("headline").textContent = key ? `${key} ${share(scoreOfSystem(view0(), key))}` : "";
  $("headline-interval").textContent = key ? showInterval(view.system, key) : "";
  $("headline-population").textContent = key ? populationOf(key) : "";
  $("signature").textContent = shownSignature(view0());
}

function drawLists(filter) {
  const count = `${inThousands(current.order.length)} of ${inThousands(corpus.documents.length)}`;
  $("tab-reports").textContent = `Reports ${count}`;
  $("tab-pairs").textContent = `Items ${inThousands(current.rows.length)}`;
  const document_ = current.order.indexOf(current.document);
  const heads = view.criterion === "class" ? ["pairs", "wrong", "acc."] : ["FP", "FN", head.spans_given ? "acc." : "F1"];
  const sorts = view.criterion === "class" ? ["name", "matches", null, "errors", "score", null] : ["name", "matches", "fp", "fn", "score", null];
  replace("report-heads", ...["document", "shown", ...heads, "gain"].map((name, k) => reportHead(name, sorts[k])));
  if (!when("reports", [filter, view.sort, view.tab], () => reports.show(current.order.length, document_))) reports.activate(document_);
  if (!when("pairs", [filter, view.tab], () => pairs.show(current.rows.length, current.pair))) pairs.activate(current.pair);
  drawNothing();
}

function drawPosition() {
  const name = current.document >= 0 ? corpus.documents[current.document] : "";
  $("document-name").title = $("document-name").textContent = name;
  const where = current.pair >= 0 ? `item ${inThousands(current.pair + 1)} of ${inThousands(current.rows.length)}` : `${inThousands(current.rows.length)} items`;
  $("position").textContent = where;
  announce(`${name}, ${where}`);
  document.body.dataset.document = name;
}

// --- move between documents and pairs

function openPair(k, how) {
  if (!current.rows.length) return;
  const i = current.rows[(k + current.rows.length) % current.rows.length];
  change({ doc: corpus.documents[current.items.documents[i]], m: current.items.key(i) }, how);
}

// The next or previous pair of the list. If the open mention is not in the list, start from its document.
function stepPair(step) {
  if (current.pair >= 0) return openPair(current.pair + step, { step: true });
  const d = current.document;
  const place = d >= 0 && current.byDocument.shown[d] ? current.byDocument.first[d] : 0;
  return openPair(step > 0 ? place : place - 1, { step: true });
}

function openDocument(k, how) {
  if (k < 0 || k >= current.order.length) return;
  const d = current.order[k];
  change({ doc: corpus.documents[d], m: null }, how);
}

const KEYS = {
  j: ["next item", () => stepPair(1)],
  k: ["previous item", () => stepPair(-1)],
  n: ["next document", () => openDocument(current.order.indexOf(current.document) + 1)],
  p: ["previous document", () => openDocument(current.order.indexOf(current.document) - 1)],
  e: ["match mode exact", () => change({ match: "exact" })],
  o: ["match mode overlap", () => "overlap" in head.modes && change({ match: "overlap" })],
  1: ["criterion Span", () => change({ criterion: "span" })],
  2: ["criterion Class", () => change({ criterion: "class" })],
  3: ["criterion Span & Class", () => change({ criterion: "both" })],
  g: ["show gold", () => change({ show: "gold" })],
  s: ["show system", () => change({ show: "system" })],
  b: ["show both", () => change({ show: "both" })],
  m: ["show merged", () => change({ show: "merged" })],
  ...DECISION_KEYS,
  v: ["rows or side by side", () => view.show === "both" && chooseRows(!inRows(1 + new Set(comparedPair()).size))],
  ...PANE_KEYS,
  x: ["the other system", () => change(otherSystem())],
  a: ["show all items", () => change({ ...NO_FILTER, doc: null, m: null })],
  f: ["search", () => $("query").focus()],
  "/": ["go to a document", () => {
    change({ tab: "reports" });
    $("goto").focus();
  }],
  "?": ["these keys", () => $("help").showModal()],
};

// --- start

function connect() {
  reports = new LongList("reports", 26, documentRow, openDocument);
  pairs = new LongList("pairs", 26, pairRow, openPair);
  [reports, pairs].forEach(openOnHover);
  for (const button of document.querySelectorAll("[data-set]")) {
    const [name, value] = button.dataset.set.split(":");
    button.addEventListener("click", () => change({ [name]: value }));
  }
  for (const [mode, name] of Object.entries(head.modes)) document.querySelector(`[data-set="match:${mode}"]`).textContent = name;
  $("match-modes").hidden = Object.keys(head.modes).length < 2;
  $("criteria").hidden = head.criteria.length < 2;
  $("task").title = $("task").textContent = `${head.title}, ${head.config}, protocol ${head.protocol}`;
  $("preset").append(element("option", { value: "" }, "other"), ...head.presets.map(({ name }) => element("option", { value: name }, name)));
  $("preset").addEventListener("change", () => {
    const preset = head.presets.find(({ name }) => name === $("preset").value);
    if (preset) change({ match: preset.match, criterion: preset.criterion, preset: preset.name });
  });
  $("rows").addEventListener("click", KEYS.v[1]);
  $("sort-difference").hidden = corpus.systems.length < 2;
  onResize($("document-body"), drawConnectors);
  $("document-body").addEventListener("scroll", () => {
    if ($("document-body").querySelector(".note.long")) requestAnimationFrame(drawConnectors);
  });
}
