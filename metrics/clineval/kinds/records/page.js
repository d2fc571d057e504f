"use strict";

// Records without places: each gold record over what the system has for it, field by field, beside the note.

const recordOf = (written) => (written ? JSON.parse(written) : null);

function drawRecords(d, text) {
  const items = system0().lists.records.of(d);
  const heads = ["", "", ...corpus.extra.fields].map((name) => (name ? element("th", { scope: "col" }, name) : element("td", {})));
  const grid = element("table", { class: "entries" }, element("thead", {}, element("tr", {}, ...heads)), ...items.map(drawPair));
  const note = text === null
    ? element("p", { class: "empty" }, head.text ? "The text of this document was not given." : "This report has no texts.")
    : element("div", { class: "record" }, ...text.split("\n").map((line, at) => element("div", { class: "line", "data-line": at + 1 }, line)));
  return element("div", { class: "beside" }, element("div", { class: "scroll-x" }, grid), note);
}

function drawPair(item) {
  const kind = kindOf(item.kind);
  const [gold, system] = [recordOf(item.gold), recordOf(item.system)];
  const side = (title, own, other, first) => element(
    "tr", { class: item.i === chosenItem() ? "chosen selected" : null },
    first ? element("td", { rowspan: 2 }, element("button", { type: "button", class: "link", onclick: () => pick(item.i) }, element("span", { class: "key k-" + kind.look, "aria-hidden": "true" }), kind.label)) : null,
    element("th", { scope: "row" }, title),
    ...corpus.extra.fields.map((_, at) => element("td", {}, ...drawValue(own?.[at], other?.[at], at))),
  );
  return element("tbody", {}, side("gold", gold, system, true), side(system0().name, system, gold, false));
}

// Whether two values of a field are the same; numbers of some are within a tolerance.
function isSame(own, other, at) {
  const tolerance = corpus.extra.tolerances[at];
  return own === other || (tolerance > 0 && other !== "" && Math.abs(own - other) <= tolerance * (1 + 1e-9));
}

// A value; marked where both sides have a record and it is not the same.
function drawValue(own, other, at) {
  if (own === undefined || own === "") return [element("span", { class: "empty" }, "—")];
  return [other !== undefined && !isSame(own, other, at) ? element("u", {}, own) : own];
}

function detailOfRecord(item) {
  const rows = [["Kind", `${kindOf(item.kind).label}: ${kindOf(item.kind).meaning}`]];
  const [gold, system] = [recordOf(item.gold), recordOf(item.system)];
  corpus.extra.fields.forEach((name, at) => {
    const [a, b] = [gold?.[at] || "—", system?.[at] || "—"];
    rows.push([name, gold && system ? (a === b ? a : `${a} → ${b}`) : gold ? a : b]);
  });
  return element("table", { class: "fields" }, element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))));
}

function describeRecord({ gold, system }) {
  const say = (written) => (recordOf(written) || ["—"]).filter((value) => value).join(", ");
  return !gold || !system || gold === system ? say(gold || system) : `${say(gold)} → ${say(system)}`;
}

const fieldsOf = (written, side) => Object.fromEntries(corpus.extra.fields.map((name, at) => [`${side}_${name}`, recordOf(written)?.[at] ?? ""]));

const VIEW = {
  describe: describeRecord,
  draw: drawRecords,
  detail: detailOfRecord,
  check: () => {},
  terms: ({ gold, system }) => [...(recordOf(gold) || []), ...(recordOf(system) || [])],
  place: ({ gold, system }, isGold) => ({ spans: "", class: (isGold ? gold : system) || "" }),
  identify: ({ system }) => system,
  record: ({ gold, system }) => ({ ...fieldsOf(gold, "gold"), ...fieldsOf(system, "system") }),
};
