"use strict";
// Elements of the page. All text stays text; nothing is parsed as HTML.

const $ = (id) => document.getElementById(id);

// element("button", { class: "cell", onclick: f, "aria-pressed": true }, "12")
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Replace the content of a box. If a button had the focus, the button in its place gets it.
function replace(id, ...children) {
  const box = $(id);
  const inside = () => [...box.querySelectorAll("button, select, input, [role='button']")];
  const place = inside().indexOf(document.activeElement);
  box.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  box.querySelectorAll("table, ol").forEach(oneTabStop);
  if (place >= 0) (inside()[place] ?? inside().at(-1) ?? (box.tabIndex >= 0 ? box : $("document-body"))).focus({ preventScroll: true });
}

// Let the Tab key stop once at a table of buttons; the arrow keys move inside it.
function oneTabStop(table) {
  const rows = [...table.querySelectorAll("tr, li")].map((row) => [...row.querySelectorAll("button")]).filter((row) => row.length);
  const stop = (button) => {
    rows.flat().forEach((each) => (each.tabIndex = each === button ? 0 : -1));
    return button;
  };
  if (!rows.length) return;
  stop(table.querySelector("[aria-pressed='true']") || rows[0][0]);
  table.addEventListener("focusin", (event) => stop(event.target));
  table.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const row = rows.findIndex((each) => each.includes(event.target));
    const [down, right] = steps[event.key];
    const next = rows[row + down];
    next?.[Math.min(next.length - 1, rows[row].indexOf(event.target) + right)]?.focus();
  });
}

// Format a whole number, such as 12,345; toLocaleString is slow.
const inThousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

// Round as Python does: a tie goes to the even digit. With four decimals, only odd multiples of 1/32 are
// exact ties that floating point can represent; with six decimals, odd multiples of 1/128.
function rounded(x, decimals) {
  if (Math.abs(x * 2 ** (decimals + 1)) % 2 !== 1) return x.toFixed(decimals);
  const below = Math.floor(Math.abs(x) * 10 ** decimals);
  return ((Math.sign(x) * (below + (below % 2))) / 10 ** decimals).toFixed(decimals);
}

const NO_SCORE = "–"; // for a score without a denominator
const share = (x) => (x === null ? NO_SCORE : rounded(x, 4));

// A score of the core for readers; null if it has no denominator, is undefined, or if the system lacks it,
// as ranks of codes without an order.
const scoreOfSystem = ({ scores, empty }, key) => (empty.includes(key) ? null : scores[key] ?? null);

// Redraw in the next frame. Drawing inside the observer could change sizes again, which is an error.
function onResize(box, draw) {
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(box);
}

// A list of any length. Only the visible rows are in the page.
class LongList {
  constructor(id, rowHeight, makeRow, choose) {
    Object.assign(this, { box: $(id), rowHeight, makeRow, choose, size: 0, active: -1 });
    this.filler = element("div", { class: "filler", role: "presentation" });
    this.box.append(this.filler);
    this.box.addEventListener("scroll", () => this.draw());
    this.box.addEventListener("keydown", (event) => this.onKey(event));
    onResize(this.box, () => this.draw(true));
  }

  show(size, active) {
    this.size = size;
    this.filler.style.height = size * this.rowHeight + "px";
    this.active = active;
    this.reveal();
    this.draw(true);
  }

  activate(active) {
    this.active = active;
    this.reveal();
    this.draw(true);
  }

  reveal() {
    if (this.active < 0) return;
    const [top, height] = [this.active * this.rowHeight, this.box.clientHeight];
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.rowHeight > this.box.scrollTop + height) this.box.scrollTop = top + this.rowHeight - height;
  }

  draw(anew) {
    const from = Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight) - 4);
    const to = Math.min(this.size, from + Math.ceil(this.box.clientHeight / this.rowHeight) + 8);
    if (!anew && from === this.from && to === this.to) return;
    [this.from, this.to] = [from, to];
    const rows = [];
    for (let i = from; i < to; i++) {
      const row = this.makeRow(i);
      row.id = `${this.box.id}-${i}`;
      row.classList.add("row");
      row.setAttribute("role", "option");
      row.setAttribute("aria-posinset", i + 1);
      row.setAttribute("aria-setsize", this.size);
      row.setAttribute("aria-selected", i === this.active);
      row.style.top = i * this.rowHeight + "px";
      row.addEventListener("click", () => this.choose(i));
      rows.push(row);
    }
    this.filler.replaceChildren(...rows);
    if (this.active >= from && this.active < to) this.box.setAttribute("aria-activedescendant", `${this.box.id}-${this.active}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.size, End: this.size };
    if (!(event.key in steps) || !this.size) return;
    event.preventDefault();
    const to = Math.min(this.size - 1, Math.max(0, this.active + steps[event.key]));
    this.choose(to);
  }
}

// Scroll a box so that something in it is visible. scrollIntoView would also scroll the page around a
// frame, away from what the reader looks at.
function reveal(box, inside) {
  if (!inside) return;
  const [outer, inner] = [box.getBoundingClientRect(), inside.getBoundingClientRect()];
  const above = inner.top - outer.top;
  const below = inner.bottom - outer.bottom;
  if (above < 0) box.scrollTop += above;
  else if (below > 0) box.scrollTop += Math.min(above, below);
}

// Do the same if a heading covers the top of the box.
function revealBelow(box, inside, covered) {
  const [outer, inner] = [box.getBoundingClientRect(), inside.getBoundingClientRect()];
  if (inner.top < outer.top + covered) box.scrollTop += inner.top - outer.top - covered;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
}

// Announce a message to screen readers.
function announce(text) {
  $("status").textContent = text;
}

// Show a warning about the page.
function warn(lines) {
  if (!lines.length) return;
  const box = $("warning");
  const close = element("button", { type: "button", "aria-label": "Close this warning", onclick: () => {
    box.hidden = true;
    box.replaceChildren();
    $("document-body").focus({ preventScroll: true });
  } }, "✕");
  if (box.hidden) box.replaceChildren(close);
  box.hidden = false;
  box.append(...lines.map((line) => element("p", {}, line)));
}

function describeProblems() {
  return Object.entries(head.problems).filter(([, names]) => names.length).map(([problem, names]) =>
    `${inThousands(names.length)} ${names.length === 1 ? "document" : "documents"}, ${problem}: ${names.slice(0, 20).join(", ")}${names.length > 20 ? " …" : ""}`);
}
