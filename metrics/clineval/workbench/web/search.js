"use strict";
// Search for a phrase, a code or a regular expression in notes and items. A view decides which of its
// items match (makeMatcher), and which hits in notes pass its filters (hitPasses).

const NO_SEARCH = { query: "", regular: false };
const MOST_HITS = 100000;
const TYPING = 250; // milliseconds after the last key, so that the search waits until the reader stops typing
let hitList;

const searchKey = () => (view.query ? JSON.stringify([view.query, view.regular]) : "");
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

// A phrase matches any white space between its words and ignores case; null if the pattern is invalid.
function patternOf(query, regular) {
  try {
    return new RegExp(regular ? query : query.trim().split(/\s+/).map(escaped).join("\\s+"), "giu");
  } catch {
    return null;
  }
}

function matches(pattern, text) {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

// The ranges in a text that match a pattern, in UTF-16 units.
function findIn(pattern, text) {
  const found = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[0]) found.push([match.index, match.index + match[0].length]);
    else pattern.lastIndex += text.codePointAt(match.index) > 0xffff ? 2 : 1;
  }
  return found;
}

// Search document by document; draw when all documents are done.
async function search() {
  const key = searchKey();
  if (!key || current.searching === key) return;
  current.searching = key;
  const pattern = patternOf(view.query, view.regular);
  const [hits, matcher] = [[], makeMatcher(pattern ?? /(?!)/u)];
  for (let d = 0; pattern && d < corpus.documents.length; d++) {
    const text = await textOf(d);
    if (key !== searchKey()) {
      if (current.searching === key) current.searching = null; // the search did not finish, so the same query may start again
      return;
    }
    const units = text === null ? [] : findIn(pattern, text);
    const points = units.length ? pointsOf(text, units) : [];
    units.forEach(([from, to], k) => hits.length < MOST_HITS && hits.push({ d, from, to, start: points[k][0], end: points[k][1] }));
    matcher.look(d, points, text);
  }
  current.found = { key, hits, ...matcher.found };
  refresh();
}

const foundNow = () => (current.found?.key === searchKey() ? current.found : null);

// The hits in notes: all, or those that pass the other filters.
function shownHits() {
  const found = view.query ? foundNow() : null;
  if (!found) return [];
  return hasFilter(NO_SEARCH) ? found.hits.filter(hitPasses) : found.hits;
}

function drawSearch() {
  search();
  current.hits = shownHits();
  const waiting = view.query && !foundNow();
  if (document.activeElement !== $("query") && !current.refused) {
    $("query").value = view.query;
    $("regular").checked = view.regular;
  }
  $("tab-hits").hidden = !view.query || !head.text;
  $("tab-hits").textContent = waiting ? "Hits …" : `Hits ${inThousands(current.hits.length)}${current.found?.hits.length >= MOST_HITS ? "+" : ""}`;
  $("no-hits").hidden = current.hits.length > 0 || Boolean(waiting);
  hitList.show(current.hits.length, current.hits.indexOf(current.hit));
  if ($("document-body").dataset.document === corpus.documents[current.document]) markHits(false); // otherwise they are marked once it is drawn
  document.body.dataset.searched = waiting ? "" : view.query;
}

function hitRow(k) {
  const { d, from, to } = current.hits[k];
  const words = element("span", { class: "words" });
  textOf(d).then((text) => {
    if (text === null) return;
    const plainly = (part) => part.replace(/\s+/g, " ");
    words.replaceChildren(plainly(text.slice(Math.max(0, from - 24), from)), element("b", {}, plainly(text.slice(from, to))), plainly(text.slice(to, to + 60)));
  });
  return element("div", { class: "hit-row" }, words, nameElement(d));
}

function openHit(k) {
  const hit = current.hits[k];
  current.hit = hit;
  change({ doc: corpus.documents[hit.d], m: keyAt(hit) });
  markHits();
}

