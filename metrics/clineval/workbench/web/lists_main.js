"use strict";
// Panes, address and keyboard of the views of lists.

const MAIN = head.measures[0][0];
let reports;
let itemList;

function drawStatistics() {
  const { columns } = modeOf(view.mode);
  const counts = countKinds(current.list);
  const all = addUp(counts);
  const chosen = chosenItem() === null ? null : current.list.columns.row[chosenItem()];
  const rows = [{ label: "All", row: null, counts: all }, ...corpus.rows.map((label, row) => ({ label, row, counts: counts[row] }))]
    .filter(({ row, counts: own }) => row === null || own.some((n) => n));
  const cell = ({ label, row, counts: own }, { label: name, kinds }) => {
    const n = total(own, kinds);
    const pressed = view.row === row && kinds.length === view.kinds.size && kinds.every((kind) => view.kinds.has(kind)) && !view.compared;
    return element("td", {}, element("button", {
      type: "button", class: "cell", "aria-pressed": String(pressed), "aria-label": `${label}: ${name} ${n}, show them`,
      onclick: () => change({ ...NO_FILTER, kinds: new Set(kinds), row, tab: "items", doc: null, m: null }),
    }, inThousands(n)));
  };
  replace("statistics-body", element(
    "table", {},
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, head.row_title), ...columns.map(({ label }) => element("th", { scope: "col" }, label)))),
    element("tbody", {}, ...rows.map((row) => element("tr", { class: row.row === null ? "total" : row.row === chosen ? "chosen" : null, "aria-current": row.row !== null && row.row === chosen ? "true" : null }, element("th", { scope: "row" }, row.label), ...columns.map((column) => cell(row, column))))),
  ));
  const row = $("statistics-body").querySelector("tr.chosen");
  if (row && current.touched) revealBelow($("statistics-body"), row, 28);
}

// The core's scores, of all systems, with the p-value of each difference.
function drawScores() {
  const p = head.comparison && view.base === 0;
  const names = ["Score", ...corpus.systems.map(({ name }) => name), ...(p ? [corpus.systems.length > 2 ? `p, ${corpus.systems[view.other].name}` : "p"] : [])];
  const rows = head.shown_scores.map((key) => element(
    "tr", { class: key === head.headline ? "total" : null }, element("th", { scope: "row" }, key.replaceAll("_", " ")),
    ...corpus.systems.map(({ scores }, at) => element("td", { title: showInterval(at, key) || null }, Number.isInteger(scores[key]) ? inThousands(scores[key]) : share(scores[key]))),
    ...(p ? [element("td", {}, differenceOf(view.other, key) ? smallP(differenceOf(view.other, key).p) : "")] : []),
  ));
  const how = p ? element("p", { class: "empty" }, head.comparison.exact ? "p is exact" : head.comparison.test) : null;
  replace("slots-body", element("table", {}, element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows)), how);
}

function drawFilters() {
  const others = (changes) => select(current.list, makeFilter({ ...view, ...changes })).length;
  const toggle = (name) => {
    const kinds = new Set(view.kinds);
    if (!kinds.delete(name)) kinds.add(name);
    change({ kinds, doc: null, m: null });
  };
  const { kinds: used } = modeOf(view.mode);
  const chips = head.kinds.filter(({ name }) => used.includes(name)).map(({ name, label, look }) => element(
    "button", { type: "button", class: "chip", "aria-pressed": String(view.kinds.has(name)), onclick: () => toggle(name) },
    element("span", { class: "key k-" + look, "aria-hidden": "true" }), `${label} ${inThousands(others({ kinds: new Set([name]) }))}`,
  ));
  for (const [tag, label] of tagChoices()) {
    chips.push(element("button", { type: "button", class: "chip", "aria-pressed": String(view.tag === tag), onclick: () => change({ tag: view.tag === tag ? null : tag, doc: null, m: null }) }, element("span", { class: "key k-remark", "aria-hidden": "true" }), `${label} ${inThousands(others({ tag }))}`));
  }
  for (const [label, changes] of [[view.row === null ? null : corpus.rows[view.row], { row: null }], [view.compared, { compared: null }], ...searchChip()]) {
    if (label) chips.push(element("button", { type: "button", class: "chip only", "aria-pressed": "true", onclick: () => change({ ...changes, doc: null, m: null }) }, label + " ✕"));
  }
  chips.push(element("button", { type: "button", class: "link", onclick: () => change({ ...NO_FILTER, doc: null, m: null }) }, "show all"));
  replace("filters", ...chips);
}

// --- Reports and Items

