"use strict";
// The Detail pane: one pair field by field, why it counts as it does, and in which modes.

function drawDetail() {
  const d = current.document;
  const found = view.m && d >= 0 ? mentionAt(d, view.m) : { row: null };
  if (found.row === null) {
    replace("detail-body", element("p", { class: "empty" }, "Choose an annotation in the document, or an item in the list."));
    return;
  }
  const system = view0();
  const pair = pairOf(found);
  const verdict = element("p", { class: "summary" }, ...summary(pair));
  const repeat = isRepeat(system, found.side, found.row) ? element("p", { class: "repeat" }, `Its span counts once, for another mention; this mention counts only for its ${head.classes.word}.`) : null;
  const place = pair.gold >= 0 ? placeOfMention(corpus.gold, pair.gold) : placeOfMention(system, pair.system);
  replace("detail-body", verdict, ...drawChains(pair), drawHierarchy(pair), drawDecisions(), drawRemark(place), repeat, fieldTable(pair), modeTable(pair));
}

// A mention and its partner in the most lenient pairing.
function pairOf({ side, row }) {
  const partner = Math.max(widest(view0())[side][row], NOBODY);
  return side === "gold" ? { gold: row, system: partner } : { gold: partner, system: row };
}

function summary({ gold, system: p }) {
  const system = view0();
  const kinds = (p >= 0 ? system.kinds.system[p] : 0) | (gold >= 0 ? system.kinds.gold[gold] : 0);
  const names = Object.entries(KINDS).filter(([name, bit]) => bit !== ALONE && kinds & bit).map(([name]) => KIND_NAMES[name]);
  if (p >= 0 && widest(system).system[p] === DISPLACED) return ["Displaced: another prediction took its gold mention, and the released script does not count this one."];
  const [name, found] = isRelation(gold < 0 ? system : corpus.gold, gold < 0 ? p : gold) ? ["relation", "predicted relation"] : ["mention", "prediction"];
  const strong = (word) => element("strong", {}, name === "relation" ? `${word} ${name}` : word);
  if (gold < 0) return [strong("Spurious"), `: no gold ${name} is paired with it. `, nearby(p, "system", name)];
  if (p < 0) return [strong("Missed"), `: no ${found} is paired with it. `, nearby(gold, "gold", name)];
  return names.length ? [element("strong", {}, "Pair with errors"), ": " + names.join(", ")] : [element("strong", {}, "Right"), " in all fields" + differing({ gold, system: p })];
}

// The links from which a link follows, or the cycle of links that it contradicts.
function drawChains({ gold, system: p }) {
  const system = view0();
  const known = corpus.chains[view.system]?.[corpus.documents[current.document]] ?? [];
  const rows = [["gold", corpus.gold, gold], ["predicted", system, p]].filter(([, side, row]) => row >= 0 && isRelation(side, row));
  return rows.flatMap(([name, side, row]) => {
    const ends = side.argumentsOf(row).map(([, fragments]) => spell(fragments)).join(" → ");
    const label = side.value(row, head.slots[CLASS_SLOT]);
    const found = known.filter((each) => each.side === name && each.link.label === label && each.link.ends.map(spell).join(" → ") === ends);
    return found.map((each) => drawChain(each, name === "gold" ? "predicted" : "gold"));
  });
}

function drawChain({ kind, chain }, other) {
  const cycle = kind === "contradictory";
  const end = (link, k) => (link.names[k] ? link.names[k] : phraseElement(link.ends[k]));
  const title = cycle ? "Contradictory: these links lead back to its source, so they imply nothing." : `Right by inference: it follows from these ${other} links.`;
  return element(
    "div", { class: "chain" }, element("p", {}, title),
    element("ol", {}, ...chain.map((link) => element("li", {}, end(link, 0), ` ${link.label} `, end(link, 1)))),
  );
}

// How the code of an item is related to a code of the other side in the hierarchy.
function drawHierarchy({ gold: g, system: p }) {
  const [system, partners] = [view0(), head.relations.length ? pairingOf(view0(), "related", "codes") : null];
  if (!partners) return null;
  const [own, other] = p >= 0 ? [p, partners.system[p]] : [partners.gold[g], g];
  const relation = own >= 0 && head.relations[system.columns.relation[own] - 1];
  if (!relation) return null;
  const where = p >= 0 && g >= 0 ? "." : p >= 0 ? (other >= 0 ? `: ${spellCode(corpus.gold, other)}.` : ".") : `, predicted instead: ${spellCode(system, own)}.`;
  return element("p", { class: "summary" }, element("strong", {}, `${relation.label[0].toUpperCase()}${relation.label.slice(1)}`), `: ${relation.meaning}${where}`);
}

