"use strict";
// The sizes of the panes: the reader drags them or uses the arrow keys, and the browser keeps them. Enter
// folds the pane.

const SIZES = [
  { name: "--upper", before: "lists", axis: "y", of: ".upper", label: "Height of the statistics", least: 90, most: 900, fold: () => fold(arrangement.front) },
  { name: "--left", before: "reading", axis: "x", of: ".left", label: "Width of the lists", least: 240, most: 1600, fold: () => standAlone() },
  { name: "--detail", before: "detail", axis: "y", of: "#detail", label: "Height of the detail", least: 60, most: 600, backwards: true, fold: () => fold("detail") },
];
const SIZES_STORED = "clineval sizes";
const SETTINGS = ["shortcuts", "hover"]; // on by default

function readKept(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // a page without storage forgets its layout
  }
}

function applySize(size, pixels) {
  document.querySelector("main").style.setProperty(size.name, pixels + "px");
  document.querySelector(size.of).classList.add("sized");
}

function setSize(splitter, size, pixels) {
  const chosen = Math.round(Math.min(size.most, Math.max(size.least, pixels)));
  applySize(size, chosen);
  splitter.setAttribute("aria-valuenow", chosen);
  keep(SIZES_STORED, { ...readKept(SIZES_STORED), [size.name]: chosen });
}

const measured = ({ of, axis }) => document.querySelector(of).getBoundingClientRect()[axis === "x" ? "width" : "height"];

function makeSplitter(size) {
  const splitter = element("div", {
    class: "splitter along-" + size.axis, role: "separator", tabindex: 0, "aria-label": size.label, "aria-orientation": size.axis === "x" ? "vertical" : "horizontal",
    "aria-valuemin": size.least, "aria-valuemax": size.most, "aria-valuenow": Math.round(measured(size)),
  });
  const sign = size.backwards ? -1 : 1;
  splitter.addEventListener("pointerdown", (event) => {
    const [from, before] = [event[size.axis], measured(size)];
    splitter.setPointerCapture(event.pointerId);
    const move = (moved) => setSize(splitter, size, before + sign * (moved[size.axis] - from));
    splitter.addEventListener("pointermove", move);
    splitter.addEventListener("lostpointercapture", () => splitter.removeEventListener("pointermove", move), { once: true });
    event.preventDefault();
  });
  splitter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") size.fold();
    const step = { ArrowRight: 16, ArrowDown: 16, ArrowLeft: -16, ArrowUp: -16 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    setSize(splitter, size, measured(size) + sign * step);
  });
  splitter.addEventListener("dblclick", () => {
    document.querySelector("main").style.removeProperty(size.name);
    document.querySelector(size.of).classList.remove("sized");
    const { [size.name]: _, ...others } = readKept(SIZES_STORED) ?? {};
    keep(SIZES_STORED, others);
  });
  return splitter;
}

// Mark boxes that can scroll further.
function showMoreAround(box) {
  const draw = () => {
    box.classList.toggle("more-right", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
    box.classList.toggle("more-below", box.scrollHeight - box.clientHeight - box.scrollTop > 1);
  };
  box.addEventListener("scroll", draw);
  new MutationObserver(draw).observe(box, { childList: true, subtree: true });
  onResize(box, draw);
}

function connectLayout() {
  ["statistics-body", "slots-body", "detail-body", "frequent"].map($).filter(Boolean).forEach(showMoreAround);
  const kept = readKept(SIZES_STORED) ?? {};
  for (const size of SIZES) {
    const own = kept[size.name];
    if (Number.isFinite(own)) applySize(size, Math.min(size.most, Math.max(size.least, own)));
    ($(size.before) ?? document.querySelector("." + size.before)).before(makeSplitter(size));
  }
  connectArrangement();
  for (const name of SETTINGS) {
    $(name).checked = readKept("clineval " + name) !== false;
    $(name).addEventListener("change", () => keep("clineval " + name, $(name).checked));
  }
}
