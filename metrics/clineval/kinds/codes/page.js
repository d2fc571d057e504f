"use strict";

// Codes of documents: what was predicted, best first, system beside system, and what was missed.

function drawCodes(d) {
  const lists = [...new Set(comparedPair())].map((at) => corpus.systems[at]).map((system) => ({ system, items: system.lists.codes.of(d) }));
  const placed = lists.some(({ items }) => items.some(({ gold, system }) => gold || system));
  const headings = ["Rank", "Code", ...(placed ? ["Gold place", "Predicted place"] : []), ""];
  return element("div", { class: "rankings panes-" + lists.length }, ...lists.map(({ system, items }) => element(
    "table", { class: system.at === view.system ? "" : "other" },
    element("caption", {}, system.name),
    element("thead", {}, element("tr", {}, ...headings.map((name) => (name ? element("th", { scope: "col" }, name) : element("td", {}))))),
    element("tbody", {}, ...items.map((item) => codeRow(item, system, placed))),
  )));
}

function codeRow(item, system, placed) {
  const kind = kindOf(item.kind);
  const own = system.at === view.system;
  const name = own ? element("button", { type: "button", class: "link", onclick: () => pick(item.i) }, item.code) : item.code;
  const meaning = codeElement(item.code).slice(1);
  return element(
    "tr", { class: own && item.i === chosenItem() ? "chosen selected" : null },
    element("td", {}, item.rank || "—"), element("td", { class: "named" }, name, ...meaning), ...(placed ? [item.gold, item.system].map((place) => element("td", {}, place)) : []),
    element("td", {}, element("span", { class: "key k-" + kind.look, "aria-hidden": "true" }), kind.label),
  );
}

function detailOfCode(item) {
  const rows = [["Code", withName(item.code)], ["Kind", kindOf(item.kind).meaning]];
  if (item.gold) rows.push(["Gold place", item.gold]);
  for (const system of corpus.systems) {
    const same = system.lists.codes.of(item.document).find(({ code, rank }) => code === item.code && rank);
    rows.push([system.name, same ? `rank ${same.rank}${same.system ? `, ${same.system}` : ""}` : "not predicted"]);
  }
  return element("table", { class: "fields" }, element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, String(value))))));
}

// Mean average precision over the documents with a gold code, as the protocol of the document has it.
// It uses the ranks of all codes, so it cannot be checked if some of them are no items.
function checkCodes(system, expect) {
  if (head.protocol !== "spec" || corpus.extra.scored[corpus.systems.indexOf(system)]) return;
  let [sum, documents] = [0, 0];
  corpus.documents.forEach((_, d) => {
    const items = system.lists.codes.of(d);
    const golds = items.filter(({ unit }) => unit >= 0).length;
    const ranks = items.filter(({ kind }) => kindOf(kind).right).map(({ rank }) => rank);
    if (!golds) return;
    documents += 1;
    sum += ranks.reduce((total, rank, k) => total + (k + 1) / rank, 0) / golds;
  });
  expect("map", documents ? sum / documents : 0);
}

const VIEW = {
  groupings: ["code"],
  describe: ({ rank, code }) => (rank ? `${rank}. ${withName(code)}` : withName(code)),
  draw: drawCodes,
  detail: detailOfCode,
  check: checkCodes,
  terms: ({ code }) => [code, nameOf(code)],
  place: ({ code }) => ({ spans: "", class: code }),
  identify: ({ code }) => code,
  record: ({ rank, code, gold, system }) => ({ rank, code, gold, system }),
};
