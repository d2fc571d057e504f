"use strict";
// What a list has a row for appears where the mouse rests on that row, unless this is switched off.

const REST = 300; // milliseconds: a mouse that crosses a list opens nothing

function openOnHover(list) {
  let [row, place, waiting] = [null, "", 0];
  const stop = () => {
    clearTimeout(waiting);
    row = null;
  };
  // What is being written in the Detail pane would be lost with it.
  const mayOpen = (k) => $("hover").checked && k !== list.active && k < list.size && !$("detail").querySelector("input:focus");
  list.box.addEventListener("pointermove", ({ target, pointerType, screenX, screenY }) => {
    const [over, at] = [target.closest(".row"), screenX + " " + screenY];
    if (pointerType !== "mouse" || at === place || over?.id === row) return; // rows also move under a mouse that rests
    stop();
    [row, place] = [over?.id ?? null, at];
    const k = over?.ariaPosInSet - 1;
    if (over) waiting = setTimeout(() => mayOpen(k) && list.choose(k, { step: true }), REST);
  });
  for (const name of ["pointerleave", "pointerdown", "scroll"]) list.box.addEventListener(name, stop);
}
