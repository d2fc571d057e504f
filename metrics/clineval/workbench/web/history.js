"use strict";
// The view and the browser's history. Each change has its own address. A step to the next item replaces
// the last address, so that "back" leaves the list at once.

function change(changes, { step = false } = {}) {
  view = { ...view, ...changes };
  current.touched = true;
  if ("tab" in changes) showLists();
  refresh();
  try {
    history[step ? "replaceState" : "pushState"](null, "", toAddress());
  } catch {
    // a page without its own address, such as in a srcdoc frame, cannot write to the history
  }
}

function restore() {
  view = fromAddress(location.hash);
  refresh();
}

// The parts of an address that all views share.
function commonToAddress(parts, set) {
  set("doc", current.document >= 0 ? corpus.documents[current.document] : null);
  set("m", view.m);
  set("compared", view.compared);
  set("by", view.by, DEFAULT.by);
  set("column", view.column === null ? null : view.column + (view.falling ? "" : " rising"));
  if (view.bucket) set("bucket", `${view.bucket.by}>${groupingOf(view.bucket.by).names[view.bucket.value]}`);
  if (view.tag !== null) parts.set("tag", view.tag);
  set("where", view.where, "");
  searchToAddress(set);
  set("sort", view.sort, DEFAULT.sort);
  set("tab", view.tab, DEFAULT.tab);
  pairToAddress(set);
}

function commonFromAddress(parts, among) {
  return {
    ...DEFAULT,
    ...pairFromAddress(parts),
    ...searchFromAddress(parts),
    ...expressionFromAddress(parts),
    doc: parts.get("doc"),
    compared: corpus.systems.length > 1 ? among("compared", COMPARED, null) : null,
    by: among("by", head.groupings, DEFAULT.by),
    ...readColumn(parts.get("column")),
    bucket: readBucket(parts.get("bucket")),
    tag: parts.get("tag"),
    sort: among("sort", Object.keys(SORTS), DEFAULT.sort),
    tab: among("tab", TABS, DEFAULT.tab),
  };
}

// An empty address, and a function that sets a part of it unless the value is the default.
function newAddress() {
  const parts = new URLSearchParams();
  const set = (name, value, usual) => {
    if (value !== usual && value !== null && value !== "") parts.set(name, value);
  };
  return [parts, set];
}

// The parts of an address, and a function that reads a part with known values.
function readAddress(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const among = (name, known, usual) => (known.includes(parts.get(name)) ? parts.get(name) : usual);
  return [parts, among];
}
