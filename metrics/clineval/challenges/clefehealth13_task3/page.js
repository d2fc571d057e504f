"use strict";
const MOST_RANKS = 2000;

// Ranked lists: what was retrieved for a topic, system beside system, and what was not.

function drawRanking(d) {
  const lists = [...new Set(comparedPair())].map((at) => corpus.systems[at]).map((system) => ({ system, items: system.lists.ranks.of(d) }));
  return element("div", { class: "rankings panes-" + lists.length }, ...lists.map(({ system, items }) => element(
    "table", { class: system.at === view.system ? "" : "other" },
    element("caption", {}, system.name),
    element("thead", {}, element("tr", {}, ...["Rank", "Document", "Score", "Judgment", ""].map((name) => (name ? element("th", { scope: "col" }, name) : element("td", {}))))),
    element("tbody", {}, ...items.slice(0, MOST_RANKS).map((item) => rankRow(item, system))),
    items.length > MOST_RANKS ? element("tfoot", {}, element("tr", {}, element("td", { colspan: 5 }, `${inThousands(items.length - MOST_RANKS)} more: see the list of items, or export it`))) : "",
  )));
}

function rankRow(item, system) {
  const kind = kindOf(item.kind);
  const own = system.at === view.system;
  const name = own ? element("button", { type: "button", class: "link", onclick: () => pick(item.i) }, item.name) : item.name;
  return element(
    "tr", { class: own && item.i === chosenItem() ? "chosen selected" : null },
    element("td", {}, item.rank || "—"), element("td", {}, name), element("td", {}, item.score === null ? "" : String(item.score)),
    element("td", {}, item.judgment ?? "none"), element("td", {}, element("span", { class: "key k-" + kind.look, "aria-hidden": "true" }), kind.label),
  );
}

function detailOfRank(item) {
  const rows = [["Document", item.name], ["Judgment", item.judgment ?? "none"], ["Kind", kindOf(item.kind).meaning]];
  for (const system of corpus.systems) {
    const same = system.lists.ranks.of(item.document).find(({ name }) => name === item.name);
    rows.push([system.name, same?.rank ? `rank ${same.rank}, score ${same.score}` : "not retrieved"]);
  }
  return element("table", { class: "fields" }, element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, String(value))))));
}

// Precision at k and average precision from the ranks of relevant documents.
function checkRankings(system, expect) {
  const precisions = Object.keys(system.scores).filter((key) => /^P_\d+$/.test(key));
  const sums = Object.fromEntries(precisions.map((key) => [key, 0]));
  let average = 0;
  corpus.documents.forEach((_, d) => {
    const items = system.lists.ranks.of(d);
    const ranks = items.filter(({ kind }) => kindOf(kind).name === "relevant").map(({ rank }) => rank);
    const missed = items.filter(({ kind }) => kindOf(kind).name === "missed").length;
    for (const key of precisions) sums[key] += ranks.filter((rank) => rank <= Number(key.slice(2))).length / Number(key.slice(2));
    average += ranks.reduce((sum, rank, k) => sum + (k + 1) / rank, 0) / (ranks.length + missed || 1);
  });
  const topics = system.scores.num_q;
  for (const key of precisions) expect(key, topics ? sums[key] / topics : 0);
  expect("map", topics ? average / topics : 0);
}

const VIEW = {
  groupings: ["judgment"],
  describe: ({ rank, name }) => (rank ? `${rank}. ${name}` : name),
  draw: drawRanking,
  detail: detailOfRank,
  check: checkRankings,
  terms: ({ name }) => [name],
  place: ({ name }) => ({ spans: "", class: name }),
  identify: ({ name }) => name,
  record: ({ rank, name, score, judgment }) => ({ rank, name, score, judgment }),
};
