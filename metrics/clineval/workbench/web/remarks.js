"use strict";
// Remarks on annotations: tags and a comment. The browser keeps them for this report, and exports them as
// JSON or CSV. A remark is about a gold annotation, or a prediction without a gold partner. A view defines
// what its items are about (placeOf) and finds the annotations of remarks (findPlaces).

const REMARKS = "clineval remarks 1";
const TAGS = ["gold wrong", "guideline unclear", "abbreviation"];
const REMARK_COLUMNS = ["document", "side", "spans", "class", "tags", "comment"];
const DECISION_COLUMNS = ["decision", "to_spans", "to_class", "to_slots"];
const SCORED = "scored_slots"; // the slots that are scored, in both kinds of file
const OWN_SLOTS = "slots"; // the slots of an annotation that only its slots identify
const NO_DECISION = { decision: "", to_spans: "", to_class: "", to_slots: {} };
const remarks = new Map();
const storedAs = `clineval remarks ${head.digest}`;
const asLine = (text) => String(text).replace(/\s+/g, " ").trim();
const sortedSlots = (slots) => Object.entries(slots ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).flat();
const keyOf = ({ document, side, spans, class: name, slots }) => JSON.stringify([document, side, spans, name, ...sortedSlots(slots)].map(visible));

function readStored() {
  remarks.clear();
  try {
    for (const remark of JSON.parse(localStorage.getItem(storedAs) ?? "[]")) for (const [key, own] of settle(remark)) remarks.set(key, own);
  } catch {
    // a page without storage, such as in a frame of another origin, keeps remarks while it is open
  }
  placeRemarks();
}

function store() {
  try {
    if (remarks.size) localStorage.setItem(storedAs, JSON.stringify([...remarks.values()]));
    else localStorage.removeItem(storedAs);
  } catch {
    if (!current.unstored) warn(["This browser does not keep remarks: export them before you close the page."]);
    current.unstored = true;
  }
  placeRemarks();
}

// List a remark under the keys of its annotations in this report, with their slots if needed. If it fits
// several annotations, it applies to all of them, without its decision.
function settle(remark) {
  const places = placesLike(remark);
  if (!places.length) return [[keyOf(remark), remark]];
  const decision = places.length > 1 ? NO_DECISION : {};
  return places.map((place) => [keyOf(place), { ...remark, ...decision, ...ownSlots({ ...remark.slots, ...place.slots }) }]);
}

const ownSlots = (slots) => (Object.keys(slots).length ? { [OWN_SLOTS]: slots } : {});

// Find the annotations of the remarks once, so that a filter need not compute the key of every item.
function placeRemarks() {
  current.remarked = findPlaces(new Map([...remarks].map(([key, remark]) => [key, remark])));
  current.remarksDrawn = (current.remarksDrawn ?? 0) + 1;
}

function changeRemark(place, changes) {
  const key = keyOf(place);
  const remark = { ...place, tags: [], comment: "", ...remarks.get(key), ...changes };
  if (remark.tags.length || remark.comment || remark.decision) remarks.set(key, remark);
  else remarks.delete(key);
  store();
  refresh();
}

const usedTags = () => [...new Set([...remarks.values()].flatMap(({ tags }) => tags))].sort();

// Whether a remark has a tag; "" stands for any remark.
const hasTag = (remark, tag) => remark !== undefined && (tag === "" || remark.tags.includes(tag) || (tag === DECIDED && Boolean(remark.decision)));
const DECIDED = "→ decided";
const decided = () => [...remarks.values()].some(({ decision }) => decision);

// The tags to choose from as filters, each with its label.
const tagChoices = () => (remarks.size ? [["", "remarked"], ...[...(decided() ? [DECIDED] : []), ...usedTags()].map((tag) => [tag, tag])] : []);

function drawRemark(place) {
  if (!place) return null;
  const remark = remarks.get(keyOf(place)) ?? { tags: [], comment: "" };
  const toggle = (tag) => changeRemark(place, { tags: remark.tags.includes(tag) ? remark.tags.filter((own) => own !== tag) : [...remark.tags, tag] });
  const add = (event) => {
    const tag = asLine(event.target.value).replaceAll(";", ",");
    if (tag && !remark.tags.includes(tag)) toggle(tag);
  };
  const tags = [...new Set([...TAGS, ...usedTags()])].map((tag) => element("button", { type: "button", class: "chip", "aria-pressed": String(remark.tags.includes(tag)), onclick: () => toggle(tag) }, tag));
  return element(
    "div", { class: "remark", role: "group", "aria-label": "Remark" }, ...tags,
    element("input", { class: "tag", "aria-label": "New tag", placeholder: "new tag", maxlength: 60, autocomplete: "off", onchange: add }),
    element("input", { class: "comment", "aria-label": "Comment", placeholder: "comment", maxlength: 1000, autocomplete: "off", value: remark.comment, onchange: (event) => changeRemark(place, { comment: asLine(event.target.value) }) }),
  );
}

// --- files

const slotted = () => [...remarks.values()].some(({ slots }) => slots);
const remarkColumns = () => [...REMARK_COLUMNS, ...(slotted() ? [OWN_SLOTS] : []), ...(decided() ? DECISION_COLUMNS : [])];
const ABSENT = { ...NO_DECISION, [OWN_SLOTS]: {} };
const listedRemarks = () => [...remarks.values()].map((remark) => Object.fromEntries(remarkColumns().map((name) => [name, remark[name] ?? ABSENT[name]])));
const spellSlots = (slots) => (Object.keys(slots).length ? JSON.stringify(slots) : "");
const CELLS = { tags: (tags) => tags.join("; "), [OWN_SLOTS]: spellSlots, to_slots: spellSlots };
const scoredSlots = () => head.scored_slots ?? [];
const remarkCell = (remark) => (name) => (CELLS[name] ? CELLS[name](remark[name]) : remark[name]);

