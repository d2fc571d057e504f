"use strict";
// The view and the browser's history: each change has an address of its own.

function change(changes) {
  view = { ...view, ...changes };
  refresh();
  try {
    history.pushState(null, "", toAddress());
  } catch {
    // a page without an address of its own, as in a srcdoc frame, has no history to write to
  }
}

function restore() {
  view = fromAddress(location.hash);
  refresh();
}