const errorsOf = (d) => {
  let errors = 0;
  for (let i = current.list.first[d]; i < current.list.first[d + 1]; i++) errors += !kindOf(current.list.columns.kind[i]).right;
  return errors;
};
const measureOf = (name, d) => corpus.measures[view.system][name][d];

function orderDocuments() {
  const found = corpus.documents.map((_, d) => d).filter((d) => !hasFilter() || current.counts[d]);
  const errors = corpus.documents.map((_, d) => errorsOf(d));
  const orders = {
    errors: (a, b) => errors[b] - errors[a] || a - b,
    matches: (a, b) => current.counts[b] - current.counts[a] || a - b,
    score: (a, b) => measureOf(MAIN, a) - measureOf(MAIN, b) || a - b,
    name: (a, b) => (corpus.documents[a] < corpus.documents[b] ? -1 : 1),
    difference: (a, b) => gap(b) - gap(a) || a - b,
  };
  const gap = (d) => (corpus.systems.length < 2 ? 0 : Math.abs(corpus.measures[view.base][MAIN][d] - corpus.measures[view.other][MAIN][d]));
  return found.sort(orders[view.sort] || orders.errors);
}

const hasFilter = (besides = {}) => isFiltered({ ...view, ...besides });
const isFiltered = ({ row, kinds, compared, query, tag }) => row !== null || kinds.size || compared || query || tag !== null;
const shownNumber = (x) => (Number.isInteger(x) ? inThousands(x) : x.toFixed(3));

function documentRow(k) {
  const d = current.order[k];
  return element(
    "div", { class: "document-row lists" }, nameElement(corpus.documents[d]),
    element("span", { class: "number matched" }, inThousands(current.counts[d])), element("span", { class: "number" }, inThousands(errorsOf(d))),
    ...head.measures.map(([name]) => element("span", { class: "number" }, shownNumber(measureOf(name, d)))),
  );
}

function itemRow(k) {
  const item = { i: current.rows[k], ...current.list.item(current.rows[k]) };
  const kind = kindOf(item.kind);
  return element(
    "div", { class: "item-row" }, element("span", { class: "key k-" + kind.look, "aria-hidden": "true" }), element("span", { class: "verdict" }, kind.label),
    describedElement(item), nameElement(corpus.documents[item.document]),
  );
}

// What an item says; a view may have words for it once the text is unpacked.
function describedElement(item) {
  const made = element("span", { class: "words" }, VIEW.describe(item));
  if (VIEW.describeWords) textOf(item.document).then((text) => text !== null && made.replaceChildren(VIEW.describeWords(item, text)));
  return made;
}

// --- the view and its address

function toAddress() {
  const [parts, set] = newAddress();
  set("doc", current.document >= 0 ? corpus.documents[current.document] : null);
  set("m", view.m);
  set("mode", view.mode, head.modes[0].name);
  set("f", [...view.kinds].join(","), "");
  set("row", view.row === null ? null : corpus.rows[view.row]);
  set("compared", view.compared);
  if (view.tag !== null) parts.set("tag", view.tag);
  searchToAddress(set);
  set("sort", view.sort, DEFAULT.sort);
  set("tab", view.tab, DEFAULT.tab);
  pairToAddress(set);
  return "#" + parts;
}

function fromAddress(hash) {
  const [parts, among] = readAddress(hash);
  const chosen = (parts.get("f") || "").split(",");
  const row = corpus.rows.indexOf(parts.get("row"));
  return {
    ...DEFAULT,
    ...pairFromAddress(parts),
    ...searchFromAddress(parts),
    mode: among("mode", head.modes.map(({ name }) => name), DEFAULT.mode),
    kinds: new Set(head.kinds.map(({ name }) => name).filter((name) => chosen.includes(name))),
    row: row < 0 ? null : row,
    compared: corpus.systems.length > 1 ? among("compared", COMPARED, null) : null,
    tag: parts.get("tag"),
    sort: among("sort", ["errors", "matches", "score", "name", "difference"], DEFAULT.sort),
    tab: among("tab", TABS, DEFAULT.tab),
    doc: parts.get("doc"),
    m: /^\d+$/.test(parts.get("m")) ? Number(parts.get("m")) : null,
  };
}

function refresh() {
  current.list = system0().lists[view.mode];
  current.rows = select(current.list, makeFilter(view));
  current.counts = new Int32Array(corpus.documents.length);
  for (const i of current.rows) current.counts[current.list.columns.document[i]]++;
  current.order = orderDocuments();
  choose();
  for (const draw of [drawStatistics, drawScores, drawFilters, drawComparison, drawControls, drawSearch, drawDocument, drawDetail]) draw();
}