const REMARK_EXPORTS = {
  "remarks-csv": () => save("remarks.csv", "text/csv", toCsv([[...remarkColumns(), ...(decided() ? [SCORED] : [])], ...listedRemarks().map((remark) => [...remarkColumns().map(remarkCell(remark)), ...(decided() ? [scoredSlots().join("; ")] : [])])])),
  "remarks-json": () => save("remarks.json", "application/json", JSON.stringify({ schema: REMARKS, report: head.digest, module: head.module, config: head.config, protocol: head.protocol, ...(head.scored_slots ? { [SCORED]: scoredSlots() } : {}), remarks: listedRemarks() }, null, 1) + "\n"),
  "remarks-import": () => $("remarks-file").click(),
};

// Read the cells of a CSV table; remove the apostrophes that guard against formulas in spreadsheets.
function fromCsv(text) {
  const rows = [[]];
  let [cell, quoted] = ["", false];
  const end = () => rows.at(-1).push(cell.replace(/^'(?=[=+\-@\t\r])/, ""));
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i];
    else if (c === '"') quoted = !quoted;
    else if (quoted) cell += c;
    else if (c === "," || c === "\n") {
      end();
      cell = "";
      if (c === "\n") rows.push([]);
    } else if (c !== "\r") cell += c;
  }
  if (cell || rows.at(-1).length) end();
  return rows.filter((row) => row.length > 1);
}

function readRemarks(text) {
  const plainText = text.replace(/^\ufeff/, "");
  if (plainText.trimStart().startsWith("{")) {
    const { schema, remarks: found } = JSON.parse(plainText);
    if (schema !== REMARKS) throw new TypeError("another file");
    return found;
  }
  const [names, ...rows] = fromCsv(plainText);
  const places = REMARK_COLUMNS.map((name) => names.indexOf(name));
  if (places.includes(-1)) throw new TypeError("another table");
  return rows.map((row) => {
    const remark = Object.fromEntries(REMARK_COLUMNS.map((name, k) => [name, row[places[k]] ?? ""]));
    const decision = Object.fromEntries(DECISION_COLUMNS.map((name) => [name, row[names.indexOf(name)] ?? ""]));
    const slots = row[names.indexOf(OWN_SLOTS)];
    return { ...remark, ...decision, slots: slots ? JSON.parse(slots) : {}, to_slots: decision.to_slots ? JSON.parse(decision.to_slots) : {}, tags: remark.tags.split(";").map(asLine).filter(Boolean) };
  });
}

const areSlots = (slots) => slots && typeof slots === "object" && Object.values(slots).every((value) => typeof value === "string");

// The decision of an imported remark, if it is complete and has the form that this page writes.
function decisionIn({ decision, to_spans, to_class, to_slots }) {
  const whole = [decision, to_spans, to_class].every((value) => typeof value === "string") && decision;
  return whole && areSlots(to_slots) ? { decision, to_spans, to_class, to_slots } : {};
}

// Merge an imported remark with the existing ones; return true if its decision fits several annotations.
function mergeRemark(each) {
  const { document, side, spans, class: name, tags, comment } = each;
  const decision = decisionIn(each);
  const settled = settle({ document, side, spans, class: name, ...(areSlots(each.slots) ? ownSlots(each.slots) : {}) });
  for (const [key, place] of settled) {
    const own = remarks.get(key) ?? { ...place, tags: [], comment: "" };
    const both = own.comment.includes(asLine(comment)) ? own.comment : [own.comment, asLine(comment)].filter(Boolean).join(" | ");
    const all = [...new Set([...own.tags, ...tags.map((tag) => asLine(tag).replaceAll(";", ","))])].filter(Boolean);
    const merged = { ...own, ...(own.decision || settled.length > 1 ? {} : decision), tags: all, comment: both };
    if (all.length || both || merged.decision) remarks.set(key, merged);
  }
  return settled.length > 1 && Boolean(decision.decision);
}

function importRemarks(text) {
  let found;
  try {
    found = readRemarks(text);
    const isText = (remark) => REMARK_COLUMNS.every((name) => name === "tags" || typeof remark[name] === "string");
    if (!found.every((remark) => isText(remark) && Array.isArray(remark.tags) && remark.tags.every((tag) => typeof tag === "string"))) throw new TypeError("no remarks");
  } catch {
    return warn(["This file has no remarks: expected a file from “Remarks, JSON” or “Remarks, CSV”. Nothing was changed."]);
  }
  const unclear = found.map(mergeRemark).filter(Boolean).length;
  store();
  refresh();
  const lost = [...remarks.keys()].filter((key) => !current.remarked.known.has(key)).length;
  const others = lost ? [`${inThousands(lost)} remarks are about annotations that this report does not have; they are kept and will be exported.`] : [];
  if (unclear) others.push(`${inThousands(unclear)} decisions were not read: they fit several annotations that differ only in slots. Decide on these again.`);
  if (others.length) warn(others);
  announce(`${inThousands(found.length)} remarks were read`);
}

function connectRemarks() {
  readStored();
  $("remarks-file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) importRemarks(await file.text());
    event.target.value = "";
  });
  window.addEventListener("storage", (event) => {
    if (event.key !== storedAs) return;
    readStored();
    refresh();
  });
}
