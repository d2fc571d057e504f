"use strict";
// Names of codes, as `--names` gave them, and names that are too long for their place.

const nameOf = (code) => (Object.hasOwn(corpus.names, code) ? corpus.names[code] : "");
const withName = (code) => (nameOf(code) ? `${code} ${nameOf(code)}` : code);
const TAIL = 12;

// A name whose end stays in sight: ends tell apart what begins alike.
function nameElement(name) {
  const points = [...name];
  if (points.length <= TAIL) return element("span", { class: "name", title: name }, name);
  return element("span", { class: "name", title: name }, element("span", { class: "begin" }, points.slice(0, -TAIL).join("")), element("span", { class: "end" }, points.slice(-TAIL).join("")));
}

// A code with its name beside it, if it has one.
function codeElement(code, shown = code) {
  return nameOf(code) ? [shown, " ", element("span", { class: "meaning", title: nameOf(code) }, nameOf(code))] : [shown];
}
