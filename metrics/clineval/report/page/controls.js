"use strict";
// The controls that all views have, and the keyboard. A view says what its KEYS and EXPORTS do.

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  if (event.target.closest("input, select, textarea") || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key][1]();
}

function connectControls() {
  for (const button of document.querySelectorAll("[data-export]")) {
    button.addEventListener("click", () => {
      EXPORTS[button.dataset.export]();
      button.closest("details").open = false;
    });
  }
  $("sort").addEventListener("change", () => change({ sort: $("sort").value }));
  $("system").append(...corpus.systems.map(({ name }, at) => element("option", { value: at }, name)));
  $("system").addEventListener("change", () => change({ system: Number($("system").value), m: null }));
  $("previous").addEventListener("click", KEYS.k[1]);
  $("next").addEventListener("click", KEYS.j[1]);
  $("keys").append(...Object.entries(KEYS).flatMap(([key, [name]]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, name)]));
  $("open-help").addEventListener("click", () => $("help").showModal());
  document.addEventListener("keydown", onKey);
  window.addEventListener("popstate", restore);
}