const spellCode = (side, row) => withName(side.value(row, head.slots.find(({ name }) => name === head.code_slot)));

// The relations or events of a pair that only one side has.
function differing(pair) {
  const found = relationsOf(pair).find((each) => !isSameRelation(each));
  return found ? `; its ${kindOfLink(found)}s differ.` : ".";
}

const isRelation = (side, row) => side.sourceSize(row) > 0;

// For a mention or relation without a partner: what it overlaps, and the partner of that.
function nearby(row, side, name) {
  const system = view0();
  const [mine, theirs] = side === "gold" ? [corpus.gold, system] : [system, corpus.gold];
  const d = mine.document[row];
  const overlapping = [];
  for (let other = theirs.first[d]; other < theirs.first[d + 1]; other++) {
    if (isRelation(theirs, other) !== isRelation(mine, row)) continue;
    const shared = mine.fragments(row).some(([a, b]) => theirs.fragments(other).some(([s, e]) => a < e && s < b));
    if (shared) overlapping.push(other);
  }
  if (!overlapping.length) return "It overlaps nothing on the other side.";
  const partners = widest(system)[side === "gold" ? "system" : "gold"];
  const places = overlapping.map((other) => (isRelation(theirs, other) ? theirs.argumentsOf(other).map(([, fragments]) => spell(fragments)).join(" → ") : spell(theirs.fragments(other))));
  const paired = overlapping.every((other) => partners[other] >= 0);
  const whom = overlapping.length > 1 ? `which are paired with other ${name}s` : `which is paired with another ${name}`;
  return `It overlaps ${places.join("; ")}${paired ? `, ${whom}` : " on the other side"}.`;
}

function fieldTable({ gold: g, system: p }) {
  const system = view0();
  const both = g >= 0 && p >= 0;
  const weighted = head.slots.some((slot) => slot.weights);
  const tick = (same) => (same ? element("span", { class: "tick", "aria-label": "same" }, "✓") : element("span", { class: "cross", "aria-label": "different" }, "✗"));
  const row = (name, left, right, same, weight, why) => element(
    "tr", { class: both && !same ? "different" : null },
    element("th", { scope: "row" }, name), element("td", {}, left), element("td", {}, right),
    element("td", {}, both ? tick(same) : ""), element("td", { class: "number" }, weight), element("td", {}, why),
  );
  const spans = [g >= 0 ? corpus.gold.fragments(g) : null, p >= 0 ? system.fragments(p) : null];
  const sameSpan = both && spell(spans[0]) === spell(spans[1]);
  const rows = [];
  const span = row("span", spans[0] ? spell(spans[0]) : "—", spans[1] ? spell(spans[1]) : "—", sameSpan, "", both ? explainSpan(...spans) : "");
  head.slots.forEach((slot, k) => {
    if (k === CLASS_SLOT && !head.coded) return;
    const same = both && Boolean((system.equal[p] >> k) & 1);
    const weight = slot.weights && g >= 0 ? slot.weights[corpus.gold.slots[slot.name][g]].toFixed(2) : "";
    rows.push(row(slot.name.replace("_", " "), g >= 0 ? withName(corpus.gold.value(g, slot)) : "—", p >= 0 ? withName(system.value(p, slot)) : "—", same, weight, both && !same ? explainValue(slot, p) : ""));
  });
  const ends = [g >= 0 ? corpus.gold.argumentsOf(g) : [], p >= 0 ? system.argumentsOf(p) : []];
  for (const [k, [name]] of (ends[0].length ? ends[0] : ends[1]).entries()) {
    const [left, right] = ends.map((of) => of[k]?.[1] ?? null);
    rows.push(row(name, left ? phraseElement(left) : "—", right ? phraseElement(right) : "—", both && spell(left) === spell(right), "", ""));
  }
  for (const [left, right] of relationsOf({ gold: g, system: p })) rows.push(row(kindOfLink([left, right]), relationElement(corpus.gold, left), relationElement(system, right), isSameRelation([left, right]), "", ""));
  rows.sort((a, b) => b.classList.contains("different") - a.classList.contains("different"));
  return element(
    "table", { class: "fields" },
    element("thead", {}, element("tr", {}, ...["Field", "Gold", system.name, "", weighted ? "Weight" : "", "Why"].map((name) => (name ? element("th", { scope: "col" }, name) : element("td", {}))))),
    element("tbody", {}, span, ...rows),
  );
}

