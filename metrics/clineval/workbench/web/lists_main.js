"use strict";
// Views of lists: state, address, keyboard, files.

let reports;
let itemList;

// --- the view and its address

function toAddress() {
  const [parts, set] = newAddress();
  commonToAddress(parts, set);
  set("mode", view.mode, head.modes[0].name);
  set("f", [...view.kinds].join(","), "");
  return "#" + parts;
}

function fromAddress(hash) {
  const [parts, among] = readAddress(hash);
  const chosen = (parts.get("f") || "").split(",");
  return {
    ...commonFromAddress(parts, among),
    mode: among("mode", head.modes.map(({ name }) => name), DEFAULT.mode),
    kinds: new Set(head.kinds.map(({ name }) => name).filter((name) => chosen.includes(name))),
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
  $("headline").textContent = `${head.headline} ${share(scoreOfSystem(system0(), head.headline))}`;
  $("headline-interval").textContent = showInterval(view.system, head.headline);
  $("signature").textContent = shownSignature(system0());
  $("tab-reports").textContent = `${head.document_title} ${inThousands(current.order.length)} of ${inThousands(corpus.documents.length)}`;
  $("tab-items").textContent = `Items ${inThousands(current.rows.length)}`;
  const sorts = ["name", "matches", "errors", "score", ...head.measures.slice(1).map(([name]) => name)];
  replace("report-heads", ...["document", "shown", "errors", ...head.measures.map(([, label]) => label)].map((name, k) => reportHead(name, sorts[k])));
  reports.show(current.order.length, current.order.indexOf(current.document));
  itemList.show(current.rows.length, current.item);
  drawNothing();
  const name = current.document < 0 ? "" : corpus.documents[current.document];
  $("document-name").title = $("document-name").textContent = name;
  $("document-measures").textContent = current.document < 0 ? "" : head.measures.map(([key, label]) => `${label} ${shownMeasure(key, current.document)}`).join("  ");
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

// Open an item of the open document, such as one that the reader pressed.
const pick = (i) => change({ m: i - current.list.first[current.document] });

function openDocument(k, how) {
  if (k >= 0 && k < current.order.length) change({ doc: corpus.documents[current.order[k]], m: null }, how);
}

const TABS = ["reports", "items", "hits"];
const onTab = (name) => (name === "items" && current.item < 0 ? { doc: null } : {});

const KEYS = {
  j: ["next item", () => openItem(current.item + 1, { step: true })],
  k: ["previous item", () => openItem(current.item - 1, { step: true })],
  n: ["next document", () => openDocument(current.order.indexOf(current.document) + 1)],
  p: ["previous document", () => openDocument(current.order.indexOf(current.document) - 1)],
  ...PANE_KEYS,
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

// --- files

function exportedItems() {
  return current.rows.map((i) => {
    const { document: d, row, kind, unit: _, ...own } = current.list.item(i);
    return { document: corpus.documents[d], [head.row_title.toLowerCase()]: corpus.rows[row], kind: kindOf(kind).name, ...VIEW.record(own) };
  });
}

// The table that `clineval report --store-measures FILE` writes.
function outcomeMeasures() {
  const rows = [["system", "counting", head.row_title.toLowerCase(), ...head.kinds.map(({ name }) => name), "score", "value"]];
  for (const { name, lists } of corpus.systems) {
    for (const mode of head.modes) {
      const counts = countKinds(lists[mode.name]);
      rows.push([name, mode.name, "All", ...addUp(counts), "", ""]);
      counts.forEach((own, row) => own.some((n) => n) && rows.push([name, mode.name, corpus.rows[row], ...own, "", ""]));
    }
  }
  return toCsv([...rows, ...scoreRows(1, head.kinds.length)]);
}

const EXPORTS = {
  ...COPIES,
  ...PRINTS,
  ...REMARK_EXPORTS,
  "items-csv": () => {
    const records = exportedItems();
    const names = Object.keys(records[0] || {});
    save("items.csv", "text/csv", toCsv([names, ...records.map((record) => names.map((name) => record[name] ?? ""))]));
  },
  "items-json": () => save("items.json", "application/json", JSON.stringify({ module: head.module, counting: view.mode, system: system0().name, signature: system0().signature, items: exportedItems() }, null, 1) + "\n"),
  measures: () => save("outcome_measures.csv", "text/csv", outcomeMeasures()),
  scores: () => save("scores.json", "application/json", JSON.stringify(head.systems.map((system) => ({ ...system, warnings: head.warnings })), null, 1) + "\n"),
};

// --- starting

function connect() {
  document.querySelector("main").style.setProperty("--numbers", 2 + head.measures.length);
  reports = new LongList("reports", 26, documentRow, openDocument);
  itemList = new LongList("items", 26, itemRow, openItem);
  [reports, itemList].forEach(openOnHover);
  $("modes").append(...head.modes.map(({ name, label }) => element("button", { type: "button", "data-mode": name, onclick: () => change({ mode: name, ...NO_FILTER, m: null }) }, label)));
  $("modes").hidden = head.modes.length < 2;
  const sorts = { errors: "most errors", matches: "most shown", score: `lowest ${head.measures[0][1]}`, ...Object.fromEntries(head.measures.slice(1).map(([name, label]) => [name, `lowest ${label}`])), name: "name", ...(corpus.systems.length > 1 ? { difference: "systems differ most" } : {}) };
  $("sort").append(...Object.entries(sorts).map(([value, label]) => element("option", { value }, label)));
  $("task").title = $("task").textContent = `${head.title}, protocol ${head.protocol}`;
  $("legend").append(...head.kinds.map(({ label, look, meaning }) => element("li", {}, element("span", { class: "key k-" + look, "aria-hidden": "true" }), `${label}: ${meaning}`)));
}