// The open document and item; m is the item's number in its document.
function choose() {
  const { columns, first } = current.list;
  let d = view.doc === null ? -1 : corpus.documents.indexOf(view.doc);
  if (d < 0) {
    d = view.tab === "items" && current.rows.length ? columns.document[current.rows[0]] : current.order[0] ?? -1;
    view.m = null;
  }
  current.document = d;
  current.item = -1;
  view.doc = d < 0 ? null : corpus.documents[d];
  if (d < 0) return;
  if (view.m === null || first[d] + view.m >= first[d + 1]) {
    const inside = current.rows.filter((i) => columns.document[i] === d);
    const chosen = inside.find((i) => !kindOf(columns.kind[i]).right) ?? inside[0];
    view.m = chosen === undefined ? null : chosen - first[d];
  }
  current.item = view.m === null ? -1 : current.rows.indexOf(first[d] + view.m);
}

const chosenItem = () => (current.document < 0 || view.m === null ? null : current.list.first[current.document] + view.m);

function drawControls() {
  for (const button of document.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(button.dataset.mode === view.mode));
  drawTabs();
  $("system").value = view.system;
  $("sort").value = view.sort;
  $("headline").textContent = `${head.headline} ${share(system0().scores[head.headline])}`;
  $("headline-interval").textContent = showInterval(view.system, head.headline);
  $("signature").textContent = system0().signature;
  $("tab-reports").textContent = `${head.document_title} ${inThousands(current.order.length)} of ${inThousands(corpus.documents.length)}`;
  $("tab-items").textContent = `Items ${inThousands(current.rows.length)}`;
  const sorts = ["name", "matches", "errors", "score"];
  replace("report-heads", ...["document", "shown", "errors", ...head.measures.map(([, label]) => label)].map((name, k) => reportHead(name, sorts[k])));
  reports.show(current.order.length, current.order.indexOf(current.document));
  itemList.show(current.rows.length, current.item);
  $("no-pairs").hidden = current.rows.length > 0;
  const name = current.document < 0 ? "" : corpus.documents[current.document];
  $("document-name").textContent = name;
  $("document-measures").textContent = current.document < 0 ? "" : head.measures.map(([key, label]) => `${label} ${shownNumber(measureOf(key, current.document))}`).join("  ");
  $("position").textContent = current.item >= 0 ? `item ${inThousands(current.item + 1)} of ${inThousands(current.rows.length)}` : `${inThousands(current.rows.length)} items`;
  announce(`${name}, ${$("position").textContent}`);
}

async function drawDocument() {
  const drawn = await fillDocument((d, text) => VIEW.draw(d, text));
  if (!drawn) return;
  reveal($("document-body"), drawn.querySelector(".selected"));
  markHits();
}

function drawDetail() {
  const i = chosenItem();
  if (i === null) return replace("detail-body", element("p", { class: "empty" }, "Choose an item."));
  const item = { i, ...current.list.item(i) };
  return replace("detail-body", drawRemark(placeOfItem(item)), VIEW.detail(item));
}

function openItem(k, how) {
  if (!current.rows.length) return;
  const i = current.rows[(k + current.rows.length) % current.rows.length];
  const d = current.list.columns.document[i];
  change({ doc: corpus.documents[d], m: i - current.list.first[d] }, how);
}

// Open an item of the open document, such as one that was pressed there.
const pick = (i) => change({ m: i - current.list.first[current.document] });

function openDocument(k) {
  if (k >= 0 && k < current.order.length) change({ doc: corpus.documents[current.order[k]], m: null });
}

const TABS = ["reports", "items", "hits"];
const onTab = (name) => (name === "items" && current.item < 0 ? { doc: null } : {});

const KEYS = {
  j: ["next item", () => openItem(current.item + 1, { step: true })],
  k: ["previous item", () => openItem(current.item - 1, { step: true })],
  n: ["next document", () => openDocument(current.order.indexOf(current.document) + 1)],
  p: ["previous document", () => openDocument(current.order.indexOf(current.document) - 1)],
  x: ["the other system", () => change(otherSystem())],
  a: ["show all items", () => change({ ...NO_FILTER, doc: null, m: null })],
  ...Object.fromEntries(head.modes.length < 2 ? [] : head.modes.map(({ name, label }, k) => [k + 1, [label, () => change({ mode: name, ...NO_FILTER, m: null })]])),
  "/": ["go to a document", () => {
    change({ tab: "reports" });
    $("goto").focus();
  }],
  f: ["search", () => $("query").focus()],
  "?": ["these keys", () => $("help").showModal()],
};

// --- remarks

