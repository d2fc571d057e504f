"use strict";
// Medication entries as a grid: the gold entry over the system's, field by field.

const spots = (offsets) => (offsets ? offsets.split(",").map((part) => part.split(" ").map((spot) => spot.split(":").map(Number))) : []);

// The tokens of some offsets, each with its place; null without the record's text.
function tokensOf(offsets, lines) {
  if (!lines) return null;
  const found = [];
  for (const [[line, token], [lastLine, lastToken]] of spots(offsets)) {
    for (let at = line; at <= lastLine; at++) {
      const words = (lines[at - 1] ?? "").split(/[ \t]/);
      const to = at === lastLine ? lastToken : words.length - 1;
      for (let k = at === line ? token : 0; k <= to && k < words.length; k++) found.push({ place: at + ":" + k, word: words[k] });
    }
  }
  return found;
}

// The words at some offsets; null without the record's text.
function wordsOf(offsets, text) {
  const lines = text === null ? null : linesOfRecord(text);
  return tokensOf(offsets, lines)?.map(({ word }) => word).join(" ") ?? null;
}

const lastRecord = { text: null, lines: null };

// A record's lines; those of the last one are kept, since all its fields are asked for in turn.
function linesOfRecord(text) {
  if (lastRecord.text !== text) Object.assign(lastRecord, { text, lines: text.split("\n") });
  return lastRecord.lines;
}

// What a field says: words, those that the other side lacks marked; or offsets.
function drawPhrase(own, other, lines) {
  const words = tokensOf(own, lines);
  if (!words) return [own || "—"];
  if (!own) return ["—"];
  const shared = new Set(tokensOf(other, lines).map(({ place }) => place));
  return words.flatMap(({ place, word }) => [other && !shared.has(place) ? element("u", { title: "only here" }, word) : word, " "]);
}

// The entries of a record, aligned ones together.
function groupEntries(d) {
  const groups = new Map();
  for (const item of system0().lists.horizontal.of(d)) {
    const key = `${item.gold_entry}/${item.system_entry}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return [...groups.values()];
}

function drawEntries(d, text) {
  const lines = text === null ? null : linesOfRecord(text);
  const chosen = chosenItem();
  const { gold_entry: goldChosen, system_entry: systemChosen, row: rowChosen } = chosen === null ? {} : current.list.item(chosen);
  const body = groupEntries(d).map((items, number) => {
    const row = (side, title) => element(
      "tr", { class: "side-" + side }, element("th", { scope: "row" }, title),
      ...corpus.rows.map((_, field) => {
        const item = items.find(({ row: own }) => own === field);
        if (!item || !item[side]) return element("td", {}, item ? element("span", { class: "empty" }, "—") : "");
        const look = kindOf(item.kind).look;
        const selected = field === rowChosen && (item.gold_entry === goldChosen || item.system_entry === systemChosen);
        const open = () => change({ mode: "horizontal", m: item.i - system0().lists.horizontal.first[d] });
        return element("td", {}, element("button", { type: "button", class: `field k-${look}${selected ? " selected" : ""}`, onclick: open, "aria-label": `${corpus.rows[field]}, ${title}, ${kindOf(item.kind).label}` }, ...drawPhrase(item[side], item[side === "gold" ? "system" : "gold"], lines)));
      }),
    );
    const [{ gold_entry: g, system_entry: s }] = items;
    return element("tbody", {}, row("gold", g < 0 ? `${number + 1} no gold` : `${number + 1} gold`), row("system", s < 0 ? "no entry" : system0().name));
  });
  const grid = element("table", { class: "entries" }, element("thead", {}, element("tr", {}, element("td", {}), ...corpus.rows.map((name) => element("th", { scope: "col" }, name)))), ...body);
  return element("div", { class: lines ? "beside" : null }, element("div", { class: "scroll-x" }, grid), lines ? drawRecord(lines, chosen) : element("p", { class: "empty" }, head.text ? "The text of this record was not given: offsets only." : "This report has no text: offsets only."));
}

// The record's lines, with the tokens of the chosen field marked.
function drawRecord(lines, chosen) {
  const item = chosen === null ? {} : current.list.item(chosen);
  const marked = (side) => new Set(tokensOf(item[side] || "", lines).map(({ place }) => place));
  const [gold, system] = [marked("gold"), marked("system")];
  return element("div", { class: "record" }, ...lines.map((line, at) => {
    const parts = line.split(/([ \t])/).map((word, k) => {
      const place = `${at + 1}:${k / 2}`;
      const sides = [gold.has(place) && "gold", system.has(place) && "system"].filter(Boolean);
      if (!sides.length) return word;
      const look = sides.length > 1 ? "right" : sides[0] === "gold" ? "missed" : "spurious";
      return element("mark", { class: `m first last k-${look}`, "aria-description": sides.join(" and ") }, word);
    });
    return element("div", { class: "line", "data-line": at + 1 }, ...parts, at + 1 < lines.length ? "\n" : "");
  }));
}

// Offsets, and the words there once the text is unpacked.
function wordsElement(item, offsets) {
  const made = element("span", {}, offsets || "nm");
  if (offsets) textOf(item.document).then((text) => text !== null && made.prepend(`${wordsOf(offsets, text)}, `));
  return made;
}

function detailOfField(item) {
  const rows = [["Field", corpus.rows[item.row]], ["Kind", `${kindOf(item.kind).label}: ${kindOf(item.kind).meaning}`], ["Gold", wordsElement(item, item.gold)], [system0().name, wordsElement(item, item.system)]];
  if (item.gold && item.system) rows.push(["Tokens shared", sharedTokens(item)]);
  return element("table", { class: "fields" }, element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, typeof value === "string" ? value : value)))));
}

// Inexact matching looks at tokens; offsets within one line tell them without the text.
function sharedTokens({ gold, system }) {
  const places = (offsets) => spots(offsets).flatMap(([[line, token], [lastLine, last]]) => (line === lastLine ? Array.from({ length: last - token + 1 }, (_, k) => `${line}:${token + k}`) : [null]));
  const [a, b] = [places(gold), places(system)];
  if (a.includes(null) || b.includes(null)) return "a phrase crosses lines";
  const shared = a.filter((place) => b.includes(place)).length;
  return `${shared} of ${a.length} gold and ${b.length} system tokens`;
}

const VIEW = {
  describe: ({ row, gold, system }) => `${corpus.rows[row]} ${gold === system ? gold : `${gold || "nm"} → ${system || "nm"}`}`,
  describeWords: ({ row, gold, system }, text) => {
    const [a, b] = [gold, system].map((offsets) => wordsOf(offsets, text) || "nm");
    return `${corpus.rows[row]} ${gold === system || a === b ? a : `${a} → ${b}`}`;
  },
  draw: drawEntries,
  detail: detailOfField,
  check: () => {},
  terms: ({ row, gold, system }, text) => [corpus.rows[row], ...[gold, system].map((offsets) => wordsOf(offsets, text) ?? "")],
  place: ({ row, gold, system }, isGold) => ({ spans: isGold ? gold : system, class: corpus.rows[row] }),
  identify: ({ row, system }) => `${row}:${system}`,
  record: ({ gold_entry: g, system_entry: s, gold, system }) => ({ gold_entry: g, system_entry: s, gold, system }),
};
