"use strict";
// The Document pane: the note once for each side, with matching lines side by side.

const MARK_NAMES = { missed: "missed", spurious: "spurious", boundary: "boundary", code: head.classes.word, slot: "slot", right: "right", nothing: "does not count" };

// The look of a mention: its outcome in the most lenient pairing.
function describeMention(system, side, row) {
  const kinds = system.kinds[side][row];
  const pairing = widest(system)[side][row];
  if (pairing === DISPLACED) return { look: "nothing", letters: "–" };
  if (kinds & ALONE) return side === "gold" ? { look: "missed", letters: "FN" } : { look: "spurious", letters: "FP" };
  const letters = (kinds & BOUNDARY ? "B" : "") + (kinds & CODE ? "C" : "") + (kinds & SLOT ? "S" : "");
  const look = kinds & BOUNDARY ? "boundary" : kinds & CODE ? "code" : kinds & SLOT ? "slot" : "right";
  return { look, letters };
}

// The mentions of a document on one side that have a place in the text. A relation has the fragments of
// its arguments, first those of its source, then those of its target.
function mentionsOf(system, side, d) {
  const columns = side === "gold" ? corpus.gold : system;
  const prefix = side === "gold" ? "g" : "p";
  const found = [];
  for (let row = columns.first[d]; row < columns.first[d + 1]; row++) {
    const fragments = columns.fragments(row).filter(([start, end]) => start < end);
    if (!fragments.length) continue;
    const relation = columns.sourceSize(row);
    found.push({ row, key: prefix + (row - columns.first[d]), system, side, fragments, relation, ...describeMention(system, side, row) });
  }
  return found;
}

function partnerKey(system, side, row, d) {
  const partner = widest(system)[side][row];
  if (partner < 0) return null;
  return side === "gold" ? "p" + (partner - system.first[d]) : "g" + (partner - corpus.gold.first[d]);
}

// The panes of the Document pane: each has a title, marked mentions, and the arcs of relations.
function panesOf(d) {
  const system = view0();
  const gold = makePane("Gold", mentionsOf(system, "gold", d));
  const shown = [...new Set(comparedPair())].map((at) => corpus.systems[at]);
  const panes = shown.map((each) => ({ ...makePane(each.name, mentionsOf(each, "system", d), each !== system), system: each }));
  const own = panes.find(({ other }) => !other);
  if (view.show === "gold") return [gold];
  if (view.show === "system") return [own];
  if (view.show === "merged") {
    // show the letters of a pair once, on the side of the system
    for (const mention of gold.mentions) if (mention.look !== "missed") mention.letters = "";
    const arcs = [...gold.arcs, ...own.arcs.filter(({ look }) => look !== "right")]; // a right relation is drawn once
    return [{ title: "Gold above, " + own.title + " below", mentions: [...gold.mentions, ...own.mentions], arcs, hidden: [...gold.hidden, ...own.hidden] }];
  }
  return [gold, ...panes];
}

// Draw a relation as an arc if its arguments are marked; mark it only if it is chosen.
function makePane(title, mentions, other = false) {
  const chosen = other ? new Set() : chosenKeys();
  const marked = new Set(mentions.filter(({ relation }) => !relation).flatMap(({ fragments }) => fragments.map(([start]) => start)));
  const relations = mentions.filter(({ relation, fragments }) => relation && fragments.length > relation);
  const drawn = mentions.filter((mention) => !relations.includes(mention) || chosen.has(mention.key) || !mention.fragments.every(([start]) => marked.has(start)));
  const arcs = relations.map(({ row, key, side, system, look, letters, fragments, relation }) => ({
    key, look, letters, other, source: fragments[0][0], target: fragments[relation][0],
    label: labelOf(side === "gold" ? corpus.gold : system, row),
  }));
  arcs.push(...mentions.flatMap((mention) => arcToTrigger(mention, other)));
  const folded = giveLanes(drawn, chosen);
  const undrawn = relations.filter((mention) => !drawn.includes(mention) || chosen.has(mention.key)).map(({ key }) => key);
  return { title, mentions: drawn, arcs, other, hidden: other ? [] : [...folded, ...undrawn] };
}

const labelOf = (columns, row) => (head.coded ? columns.value(row, head.slots[CLASS_SLOT]) : "");

// The arc from the trigger of an event to its argument; none if both begin at the same place.
function arcToTrigger({ row, key, side, system, look, fragments }, other) {
  const columns = side === "gold" ? corpus.gold : system;
  const [source, target] = [columns.start(columns.triggerOf(row)), fragments[0][0]];
  return source === target ? [] : [{ key, look, letters: "", other, source, target, label: labelOf(columns, row) }];
}

// The chosen mention and its partner.
function chosenKeys() {
  const d = current.document;
  const chosen = new Set();
  if (!view.m || d < 0) return chosen;
  chosen.add(view.m);
  const { side, row } = mentionAt(d, view.m);
  const partner = row === null ? null : partnerKey(view0(), side, row, d);
  if (partner) chosen.add(partner);
  return chosen;
}

const isChosen = (key) => chosenKeys().has(key);

// The keys that are marked only because they are chosen: folded mentions, and relations drawn as arcs.
const unfolded = () => [...chosenKeys()].filter((key) => current.hiddenKeys?.has(key)).join(" ");

