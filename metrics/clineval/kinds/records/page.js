"use strict";

// Records without places: each gold record over what the system has for it, field by field, beside the note.

const recordOf = (written) => (written ? JSON.parse(written) : null);

function drawRecords(d, text) {
  const items = system0().lists.records.of(d);
  const heads = ["", "", ...corpus.extra.fields].map((name) => (name ? element("th", { scope: "col" }, name) : element("td", {})));
  const grid = element("table", { class: "entries" }, element("thead", {}, element("tr", {}, ...heads)), ...items.map(drawPair));
  if (text === null) {
    const why = head.text ? "The text of this document was not given." : "This report has no texts.";
    return element("div", { class: "scroll-x" }, grid, element("p", { class: "empty" }, why));
  }
  const note = element("div", { class: "record" }, ...drawNote(text, items).map((line, at) => element("div", { class: "line", "data-line": at + 1 }, ...line)));
  return element("div", { class: "beside" }, element("div", { class: "scroll-x" }, grid), note);
}

// The lines of a note, with marks on the evidence of both sides, if records have evidence.
function drawNote(text, items) {
  const units = unitsOf(text);
  const placed = items.map((item) => [item.gold, item.system].map((written) => evidenceOf(written).map((span) => span.map((at) => units[at] ?? text.length))));
  const [cuts, lines] = [placed.flat(3), []];
  let from = 0;
  for (const line of text.split("\n")) {
    const to = from + line.length;
    const places = [...new Set([from, ...cuts.filter((at) => at > from && at < to), to])].sort((a, b) => a - b);
    lines.push(places.slice(1).map((end, k) => {
      const among = placed.map((sides) => sides.map((spans) => spans.some(([a, b]) => a <= places[k] && end <= b)));
      return markEvidence(text.slice(places[k], end), among, items);
    }));
    from = to + 1;
  }
  return lines;
}

const evidenceOf = (written) => (recordOf(written)?.[corpus.extra.evidence] || "").split(",").filter((span) => span).map((span) => span.split("-").map(Number));

// Words, marked if they are evidence; ``among`` says for each item whether they are that of each side.
function markEvidence(words, among, items) {
  const [gold, system] = [0, 1].map((side) => among.some((sides) => sides[side]));
  if (!gold && !system) return words;
  const same = among.some(([a, b], k) => a && b && kindOf(items[k].kind).right);
  const look = same ? "right" : !system ? "missed" : !gold ? "spurious" : "code";
  const whose = { right: "both sides", missed: "the gold standard", spurious: system0().name, code: "different answers" };
  return element("mark", { class: `m k-${look} first last`, title: `evidence of ${whose[look]}` }, words);
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

// What was taken for what, for each question: the last field of both sides, and none without a record. The
// groups of confusions are the cells.
function mapsOfConfusions(list) {
  if (!corpus.extra.groupings.includes("confusion")) return [];
  const { of } = groupingOf("confusion");
  const [cells, maps] = [new Map(), new Map()];
  list.columns.gold.forEach((written, i) => {
    const value = of(list)[i];
    if (!cells.has(value)) cells.set(value, { ...sidesOf(written, list.columns.system[i]), n: 0, value });
    cells.get(value).n += 1;
  });
  for (const { asked, value, n, gold, system } of cells.values()) {
    const bucket = { by: "confusion", value };
    const label = `${asked}: gold ${gold}, system ${system}: ${n} items, show them`;
    const choose = () => change({ ...NO_FILTER, bucket, tab: "items", doc: null, m: null });
    if (!maps.has(asked)) maps.set(asked, []);
    maps.get(asked).push({ gold, system, n, label, pressed: sameBucket(view.bucket, bucket), choose });
  }
  return [...maps];
}

function sidesOf(...written) {
  const [gold, system] = written.map(recordOf);
  const size = corpus.extra.fields.length - (corpus.extra.evidence ? 1 : 0);
  const answer = (record) => record?.[size - 1] ?? "none";
  return { asked: (gold ?? system).slice(0, size - 1).join(": ") || corpus.extra.fields[size - 1], gold: answer(gold), system: answer(system) };
}

const fieldsOf = (written, side) => Object.fromEntries(corpus.extra.fields.map((name, at) => [`${side}_${name}`, recordOf(written)?.[at] ?? ""]));

const fieldOf = (item, side, at) => recordOf(item[side])?.[at] ?? null;

function listFields() {
  const values = (at) => distinct(allLists().flatMap(({ columns }) => ["gold", "system"].flatMap((side) => columns[side].map((written) => recordOf(written)?.[at] ?? null))));
  return corpus.extra.fields.map((name, at) => ({ name, values: () => values(at), read: (item, side) => fieldOf(item, side, at) }));
}

// The fields in which two paired records differ; null without a pair.
const differing = (item) => (item.gold && item.system ? corpus.extra.fields.filter((_, at) => !isSame(fieldOf(item, "system", at), fieldOf(item, "gold", at), at)) : null);

const VIEW = {
  fields: listFields,
  wrong: differing,
  get groupings() {
    return corpus.extra.groupings;
  },
  confusions: mapsOfConfusions,
  describe: describeRecord,
  draw: drawRecords,
  detail: detailOfRecord,
  check: () => {},
  terms: ({ gold, system }) => [...(recordOf(gold) || []), ...(recordOf(system) || [])],
  place: ({ gold, system }, isGold) => ({ spans: "", class: (isGold ? gold : system) || "" }),
  identify: ({ system }) => system,
  record: ({ gold, system }) => ({ ...fieldsOf(gold, "gold"), ...fieldsOf(system, "system") }),
};
