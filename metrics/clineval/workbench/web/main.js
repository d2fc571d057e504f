"use strict";
// What is shown, its address, the keyboard.

const NO_FILTER = { verdicts: new Set(), kinds: new Set(), discontiguous: false, code: null, slot: null, phrase: null, compared: null };
const DEFAULT = { system: 0, match: "exact", criterion: "span", show: "both", sort: "errors", tab: "reports", doc: null, m: null, slotShown: null, allClasses: false, ...NO_FILTER };
let view = { ...DEFAULT };
const current = { items: null, rows: [], byDocument: null, order: [], document: -1, pair: -1, measures: null };
let reports;
let pairs;

// --- the view and its address

function toAddress() {
  const [parts, set] = newAddress();
  set("doc", current.document >= 0 ? corpus.documents[current.document] : null);
  set("m", view.m);
  set("match", view.match, null);
  set("crit", view.criterion, null);
  const filters = [...view.verdicts, ...view.kinds, ...(view.discontiguous ? ["discontiguous"] : [])];
  set("f", filters.join(","), "");
  if (view.code !== null) set("class", view.code === "coded" ? "coded" : codeName(view.code));
  if (view.slot) {
    const { values } = head.slots.find((slot) => slot.name === view.slot.name);
    set("slot", view.slot.gold === null ? view.slot.name : `${view.slot.name}:${values[view.slot.gold]}>${values[view.slot.system]}`);
  }
  if (view.phrase !== null) set("phrase", view.phrase);
  set("compared", view.compared, null);
  set("sort", view.sort, DEFAULT.sort);
  set("tab", view.tab, DEFAULT.tab);
  set("show", view.show, DEFAULT.show);
  set("sys", view.system, 0);
  return "#" + parts;
}

function fromAddress(hash) {
  const [parts, among] = readAddress(hash);
  const chosen = (parts.get("f") || "").split(",");
  const code = parts.get("class");
  const codeAt = CLASSES.indexOf(code);
  const phrase = Number(parts.get("phrase"));
  return {
    ...DEFAULT,
    ...startingPoint(),
    system: Number(among("sys", corpus.systems.map((_, at) => String(at)), "0")),
    match: among("match", ["exact", "overlap"], startingPoint().match),
    criterion: among("crit", head.criteria, startingPoint().criterion),
    verdicts: new Set(VERDICTS.filter((name) => chosen.includes(name))),
    kinds: new Set(Object.keys(KINDS).filter((name) => chosen.includes(name))),
    discontiguous: chosen.includes("discontiguous"),
    code: code === "coded" ? code : codeAt >= 0 ? codeAt : null,
    slot: readSlot(parts.get("slot")),
    phrase: phrase > 0 && phrase <= corpus.phrases.length ? phrase : null,
    compared: corpus.systems.length > 1 ? among("compared", COMPARED, null) : null,
    sort: among("sort", Object.keys(SORTS), DEFAULT.sort),
    tab: among("tab", ["reports", "pairs", "frequent"], DEFAULT.tab),
    show: among("show", ["gold", "system", "both", "merged"], DEFAULT.show),
    doc: parts.get("doc"),
    m: /^[gp]\d+$/.test(parts.get("m")) ? parts.get("m") : null,
    slotShown: view.slotShown,
  };
}

// Before anything is chosen: the first measure of the challenge, and its errors.
function startingPoint() {
  const { match, criterion } = head.presets[0] || { match: "exact", criterion: "span" };
  return { match, criterion };
}

function readSlot(text) {
  const [, name, gold, system] = /^([^:]+)(?::(.*)>(.*))?$/.exec(text || "") || [];
  const slot = head.slots.find((known) => known.name === name);
  if (!slot) return null;
  if (gold === undefined) return { name, gold: null, system: null };
  const [g, s] = [slot.values.indexOf(gold), slot.values.indexOf(system)];
  return g < 0 || s < 0 ? null : { name, gold: g, system: s };
}

// --- drawing

const drawnFor = {};