async function drawDocument() {
  const drawn = await fillDocument((d, text) => {
    const panes = panesOf(d);
    current.panes = panes;
    current.hiddenKeys = new Set(panes.flatMap(({ hidden }) => hidden));
    panes.forEach(({ mentions }) => mentions.filter((m) => m.fragments.length > 1 && !m.relation).forEach((m, k) => (m.link = k + 1)));
    return text === null ? drawOffsets(d) : drawText(text, panes);
  });
  if (!drawn) return;
  drawn.addEventListener("click", onMarkClick);
  markSelected();
  drawConnectors();
  markHits();
}

// Without a text, list the mentions as offsets, gold beside system.
function drawOffsets(d) {
  const system = view0();
  const rows = [];
  for (const item of itemsOfDocument(d)) {
    const side = (row, which) => {
      if (row < 0) return element("td", {}, "");
      const columns = which === "gold" ? corpus.gold : system;
      const { look, letters } = describeMention(system, which, row);
      const key = (which === "gold" ? "g" : "p") + (row - columns.first[d]);
      return element("td", {}, element("mark", { class: `m k-${look} first last side-${which}`, "data-key": key, "data-letters": letters || null }, spell(columns.fragments(row))), " ", ...(head.coded ? codeElement(labelOf(columns, row)) : []));
    };
    rows.push(element("tr", {}, side(item.gold, "gold"), side(item.system, "system")));
  }
  const why = head.text ? "This report does not have the text of this document: offsets only." : "This report has no text: offsets only.";
  return element(
    "div", { class: "offsets" },
    element("p", { class: "empty" }, why),
    element("table", {}, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Gold"), element("th", { scope: "col" }, system.name))), element("tbody", {}, ...rows)),
  );
}

// The pairs of a document in the most lenient pairing, and the mentions without a partner.
function itemsOfDocument(d) {
  const system = view0();
  const { gold: goldLink, system: link } = widest(system);
  const found = [];
  for (let p = system.first[d]; p < system.first[d + 1]; p++) found.push({ gold: Math.max(link[p], NOBODY), system: p, start: system.start(p) });
  for (let g = corpus.gold.first[d]; g < corpus.gold.first[d + 1]; g++) if (goldLink[g] < 0) found.push({ gold: g, system: NOBODY, start: corpus.gold.start(g) });
  return found.sort((a, b) => a.start - b.start);
}

// If mentions overlap, each press selects the next one at that place, folded mentions last.
function onMarkClick(event) {
  const keys = [];
  const arc = event.target.closest("g.relation:not(.other)");
  if (arc) return change({ m: arc.dataset.key });
  if (event.target.closest(".other")) return chooseOther(event.target);
  for (let at = event.target.closest("mark"); at; at = at.parentElement.closest("mark")) keys.push(at.dataset.key);
  keys.push(...(event.target.closest(".folded")?.dataset.keys.split(" ") ?? []).filter((key) => !keys.includes(key)).sort());
  if (!keys.length) return undefined;
  // Choosing a folded mention marks it and folds another one, so go round in a fixed order.
  const round = current.hiddenKeys.size ? [...keys].sort((a, b) => (a[0] === b[0] ? Number(a.slice(1)) - Number(b.slice(1)) : a < b ? -1 : 1)) : keys;
  return change({ m: round[(round.indexOf(view.m) + 1) % round.length] });
}

// Press a mark or an arc of the other system to choose that system with it.
function chooseOther(target) {
  const own = target.closest("[data-key]");
  const system = corpus.systems.indexOf(current.panes.find(({ other }) => other)?.system);
  return own && system >= 0 ? change({ system, m: own.dataset.key }) : undefined;
}

// Whether Both shows gold above the systems instead of side by side. By default, three texts are in rows.
const inRows = (panes) => view.show === "both" && (arrangement.rows ?? panes > 2);

function chooseRows(rows) {
  arrange({ rows });
  refresh();
}

function markSelected() {
  const chosen = chosenKeys();
  let first = null;
  for (const mark of $("document-body").querySelectorAll("mark")) {
    const selected = chosen.has(mark.dataset.key) && !mark.closest(".other");
    mark.classList.toggle("selected", selected);
    if (selected && mark.dataset.key === view.m) mark.setAttribute("aria-current", "true");
    else mark.removeAttribute("aria-current");
    if (selected) first ??= mark;
  }
  if (first) scrollIntoBox(first);
}

// Scroll to a mark. Blocks of a long note get their height only when visible, so the mark may move
// meanwhile; try again until it stays.
function scrollIntoBox(mark, tries = 5) {
  const box = $("document-body");
  const [inner, outer] = [mark.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top >= outer.top + 28 && inner.bottom <= outer.bottom - 28) return;
  box.scrollTop += inner.top - outer.top - outer.height / 3;
  if (tries && mark.closest(".long")) requestAnimationFrame(() => mark.isConnected && scrollIntoBox(mark, tries - 1));
}

// Find the side and the row of a mention from its key, such as g3 or p7; row is null if there is none.
function mentionAt(d, key) {
  const side = key.startsWith("g") ? "gold" : "system";
  const columns = side === "gold" ? corpus.gold : view0();
  const row = columns.first[d] + Number(key.slice(1));
  return { side, row: row < columns.first[d + 1] ? row : null };
}
