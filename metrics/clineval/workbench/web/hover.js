"use strict";
// What a list has a row for appears where the mouse rests on that row; if this is switched off, only while
// the key Ctrl is held down.

const REST = 300; // milliseconds: a mouse that crosses a list opens nothing

function openOnHover(list) {
  let [row, place, waiting, held] = [null, "", 0, false];
  const stop = () => {
    clearTimeout(waiting);
    row = null;
  };
  // What is being written in the Detail pane would be lost with it.
  const mayOpen = (k) => ($("hover").checked || held) && k !== list.active && k < list.size && !$("detail").querySelector("input:focus");
  const wait = () => {
    clearTimeout(waiting);
    const k = document.getElementById(row)?.ariaPosInSet - 1;
    if (row) waiting = setTimeout(() => mayOpen(k) && list.choose(k, { step: true }), REST);
  };
  list.box.addEventListener("pointermove", ({ target, pointerType, screenX, screenY, ctrlKey }) => {
    held = ctrlKey;
    const [over, at] = [target.closest(".row"), screenX + " " + screenY];
    if (pointerType !== "mouse" || at === place || over?.id === row) return; // rows also move under a mouse that rests
    stop();
    [row, place] = [over?.id ?? null, at];
    wait();
  });
  for (const name of ["keydown", "keyup"]) {
    document.addEventListener(name, ({ key, repeat }) => {
      if (key !== "Control" || repeat) return;
      held = name === "keydown";
      if (held && !$("hover").checked) wait(); // where the mouse rests already
    });
  }
  for (const name of ["pointerleave", "pointerdown", "scroll"]) list.box.addEventListener(name, stop);
}
