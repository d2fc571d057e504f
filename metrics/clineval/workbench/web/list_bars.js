"use strict";
// Bars in the views of lists: the items of each group by their kinds, and scores with their intervals.

function drawStacks(rows) {
  const systems = corpus.systems.map((system, at) => ({ at, counts: countKinds(system.lists[view.mode], view.by) }));
  const ofRow = (counts, { bucket }) => (bucket === null ? addUp(counts) : counts[bucket.value]);
  const sum = (own) => own.reduce((a, b) => a + b, 0);
  const groups = rows.filter(({ bucket }) => bucket !== null);
  const longest = (of) => Math.max(1, ...of.flatMap((row) => systems.map(({ counts }) => sum(ofRow(counts, row)))));
  const [most, mostOfAll] = [longest(groups), longest(rows)]; // the row of all items has a scale of its own
  const used = head.kinds.filter((_, k) => systems.some(({ counts }) => addUp(counts)[k]));
  const chosen = chosenItem() === null ? null : groupingOf(view.by).of(current.list)[chosenItem()];
  const heads = [element("th", { scope: "col" }, chooseGrouping()), ...headOfSystems(), element("td", {}, legendOf(used)), element("th", { scope: "col" }, "Right"), element("th", { scope: "col" }, "Items")];
  const lines = rows.flatMap((row) => {
    const is = row.bucket !== null && row.bucket.value === chosen;
    const own = systems.map(({ at, counts }) => stackLine(row, at, ofRow(counts, row), row.bucket === null ? mostOfAll : most));
    return barRows({ title: withName(row.label), shown: codeElement(row.label) }, { class: row.bucket === null ? "total" : is ? "chosen" : null, "aria-current": is ? "true" : null }, own);
  });
  return pictureTable(heads, lines);
}

const legendOf = (kinds) => element("span", { class: "kinds-legend" }, ...kinds.map(({ label, look }) => element("span", {}, element("span", { class: "key k-" + look, "aria-hidden": "true" }), label)));

// The cells of a bar of items; press a part of it for the items of one kind, or the whole by key.
function stackLine(row, system, counts, most) {
  let from = 0;
  const parts = head.kinds.map(({ name, label, look }, k) => ({ name, label, look, n: counts[k] })).filter(({ n }) => n);
  const items = parts.reduce((sum, { n }) => sum + n, 0);
  const rects = [];
  for (const { name, look, n } of parts) {
    rects.push(svgElement("rect", { class: "part k-" + look, "data-kind": name, x: percent(from / most), width: percent(n / most), y: 4, height: 12 }));
    from += n;
  }
  const whose = corpus.systems.length > 1 ? `, ${corpus.systems[system].name}` : "";
  const told = parts.map(({ label, n }) => `${n} ${label}`).join(", ");
  const pressed = view.system === system && view.bucket !== null && sameBucket(view.bucket, row.bucket) && !view.kinds.size && !view.compared;
  const choose = ({ target }) => change({ ...NO_FILTER, kinds: new Set(target.dataset.kind ? [target.dataset.kind] : []), bucket: row.bucket, system, tab: "items", doc: null, m: null });
  const button = element("button", { type: "button", class: "bar-button", title: told, "aria-pressed": String(pressed), "aria-label": `${row.label}${whose}: ${told ? told + "; " : ""}${items} items, show them`, onclick: choose }, barSvg(rects));
  const right = head.kinds.reduce((sum, { right: is }, k) => (is ? sum + counts[k] : sum), 0);
  return [...nameOfSystem(system), element("td", { class: "picture-cell" }, button), ...[right, items].map((n) => element("td", {}, inThousands(n)))];
}

// The scores that a picture shows: F1 of each class or field if there are several, else all with intervals.
function picturedScores() {
  const known = head.shown_scores.filter((key) => !isTabled(key) && corpus.systems.some((_, at) => intervalOf(at, key)));
  const within = known.filter((key) => corpus.systems.every(({ scores }) => scores[key] >= 0 && scores[key] <= 1));
  const f1 = within.filter((key) => key.endsWith("f1"));
  return f1.length > 2 ? f1 : within;
}

function drawScoreBars(keys) {
  const heads = [element("th", { scope: "col" }, "Score"), ...headOfSystems(), element("td", {}, axis()), element("td", {}), element("th", { scope: "col" }, "95 %")];
  const line = (key) => corpus.systems.map((system, at) => {
    const value = scoreOfSystem(system, key);
    const found = intervalOf(at, key);
    const bounds = found && found[0] !== null ? [...found, Boolean(daggerOf(at, key))] : null;
    const shown = bounds ? bounds.slice(0, 2).map(share).join("–") + daggerOf(at, key) : NO_SCORE;
    const picture = barSvg(value === null ? gridLines() : bar(value, bounds, at % 4), `${key.replaceAll("_", " ")}, ${system.name}: ${share(value)}, 95 % ${shown}`);
    return [...nameOfSystem(at), element("td", { class: "picture-cell" }, picture), element("td", {}, share(value)), element("td", { class: "interval" }, shown)];
  });
  return pictureTable(heads, keys.flatMap((key) => barRows({ title: key, shown: [key.replaceAll("_", " ")] }, { class: key === head.headline ? "total" : null }, line(key))));
}