// What a remark on an item is on: what the gold standard has, or a system alone.
function placeOfItem(item) {
  const gold = item.unit >= 0;
  return { document: corpus.documents[item.document], side: gold ? "gold" : system0().name, ...VIEW.place(item, gold) };
}

// The items that remarks are on: list to item to remark, and which remarks there are here.
function findPlaces(all) {
  const found = { rows: new Map(), known: new Set() };
  const numbers = new Map(corpus.documents.map((name, d) => [visible(name), d]));
  for (const [key, remark] of all) {
    const d = numbers.get(visible(remark.document));
    for (const { name, lists } of d === undefined ? [] : corpus.systems) {
      for (const list of Object.values(lists)) {
        for (const item of list.of(d)) {
          const gold = item.unit >= 0;
          const place = { document: corpus.documents[d], side: gold ? "gold" : name, ...VIEW.place(item, gold) };
          if (keyOf(place) !== key) continue;
          if (!found.rows.has(list)) found.rows.set(list, new Map());
          found.rows.get(list).set(item.i, remark);
          found.known.add(key);
        }
      }
    }
  }
  return found;
}

// --- searching

// Looks which items of each document match: those that say a word of the pattern.
function makeMatcher(pattern) {
  const found = { matched: new Map() };
  const lists = corpus.systems.flatMap((system) => Object.values(system.lists));
  for (const list of lists) found.matched.set(list, new Uint8Array(list.size));
  const look = (d, _, text) => {
    for (const list of lists) {
      for (let i = list.first[d]; i < list.first[d + 1]; i++) {
        found.matched.get(list)[i] = VIEW.terms(list.item(i), text).some((term) => matches(pattern, term));
      }
    }
  };
  return { found, look };
}

// Items have no places in the note's text: their document must have one that the filters show.
function hitPasses({ d }) {
  const filter = makeFilter({ ...view, ...NO_SEARCH });
  const list = current.list;
  for (let i = list.first[d]; i < list.first[d + 1]; i++) if (filter(list, i)) return true;
  return false;
}

const keyAt = () => null;

// --- files

function exportedItems() {
  return current.rows.map((i) => {
    const { document: d, row, kind, unit: _, ...own } = current.list.item(i);
    return { document: corpus.documents[d], [head.row_title.toLowerCase()]: corpus.rows[row], kind: kindOf(kind).name, ...VIEW.record(own) };
  });
}

// The same table as `clineval report --store-measures FILE` writes.
function outcomeMeasures() {
  const rows = [["system", "counting", head.row_title.toLowerCase(), ...head.kinds.map(({ name }) => name)]];
  for (const { name, lists } of corpus.systems) {
    for (const mode of head.modes) {
      const counts = countKinds(lists[mode.name]);
      rows.push([name, mode.name, "All", ...addUp(counts)]);
      counts.forEach((own, row) => own.some((n) => n) && rows.push([name, mode.name, corpus.rows[row], ...own]));
    }
  }
  return toCsv(rows);
}

const EXPORTS = {
  ...REMARK_EXPORTS,
  "items-csv": () => {
    const records = exportedItems();
    const names = Object.keys(records[0] || {});
    save("items.csv", "text/csv", toCsv([names, ...records.map((record) => names.map((name) => record[name] ?? ""))]));
  },
  "items-json": () => save("items.json", "application/json", JSON.stringify({ module: head.module, counting: view.mode, system: system0().name, signature: system0().signature, items: exportedItems() }, null, 1) + "\n"),
  measures: () => save("outcome_measures.csv", "text/csv", outcomeMeasures()),
  scores: () => save("scores.json", "application/json", JSON.stringify(head.systems, null, 1) + "\n"),
};

// --- starting

function connect() {
  document.body.classList.add("view-" + head.view);
  reports = new LongList("reports", 26, documentRow, openDocument);
  itemList = new LongList("items", 26, itemRow, (k) => openItem(k));
  $("modes").append(...head.modes.map(({ name, label }) => element("button", { type: "button", "data-mode": name, onclick: () => change({ mode: name, ...NO_FILTER, m: null }) }, label)));
  $("modes").hidden = head.modes.length < 2;
  const sorts = { errors: "most errors", matches: "most shown", score: `lowest ${head.measures[0][1]}`, name: "name", ...(corpus.systems.length > 1 ? { difference: "systems differ most" } : {}) };
  $("sort").append(...Object.entries(sorts).map(([value, label]) => element("option", { value }, label)));
  $("task").textContent = `${head.title}, protocol ${head.protocol}`;
  $("legend").append(...head.kinds.map(({ label, look, meaning }) => element("li", {}, element("span", { class: "key k-" + look, "aria-hidden": "true" }), `${label}: ${meaning}`)));
}
