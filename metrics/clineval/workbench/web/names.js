"use strict";
// Names of codes from `--names`, and names of documents that are too long for their place.

const nameOf = (code) => (Object.hasOwn(corpus.names, code) ? corpus.names[code] : "");
const withName = (code) => code.split("\t").map((each) => (nameOf(each) ? `${each} ${nameOf(each)}` : each)).join(" – "); // a pair of codes has a tab
const TELLING = 14; // up to this many distinctive characters of a name are always shown

// Find the distinctive part of each document's name: from the end of the beginning that all names share,
// to where no other name is the same. Only neighbours in sorted order share more.
function findTelling() {
  const names = corpus.documents.map((name) => [...name]);
  const order = names.map((_, d) => d).sort((a, b) => (corpus.documents[a] < corpus.documents[b] ? -1 : 1));
  const alike = order.map((d, k) => (k ? sharedBegin(names[order[k - 1]], names[d]) : 0));
  const shared = order.length > 1 ? sharedBegin(names[order[0]], names[order.at(-1)]) : 0;
  const telling = new Array(names.length);
  order.forEach((d, k) => (telling[d] = wholeWords(names[d], shared, Math.max(alike[k], alike[k + 1] ?? 0) + 1)));
  return telling;
}

function sharedBegin(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return n;
}

const isWord = (character) => /[\p{L}\p{N}]/u.test(character ?? "");

function wholeWords(points, from, to) {
  let [start, end] = [Math.min(from, points.length), Math.min(to, points.length)];
  while (start > 0 && isWord(points[start - 1])) start--;
  while (end < points.length && isWord(points[end - 1]) && isWord(points[end])) end++;
  return [Math.max(start, end - TELLING), end];
}

// Show a document's name. The distinctive part is always visible; the rest is cut if there is no room.
function nameElement(d) {
  const points = [...corpus.documents[d]];
  const [start, end] = (corpus.telling ??= findTelling())[d];
  const parts = [["begin", 0, start], ["telling", start, end], ["end", end, points.length]].filter(([, from, to]) => from < to);
  return element("span", { class: "name", title: corpus.documents[d] }, ...parts.map(([name, from, to]) => element("span", { class: name }, element("bdi", {}, points.slice(from, to).join("")))));
}

// A code, with its name beside it if there is one.
function codeElement(code, shown = code.replaceAll("\t", " – ")) {
  return nameOf(code) ? [shown, " ", element("span", { class: "meaning", title: nameOf(code) }, nameOf(code))] : [shown];
}