// Mark the hits in the open document; scroll to the chosen one if `scrolls` is true.
function markHits(scrolls = true) {
  if (!globalThis.Highlight) return;
  const ranges = [];
  let chosen = null;
  const own = view.query && foundNow() ? foundNow().hits.filter(({ d }) => d === current.document) : [];
  for (const pane of own.length ? textPanes() : []) {
    const nodes = textNodes(pane);
    for (const hit of own) {
      const range = rangeOf(nodes, hit.from, hit.to);
      if (!range) continue;
      ranges.push(range);
      if (hit === current.hit) chosen ??= range;
    }
  }
  CSS.highlights.set("hit", new Highlight(...ranges));
  CSS.highlights.set("chosen-hit", new Highlight(...(chosen ? [chosen] : [])));
  if (!chosen || !scrolls) return;
  const [inner, outer] = [chosen.getBoundingClientRect(), $("document-body").getBoundingClientRect()];
  if (inner.top < outer.top + 28 || inner.bottom > outer.bottom - 28) $("document-body").scrollTop += inner.top - outer.top - outer.height / 3;
}

// The elements that hold the open note's text, one list for each copy of it on the page.
function textPanes() {
  const box = $("document-body");
  const lines = [...box.querySelectorAll(".line[data-pane]")];
  const panes = [...new Set(lines.map(({ dataset }) => dataset.pane))].map((pane) => lines.filter(({ dataset }) => dataset.pane === pane));
  return [...panes, [...box.querySelectorAll(".record .line")], [...box.querySelectorAll(".prose")]].filter((pane) => pane.length);
}

function textNodes(elements) {
  const found = { nodes: [], starts: [] };
  let at = 0;
  for (const each of elements) {
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      found.nodes.push(walker.currentNode);
      found.starts.push(at);
      at += walker.currentNode.length;
    }
  }
  return found;
}

function rangeOf({ nodes, starts }, from, to) {
  const place = (unit) => {
    const k = lastUpTo(starts, unit);
    return k < 0 || unit - starts[k] > nodes[k].length ? null : [nodes[k], unit - starts[k]];
  };
  const [first, last] = [place(from), place(to)];
  if (!first || !last) return null;
  const range = document.createRange();
  range.setStart(...first);
  range.setEnd(...last);
  return range;
}

// The search as an active restriction, with the change that removes it.
const searchChip = () => (view.query ? [[view.regular ? `/${view.query}/` : `“${view.query}”`, NO_SEARCH]] : []);

function searchToAddress(set) {
  set("q", view.query, "");
  if (view.query) set("re", view.regular ? 1 : null);
}

// Show the problem of an invalid pattern, which stays in its box; the view does not change.
function refusePattern(query, regular) {
  current.refused = patternOf(query, regular) === null;
  const problem = current.refused ? "This is not a valid regular expression, so it is not applied." : "";
  $("query").setCustomValidity(problem);
  $("query").setAttribute("aria-invalid", String(current.refused));
  $("query-problem").textContent = problem;
  return current.refused;
}

function searchFromAddress(parts) {
  const [query, regular] = [parts.get("q") ?? "", parts.get("re") === "1"];
  if (!refusePattern(query, regular)) return { query, regular };
  $("query").value = query;
  $("regular").checked = regular;
  return NO_SEARCH;
}

// The text if nothing is shown. Only missing errors are “Perfect”.
function sayNothing() {
  if ((view.query && !foundNow()) || isLooking()) return "Searching …";
  if (view.where && !view.query) return `No item matches ${view.where}${hasFilter(NO_EXPRESSION) ? " under the other filters" : ""}.`;
  if (!view.query) return view.tag === null ? "Perfect: nothing matches this filter." : "No item has this remark under these filters.";
  const [[asked]] = searchChip();
  return hasFilter(NO_SEARCH) ? `No item matches ${asked} under the other filters.` : `No item matches ${asked}.`;
}

function drawNothing() {
  $("no-pairs").hidden = current.rows.length > 0;
  $("no-pairs").textContent = sayNothing();
}

// Search for the text in the box. Successive keys are one step of the browser's history.
function ask() {
  const [query, regular] = [$("query").value, $("regular").checked];
  clearTimeout(current.typing);
  if (refusePattern(query, regular) || (query === view.query && (regular === view.regular || !query))) return;
  const tab = query === "" ? (view.tab === "hits" ? LIST_TAB : view.tab) : view.tab === "reports" ? LIST_TAB : view.tab;
  change({ query, regular, doc: null, m: null, tab }, { step: view.query !== "" && query !== "" });
}

function connectSearch() {
  hitList = new LongList("hits", 26, hitRow, openHit);
  $("search").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  $("query").addEventListener("input", () => {
    clearTimeout(current.typing);
    if (!refusePattern($("query").value, $("regular").checked)) current.typing = setTimeout(ask, TYPING);
  });
  for (const name of ["query", "regular"]) $(name).addEventListener("change", ask);
}
