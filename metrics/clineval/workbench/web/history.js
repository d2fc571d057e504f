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