// The relations of a mention and of its partner, in one row if they are paired.
function relationsOf({ gold: g, system: p }) {
  const system = view0();
  const own = p >= 0 ? system.relationsOf(p) : [];
  const partner = ({ relation, arrow }) => own.find((other) => other.arrow === arrow && other.relation === widest(system).gold[relation]);
  const rows = (g >= 0 ? corpus.gold.relationsOf(g) : []).map((found) => [found, partner(found)]);
  return [...rows, ...own.filter((found) => !rows.some(([, other]) => other === found)).map((found) => [undefined, found])];
}

const kindOfLink = ([left, right]) => (left ?? right).name;

const relationName = (side, { relation, arrow }) => (head.coded ? side.value(relation, head.slots[CLASS_SLOT]) + " " : "") + arrow;

const isSameRelation = ([left, right]) => Boolean(left && right) && relationName(corpus.gold, left) === relationName(view0(), right) && spell(left.other) === spell(right.other);

// A button that opens a relation: its label, its direction, and its other end.
function relationElement(side, found) {
  if (!found) return "—";
  const m = (side === corpus.gold ? "g" : "p") + (found.relation - side.first[current.document]);
  return element("button", { type: "button", class: "link", onclick: () => change({ m }) }, relationName(side, found) + " ", phraseElement(found.other));
}

// The offsets, and their words once the text is unpacked.
function phraseElement(fragments) {
  const made = element("span", {}, spell(fragments));
  textOf(current.document).then((text) => text !== null && made.prepend(excerpt(text, fragments), " "));
  return made;
}

function explainValue(slot, p) {
  if (slot.kind === "closed" || slot.kind === "free") return "another value";
  if (slot.kind === "label") return "another label";
  if (slot.kind === "code") return "another code";
  if (!head.spans_given) return "other codes";
  return pairingOf(view0(), "overlap", "both").system[p] >= 0 ? "in the list, not first" : "not in the list";
}

function explainSpan(gold, system) {
  if (spell(gold) === spell(system)) return "";
  if (gold.length > system.length) return `${gold.length - system.length} fragment missing`;
  if (gold.length < system.length) return `${system.length - gold.length} fragment too many`;
  const found = [];
  gold.forEach(([start, end], k) => {
    const [s, e] = system[k];
    const where = gold.length > 1 ? ` (fragment ${k + 1})` : "";
    if (s !== start) found.push(`begins ${Math.abs(s - start)} ${s > start ? "late" : "early"}${where}`);
    if (e !== end) found.push(`ends ${Math.abs(e - end)} ${e < end ? "early" : "late"}${where}`);
  });
  return found.join(", ");
}

// The verdict of the two mentions in each match mode and criterion.
function modeTable({ gold: g, system: p }) {
  const system = view0();
  const names = { span: "Span", class: "Class", both: "Span & Class" };
  const count = (match, criterion) => {
    const found = [];
    const ofPrediction = p >= 0 ? verdictsOf(system, match, criterion).system[p] : null;
    const ofGold = g >= 0 ? verdictsOf(system, match, criterion).gold[g] : null;
    if (ofGold !== null) found.push(ofGold);
    if (ofPrediction !== null && ofPrediction !== ofGold) found.push(ofPrediction);
    return found.map((verdict) => (verdict === NOTHING ? "–" : VERDICTS[verdict].toUpperCase())).join(" + ");
  };
  return element(
    "table", { class: "modes" },
    element("caption", {}, "Counts as"),
    element("thead", {}, element("tr", {}, element("td", {}), ...head.criteria.map((c) => element("th", { scope: "col" }, names[c])))),
    element("tbody", {}, ...Object.entries(head.modes).map(([match, name]) => element("tr", {}, element("th", { scope: "row" }, name.toLowerCase()), ...head.criteria.map((c) => element("td", { class: match === view.match && c === view.criterion ? "chosen" : null }, count(match, c)))))),
  );
}
