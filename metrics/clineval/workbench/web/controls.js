"use strict";
// The controls that all views share, and the keyboard. Each view defines its KEYS and EXPORTS.

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (!$("shortcuts").checked && event.key !== "?") return;
  if (event.target.closest("input, select, textarea") || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key][1]();
}

// A column heading of the documents; press it to sort them.
function reportHead(name, sort) {
  if (!sort) return element("span", {}, name);
  return element("button", { type: "button", class: "head", "aria-pressed": String(view.sort === sort), title: `sort by ${name}`, onclick: () => change({ sort }) }, name);
}

// The tabs of a view's lists: mark the chosen tab, and move between tabs with the arrow keys.
function drawTabs() {
  for (const name of TABS) {
    $("tab-" + name).setAttribute("aria-selected", String(view.tab === name));
    $("tab-" + name).tabIndex = view.tab === name ? 0 : -1;
    $("panel-" + name).hidden = view.tab !== name;
  }
}

function connectTabs() {
  for (const name of TABS) $("tab-" + name).addEventListener("click", () => change({ tab: name, ...onTab(name) }));
  $("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const names = TABS.filter((name) => !$("tab-" + name).hidden);
    if (!step) return;
    event.preventDefault();
    const to = names[(names.indexOf(view.tab) + step + names.length) % names.length];
    change({ tab: to });
    $("tab-" + to).focus();
  });
}

function goTo() {
  const wanted = $("goto").value.trim().toLowerCase();
  const d = corpus.documents.findIndex((name) => name.toLowerCase().includes(wanted));
  $("goto").setCustomValidity(wanted && d < 0 ? "no document of that name" : "");
  $("goto").reportValidity();
  if (wanted && d >= 0) change({ doc: corpus.documents[d], m: null });
}

// Close a menu on Escape, which returns the focus, or when the reader presses or focuses something else.
function connectMenus() {
  const open = () => document.querySelector(".menu[open]");
  const close = (menu) => menu && (menu.open = false);
  document.addEventListener("pointerdown", ({ target }) => open()?.contains(target) || close(open()));
  document.addEventListener("focusin", ({ target }) => open()?.contains(target) || close(open()));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open()) return;
    open().querySelector("summary").focus();
    close(open());
  });
}

function connectControls() {
  drawCautions();
  connectMenus();
  $("goto").addEventListener("change", goTo);
  connectTabs();
  connectSearch();
  connectExpression();
  connectRemarks();
  connectLayout();
  for (const button of document.querySelectorAll("[data-export]")) {
    button.addEventListener("click", () => {
      EXPORTS[button.dataset.export]();
      button.closest("details").open = false;
    });
  }
  $("sort").addEventListener("change", () => change({ sort: $("sort").value }));
  $("system").append(...corpus.systems.map(({ name }, at) => element("option", { value: at }, name)));
  $("system").addEventListener("change", () => change(chooseSystem(Number($("system").value))));
  $("previous").addEventListener("click", KEYS.k[1]);
  $("next").addEventListener("click", KEYS.j[1]);
  $("keys").append(...Object.entries(KEYS).flatMap(([key, [name]]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, name)]));
  $("open-help").addEventListener("click", () => $("help").showModal());
  $("other-signature").addEventListener("input", drawComparable);
  document.addEventListener("keydown", onKey);
  window.addEventListener("popstate", restore);
}

// Fill the Document pane with a drawing of the open document, and return it. Return undefined if no
// document is open, or if another one was chosen while the text was unpacked.
async function fillDocument(draw) {
  const d = current.document;
  const box = $("document-body");
  if (d < 0) {
    box.replaceChildren(element("p", { class: "empty" }, sayNothing()));
    return undefined;
  }
  const text = await textOf(d);
  if (d !== current.document) return undefined;
  current.opened = { d, text };
  const drawn = draw(d, text);
  box.replaceChildren(drawn);
  box.dataset.document = corpus.documents[d];
  return drawn;
}