// Do something only if what it depends on has changed.
function when(name, parts, action) {
  const state = JSON.stringify(parts, (_, value) => (value instanceof Set ? [...value] : value));
  if (drawnFor[name] === state) return false;
  drawnFor[name] = state;
  action();
  return true;
}

const filterOf = ({ verdicts, kinds, discontiguous, code, slot, phrase, compared }) => ({ verdicts, kinds, discontiguous, code, slot, phrase, compared });

function refresh() {
  if (!head.criteria.includes(view.criterion)) view.criterion = head.criteria[0];
  const mode = [view.system, view.match, view.criterion];
  const filter = [...mode, filterOf(view)];
  view.slotShown ??= (head.slots.find((slot) => slot.kind === "closed") || head.slots[0]).name;
  when("items", mode, () => {
    current.items = new Items(view0(), view.match, view.criterion);
    current.measures = measureItems(current.items);
  });
  when("rows", filter, () => {
    current.rows = select(current.items, makeFilter(view));
    current.byDocument = countDocuments(current.items, current.rows);
  });
  when("order", [filter, view.sort], () => (current.order = orderDocuments()));
  choose();
  when("statistics", [filter, view.allClasses], drawStatistics);
  when("slots", [filter, view.slotShown], drawSlots);
  when("filters", filter, drawFilters);
  when("comparison", filter, drawComparison);
  when("tab", [view.tab, mode], drawTab);
  drawControls();
  drawLists(filter);
  if (!when("document", [current.document, view.system, view.show], drawDocument)) markSelected();
  drawDetail();
  drawPosition();
}

// Which document and pair are open: what the address says, else the first that is listed.
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

// The first pair of a document that the filter shows, an error if nothing is filtered.
function firstOf(d) {
  const { rows, items, byDocument } = current;
  const from = byDocument.first[d];
  const inside = [...rows.subarray(from, from + byDocument.shown[d])];
  const i = hasFilter() ? inside[0] : inside.find((row) => items.verdicts[row] !== TP) ?? inside[0];
  return i === undefined ? null : items.key(i);
}

// The place of the open mention in the list of pairs; -1 if it is not there.
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
  for (const name of ["reports", "pairs", "frequent"]) {
    $("tab-" + name).setAttribute("aria-selected", String(view.tab === name));
    $("tab-" + name).tabIndex = view.tab === name ? 0 : -1;
    $("panel-" + name).hidden = view.tab !== name;
  }
  if (view.tab === "frequent") drawFrequent();
}

function drawControls() {
  for (const button of document.querySelectorAll("[data-set]")) {
    const [name, value] = button.dataset.set.split(":");
    button.setAttribute("aria-pressed", String(String(view[name]) === value));
    if (name === "criterion") button.hidden = !head.criteria.includes(value);
  }
  const preset = shownPreset();
  $("preset").value = preset ? preset.name : "";
  $("sort").value = view.sort;
  $("system").value = view.system;
  const key = preset && view0().scores[preset.key];
  $("headline").textContent = preset ? `${preset.key} ${share(key)}` : "";
  $("signature").textContent = view0().signature;
}

function drawLists(filter) {
  const count = `${inThousands(current.order.length)} of ${inThousands(corpus.documents.length)}`;
  $("tab-reports").textContent = `Reports ${count}`;
  $("tab-pairs").textContent = `Pairs ${inThousands(current.rows.length)}`;
  const document_ = current.order.indexOf(current.document);
  const heads = view.criterion === "class" ? ["pairs", "wrong", "acc."] : ["FP", "FN", "F1"];
  replace("report-heads", ...["document", "shown", ...heads, "gain"].map((name) => element("span", {}, name)));
  if (!when("reports", [filter, view.sort, view.tab], () => reports.show(current.order.length, document_))) reports.activate(document_);
  if (!when("pairs", [filter, view.tab], () => pairs.show(current.rows.length, current.pair))) pairs.activate(current.pair);
  $("no-pairs").hidden = current.rows.length > 0;
}

