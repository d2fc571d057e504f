"use strict";
// How the panes are arranged: each folds into its title, Statistics and Slots take turns in one place, and
// the document can stand alone. The browser keeps the arrangement.

const PANES = { statistics: "Statistics", slots: $("slots-title").textContent, lists: "Lists", detail: "Detail" };
const PANES_STORED = "clineval panes";
const arrangement = { folded: [], front: "statistics", alone: false, rows: null, tables: false };

function readArrangement() {
  const kept = readKept(PANES_STORED) ?? {};
  const isRight = { front: (x) => x === "slots", folded: Array.isArray, rows: (x) => typeof x === "boolean", alone: (x) => x === true, tables: (x) => x === true };
  for (const [name, test] of Object.entries(isRight)) if (test(kept[name])) arrangement[name] = kept[name];
  if (!Array.isArray(kept.folded) && matchMedia("(max-width: 600px)").matches) arrangement.folded = ["slots"];
}

function arrange(changes = {}) {
  Object.assign(arrangement, changes);
  if (Object.keys(changes).length) keep(PANES_STORED, arrangement);
  const main = document.querySelector("main");
  main.dataset.upper = arrangement.front;
  main.classList.toggle("only-document", arrangement.alone);
  main.classList.toggle("with-tables", arrangement.tables);
  for (const name of Object.keys(PANES)) {
    const folded = arrangement.folded.includes(name);
    $(name).classList.toggle("collapsed", folded);
    $(name).classList.toggle("in-front", name === arrangement.front);
    $(name).querySelector(".fold").setAttribute("aria-expanded", String(!folded));
  }
  for (const button of document.querySelectorAll(".pictures")) button.setAttribute("aria-pressed", String(arrangement.tables));
  $("alone").setAttribute("aria-pressed", String(arrangement.alone));
}

const foldedBut = (name) => arrangement.folded.filter((other) => other !== name);
const fold = (name) => arrange({ folded: arrangement.folded.includes(name) ? foldedBut(name) : [...arrangement.folded, name] });
const standAlone = () => arrange({ alone: !arrangement.alone });

// Bring Statistics or Slots to the front, and the focus with it.
function bring(name) {
  arrange({ front: name, folded: foldedBut(name), alone: false });
  $(name).querySelector(".beside-title").focus({ preventScroll: true });
}

const takeTurns = () => bring(arrangement.front === "slots" ? "statistics" : "slots");

// A list that is asked for is shown.
function showLists() {
  if (arrangement.alone || arrangement.folded.includes("lists")) arrange({ alone: false, folded: foldedBut("lists") });
}

function foldButton(name) {
  return element("button", { type: "button", class: "tool fold", "aria-label": `${PANES[name]}, open or folded`, title: "fold or open", "aria-expanded": "true", onclick: () => fold(name) });
}

function connectArrangement() {
  readArrangement();
  for (const name of Object.keys(PANES)) {
    const other = { statistics: "slots", slots: "statistics" }[name];
    const title = $(name).querySelector("h2");
    const button = other && element("button", { type: "button", class: "beside-title", onclick: () => bring(other) }, PANES[other]);
    if (button) title[name === "slots" ? "before" : "after"](button);
    const tables = other && element("button", { type: "button", class: "tool pictures", title: "numbers in place of pictures (t)", onclick: () => showTables(!arrangement.tables) }, "Table");
    $(name).querySelector(".pane-head").append(...(title ? [element("span", { class: "spring" })] : []), ...(tables ? [tables] : []), foldButton(name));
  }
  $("alone").addEventListener("click", standAlone);
  arrange();
}

const PANE_KEYS = {
  t: ["pictures or tables", () => showTables(!arrangement.tables)],
  c: ["Statistics or " + PANES.slots, takeTurns],
  z: ["only the document", standAlone],
};
