"use strict";
// Panes, address and keyboard of the views of lists.

const MAIN = head.measures[0][0];
let reports;
let itemList;

function drawStatistics() {
  const { columns } = modeOf(view.mode);
  const counts = countKinds(current.list);
  const all = addUp(counts);
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
    element("tbody", {}, ...rows.map((row) => element("tr", { class: row.row === null ? "total" : null }, element("th", { scope: "row" }, row.label), ...columns.map((column) => cell(row, column))))),
  ));
}

// The core's scores, of all systems, with the p-value of each difference.
function drawScores() {
  const p = head.comparison?.p_values;
  const names = ["Score", ...corpus.systems.map(({ name }) => name), ...(p ? ["p"] : [])];
  const rows = head.shown_scores.map((key) => element(
    "tr", { class: key === head.headline ? "total" : null }, element("th", { scope: "row" }, key.replaceAll("_", " ")),
    ...corpus.systems.map(({ scores }) => element("td", {}, Number.isInteger(scores[key]) ? inThousands(scores[key]) : share(scores[key]))),
    ...(p ? [element("td", {}, p[key] === undefined ? "" : p[key] < 0.0001 ? "< 0.0001" : p[key].toFixed(4))] : []),
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
  for (const [label, changes] of [[view.row === null ? null : corpus.rows[view.row], { row: null }], [view.compared, { compared: null }]]) {
    if (label) chips.push(element("button", { type: "button", class: "chip only", "aria-pressed": "true", onclick: () => change({ ...changes, doc: null, m: null }) }, label + " ✕"));
  }
  chips.push(element("button", { type: "button", class: "link", onclick: () => change({ ...NO_FILTER, doc: null, m: null }) }, "show all"));
  replace("filters", ...chips);
}

function drawComparison() {
  $("comparison").hidden = corpus.systems.length < 2;
  if (corpus.systems.length < 2) return;
  const cells = COMPARED.map((state) => {
    const n = select(current.list, makeFilter({ ...NO_FILTER, mode: view.mode, compared: state })).length;
    return element("li", {}, element("span", {}, state), element("button", {
      type: "button", class: "cell", "aria-pressed": String(view.compared === state), "aria-label": `${state}: ${n}, show them`,
      onclick: () => change({ ...NO_FILTER, compared: state, tab: "items", doc: null, m: null }),
    }, inThousands(n)));
  });
  const [a, b] = corpus.systems.map(({ name, scores }) => `${name} ${share(scores[head.headline])}`);
  replace("comparison", element("span", {}, `${a} → ${b}`), element("ul", {}, ...cells));
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
  const gap = (d) => (corpus.systems.length < 2 ? 0 : Math.abs(corpus.measures[0][MAIN][d] - corpus.measures[1][MAIN][d]));
  return found.sort(orders[view.sort] || orders.errors);
}

const hasFilter = () => view.row !== null || view.kinds.size || view.compared;
const shownNumber = (x) => (Number.isInteger(x) ? inThousands(x) : x.toFixed(3));

function documentRow(k) {
  const d = current.order[k];
  return element(
    "div", { class: "document-row lists" }, element("span", { class: "name", title: corpus.documents[d] }, corpus.documents[d]),
    element("span", { class: "number matched" }, inThousands(current.counts[d])), element("span", { class: "number" }, inThousands(errorsOf(d))),
    ...head.measures.map(([name]) => element("span", { class: "number" }, shownNumber(measureOf(name, d)))),
  );
}

function itemRow(k) {
  const item = { i: current.rows[k], ...current.list.item(current.rows[k]) };
  const kind = kindOf(item.kind);
  return element(
    "div", { class: "item-row" }, element("span", { class: "key k-" + kind.look, "aria-hidden": "true" }), element("span", { class: "verdict" }, kind.label),
    element("span", { class: "words" }, VIEW.describe(item)), element("span", { class: "name", title: corpus.documents[item.document] }, corpus.documents[item.document]),
  );
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
  set("sort", view.sort, DEFAULT.sort);
  set("tab", view.tab, DEFAULT.tab);
  set("sys", view.system, 0);
  return "#" + parts;
}

function fromAddress(hash) {
  const [parts, among] = readAddress(hash);
  const chosen = (parts.get("f") || "").split(",");
  const row = corpus.rows.indexOf(parts.get("row"));
  return {
    ...DEFAULT,
    system: Number(among("sys", corpus.systems.map((_, at) => String(at)), "0")),
    mode: among("mode", head.modes.map(({ name }) => name), DEFAULT.mode),
    kinds: new Set(head.kinds.map(({ name }) => name).filter((name) => chosen.includes(name))),
    row: row < 0 ? null : row,
    compared: corpus.systems.length > 1 ? among("compared", COMPARED, null) : null,
    sort: among("sort", ["errors", "matches", "score", "name", "difference"], DEFAULT.sort),
    tab: among("tab", ["reports", "items"], DEFAULT.tab),
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
  for (const draw of [drawStatistics, drawScores, drawFilters, drawComparison, drawControls, drawDocument, drawDetail]) draw();
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
  for (const name of ["reports", "items"]) {
    $("tab-" + name).setAttribute("aria-selected", String(view.tab === name));
    $("tab-" + name).tabIndex = view.tab === name ? 0 : -1;
    $("panel-" + name).hidden = view.tab !== name;
  }
  $("system").value = view.system;
  $("sort").value = view.sort;
  $("headline").textContent = `${head.headline} ${share(system0().scores[head.headline])}`;
  $("signature").textContent = system0().signature;
  $("tab-reports").textContent = `${head.document_title} ${inThousands(current.order.length)} of ${inThousands(corpus.documents.length)}`;
  $("tab-items").textContent = `Items ${inThousands(current.rows.length)}`;
  replace("report-heads", ...["", "shown", "errors", ...head.measures.map(([, label]) => label)].map((name) => element("span", {}, name)));
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
  if (drawn) reveal($("document-body"), drawn.querySelector(".selected"));
}

function drawDetail() {
  const i = chosenItem();
  replace("detail-body", i === null ? element("p", { class: "empty" }, "Choose an item.") : VIEW.detail({ i, ...current.list.item(i) }));
}

function openItem(k) {
  if (!current.rows.length) return;
  const i = current.rows[(k + current.rows.length) % current.rows.length];
  const d = current.list.columns.document[i];
  change({ doc: corpus.documents[d], m: i - current.list.first[d] });
}

// Open an item of the open document, such as one that was pressed there.
const pick = (i) => change({ m: i - current.list.first[current.document] });

function openDocument(k) {
  if (k >= 0 && k < current.order.length) change({ doc: corpus.documents[current.order[k]], m: null });
}

const KEYS = {
  j: ["next item", () => openItem(current.item + 1)],
  k: ["previous item", () => openItem(current.item - 1)],
  n: ["next document", () => openDocument(current.order.indexOf(current.document) + 1)],
  p: ["previous document", () => openDocument(current.order.indexOf(current.document) - 1)],
  x: ["the other system", () => change({ system: (view.system + 1) % corpus.systems.length, m: null })],
  a: ["show all items", () => change({ ...NO_FILTER, doc: null, m: null })],
  "?": ["these keys", () => $("help").showModal()],
};

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
  itemList = new LongList("items", 26, itemRow, openItem);
  $("modes").append(...head.modes.map(({ name, label }) => element("button", { type: "button", "data-mode": name, onclick: () => change({ mode: name, ...NO_FILTER, m: null }) }, label)));
  $("modes").hidden = head.modes.length < 2;
  for (const name of ["reports", "items"]) $("tab-" + name).addEventListener("click", () => change({ tab: name, ...(name === "items" && current.item < 0 ? { doc: null } : {}) }));
  $("tabs").addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const to = view.tab === "reports" ? "items" : "reports";
    change({ tab: to });
    $("tab-" + to).focus();
  });
  const sorts = { errors: "most errors", matches: "most shown", score: `lowest ${head.measures[0][1]}`, name: "name", ...(corpus.systems.length > 1 ? { difference: "systems differ most" } : {}) };
  $("sort").append(...Object.entries(sorts).map(([value, label]) => element("option", { value }, label)));
  $("task").textContent = `${head.title}, protocol ${head.protocol}`;
  $("legend").append(...head.kinds.map(({ label, look, meaning }) => element("li", {}, element("span", { class: "key k-" + look, "aria-hidden": "true" }), `${label}: ${meaning}`)));
}