function drawPosition() {
  const name = current.document >= 0 ? corpus.documents[current.document] : "";
  $("document-name").textContent = name;
  const where = current.pair >= 0 ? `pair ${inThousands(current.pair + 1)} of ${inThousands(current.rows.length)}` : `${inThousands(current.rows.length)} pairs`;
  $("position").textContent = where;
  announce(`${name}, ${where}`);
  document.body.dataset.document = name;
}

// --- going through documents and pairs

function openPair(k) {
  if (!current.rows.length) return;
  const i = current.rows[(k + current.rows.length) % current.rows.length];
  change({ doc: corpus.documents[current.items.documents[i]], m: current.items.key(i) });
}

// The next pair of the list, or the previous one; from a mention outside it, of its document on.
function stepPair(step) {
  if (current.pair >= 0) return openPair(current.pair + step);
  const d = current.document;
  const place = d >= 0 && current.byDocument.shown[d] ? current.byDocument.first[d] : 0;
  return openPair(step > 0 ? place : place - 1);
}

function openDocument(k) {
  if (k < 0 || k >= current.order.length) return;
  const d = current.order[k];
  change({ doc: corpus.documents[d], m: null });
}

const KEYS = {
  j: ["next pair", () => stepPair(1)],
  k: ["previous pair", () => stepPair(-1)],
  n: ["next document", () => openDocument(current.order.indexOf(current.document) + 1)],
  p: ["previous document", () => openDocument(current.order.indexOf(current.document) - 1)],
  e: ["match mode exact", () => change({ match: "exact" })],
  o: ["match mode overlap", () => change({ match: "overlap" })],
  1: ["criterion Span", () => change({ criterion: "span" })],
  2: ["criterion Class", () => change({ criterion: "class" })],
  3: ["criterion Span & Class", () => change({ criterion: "both" })],
  g: ["show gold", () => change({ show: "gold" })],
  s: ["show system", () => change({ show: "system" })],
  b: ["show both", () => change({ show: "both" })],
  m: ["show merged", () => change({ show: "merged" })],
  x: ["the other system", () => change({ system: (view.system + 1) % corpus.systems.length, m: null })],
  a: ["show all pairs", () => change({ ...NO_FILTER, doc: null, m: null })],
  "/": ["go to a document", () => $("goto").focus()],
  "?": ["these keys", () => $("help").showModal()],
};

// --- starting

function connect() {
  reports = new LongList("reports", 26, documentRow, openDocument);
  pairs = new LongList("pairs", 26, pairRow, openPair);
  for (const button of document.querySelectorAll("[data-set]")) {
    const [name, value] = button.dataset.set.split(":");
    button.addEventListener("click", () => change({ [name]: value }));
  }
  for (const name of ["reports", "pairs", "frequent"]) $("tab-" + name).addEventListener("click", () => change({ tab: name }));
  for (const [mode, name] of Object.entries(head.modes)) document.querySelector(`[data-set="match:${mode}"]`).textContent = name;
  $("criteria").hidden = head.criteria.length < 2;
  $("task").textContent = `${head.title}, ${head.config}, protocol ${head.protocol}`;
  $("tabs").addEventListener("keydown", moveTab);
  $("preset").append(element("option", { value: "" }, "other"), ...head.presets.map(({ name }) => element("option", { value: name }, name)));
  $("preset").addEventListener("change", () => {
    const preset = head.presets.find(({ name }) => name === $("preset").value);
    if (preset) change({ match: preset.match, criterion: preset.criterion });
  });
  $("sort-difference").hidden = corpus.systems.length < 2;
  $("goto").addEventListener("change", goTo);
  onResize($("document-body"), drawConnectors);
}

function moveTab(event) {
  const names = ["reports", "pairs", "frequent"];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const to = names[(names.indexOf(view.tab) + step + 3) % 3];
  change({ tab: to });
  $("tab-" + to).focus();
}

function goTo() {
  const wanted = $("goto").value.trim().toLowerCase();
  const d = corpus.documents.findIndex((name) => name.toLowerCase().includes(wanted));
  $("goto").setCustomValidity(wanted && d < 0 ? "no document of that name" : "");
  $("goto").reportValidity();
  if (wanted && d >= 0) change({ doc: corpus.documents[d], m: null });
}
