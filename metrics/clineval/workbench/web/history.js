"use strict";
// The view and the browser's history: each change has an address of its own. A step to the next item
// takes the place of the last one, so that "back" leaves a list that was gone through.

function change(changes, { step = false } = {}) {
  view = { ...view, ...changes };
  current.touched = true;
  refresh();
  try {
    history[step ? "replaceState" : "pushState"](null, "", toAddress());
  } catch {
    // a page without an address of its own, as in a srcdoc frame, has no history to write to
  }
}

function restore() {
  view = fromAddress(location.hash);
  refresh();
}

// The parts of an address that all views have.
function commonToAddress(parts, set) {
  set("doc", current.document >= 0 ? corpus.documents[current.document] : null);
  set("m", view.m);
  set("compared", view.compared);
  set("by", view.by, DEFAULT.by);
  set("column", view.column === null ? null : view.column + (view.falling ? "" : " rising"));
  if (view.bucket) set("bucket", `${view.bucket.by}>${groupingOf(view.bucket.by).names[view.bucket.value]}`);
  if (view.tag !== null) parts.set("tag", view.tag);
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

// An empty address, and what sets a part of it if that is not as usual.
function newAddress() {
  const parts = new URLSearchParams();
  const set = (name, value, usual) => {
    if (value !== usual && value !== null && value !== "") parts.set(name, value);
  };
  return [parts, set];
}

// The parts of an address, and what reads one that must be among known values.
function readAddress(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const among = (name, known, usual) => (known.includes(parts.get(name)) ? parts.get(name) : usual);
  return [parts, among];
}
