"use strict";
// Open an item or document when the mouse rests on its row. If the reader turns this off, do so only while
// Ctrl is held down.

const REST = 300; // milliseconds, so that a mouse that crosses a list opens nothing

function openOnHover(list) {
  let [row, place, waiting, held] = [null, "", 0, false];
  const stop = () => {
    clearTimeout(waiting);
    row = null;
  };
  // Do not open anything while the reader types in the Detail pane; the text would be lost.
  const mayOpen = (k) => ($("hover").checked || held) && k !== list.active && k < list.size && !$("detail").querySelector("input:focus");
  const wait = () => {
    clearTimeout(waiting);
    const k = document.getElementById(row)?.ariaPosInSet - 1;
    if (row) waiting = setTimeout(() => mayOpen(k) && list.choose(k, { step: true }), REST);
  };
  list.box.addEventListener("pointermove", ({ target, pointerType, screenX, screenY, ctrlKey }) => {
    held = ctrlKey;
    const [over, at] = [target.closest(".row"), screenX + " " + screenY];
    if (pointerType !== "mouse" || at === place || over?.id === row) return; // rows also move under a mouse at rest
    stop();
    [row, place] = [over?.id ?? null, at];
    wait();
  });
  for (const name of ["keydown", "keyup"]) {
    document.addEventListener(name, ({ key, repeat }) => {
      if (key !== "Control" || repeat) return;
      held = name === "keydown";
      if (held && !$("hover").checked) wait(); // on the row where the mouse already rests
    });
  }
  for (const name of ["pointerleave", "pointerdown", "scroll"]) list.box.addEventListener(name, stop);
}
