"use strict";
// The Slots pane: the accuracy of each slot, and its confusions.

function drawSlots() {
  const counted = countSlots(current.items);
  const loss = counted.slots.map(({ weight, equalWeight }) => weight - equalWeight);
  const totalLoss = loss.reduce((a, b) => a + b, 0);
  const weighted = head.slots.some((slot) => slot.weights);
  const list = element(
    "table", { class: "slots" },
    element("thead", {}, element("tr", {}, ...["Slot", "Wrong", "Accuracy", ...(weighted ? ["Weighted", "Loss"] : [])].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...(weighted ? totalRows(counted) : []), ...head.slots.map((slot, k) => {
      const { pairs, equal, own, equalOwn } = counted.slots[k];
      const given = head.equal_only || (k === CLASS_SLOT && view.criterion === "both");
      const name = element("button", { type: "button", class: "link", "aria-pressed": String(view.slotShown === slot.name), onclick: () => change({ slotShown: slot.name }) }, slot.name.replace("_", " "));
      return element(
        "tr", { class: view.slotShown === slot.name ? "chosen" : null },
        element("th", { scope: "row" }, name),
        element("td", {}, cell(inThousands(pairs - equal), `${slot.name}: ${pairs - equal} wrong, show them`, { slot: { name: slot.name, gold: null, system: null } }, view.slot?.name === slot.name && view.slot.gold === null)),
        element("td", given ? { title: "always equal, because only mentions that agree in it are paired" } : {}, given ? "—" : share(ratio(equal, pairs))),
        ...(weighted ? [element("td", {}, given ? "—" : share(ratio(equalOwn, own))), element("td", { title: "share of all lost weight" }, totalLoss ? Math.round(100 * ratio(loss[k], totalLoss)) + " %" : NO_SCORE)] : []),
      );
    })),
  );
  const slot = head.slots.find((known) => known.name === view.slotShown);
  replace("slots-body", head.slots.length > 1 ? list : null, ...confusionsOf(slot), ...tablesOfHierarchy(view0()));
}

// The confusions: a picture if there are enough classes, with a list if there are many, or a table.
function confusionsOf(slot) {
  const map = isPictured() ? confusionMap(slot) : null;
  return [map, slot.kind !== "closed" ? confusionList(slot) : map ? null : confusionMatrix(slot)];
}

function confusionMap(slot) {
  return heatMap(slot.name.replace("_", " "), countConfusions(current.items, slot).map(({ gold, system, n }) => ({
    gold: valueName(slot, gold), system: valueName(slot, system), n,
    label: `${slot.name}: gold ${slot.values[gold]}, system ${slot.values[system]}: ${n} pairs, show them`,
    pressed: view.slot?.name === slot.name && view.slot.gold === gold && view.slot.system === system,
    choose: () => change({ ...NO_FILTER, slot: { name: slot.name, gold, system }, tab: "pairs", doc: null, m: null }),
  })));
}

// A pair of the same class has no confusion: name the mode that also pairs different classes.
function sayNoConfusion() {
  const other = head.criteria.find((name) => name !== "both");
  if (head.equal_only || view.criterion !== "both" || view.slotShown !== head.slots[CLASS_SLOT]?.name || !other) return element("p", { class: "empty" }, "No pair has different codes here.");
  const word = head.classes.word;
  const button = element("button", { type: "button", class: "link", onclick: () => change({ criterion: other }) }, other === "span" ? "Span" : "Class");
  return element("p", { class: "empty" }, `Under Span & Class both sides of a pair have the same ${word}. To see the confusions, choose `, button, ".");
}

// The accuracies of all slots together and, if F1 is counted, its products with them.
function totalRows(counted) {
  const { accuracy, weighted_accuracy: mean } = accuraciesOf(counted);
  const row = (name, ...cells) => element("tr", { class: "total" }, element("th", { scope: "row" }, name), ...cells.map((text) => element("td", {}, text)));
  const all = row("All", inThousands(counted.pairs * head.slots.length - counted.equal), share(accuracy), share(mean), "");
  return view.criterion === "class" ? [all] : [all, row("F1 × all", "", ...[accuracy, mean].map((x) => share(x === null || current.measures.f1 === null ? null : x * current.measures.f1)), "")];
}

function slotCell(slot, { gold, system, n }, text) {
  const pressed = view.slot?.name === slot.name && view.slot.gold === gold && view.slot.system === system;
  return cell(text, `${slot.name}: gold ${slot.values[gold]}, system ${slot.values[system]}: ${n} pairs, show them`, { slot: { name: slot.name, gold, system } }, pressed);
}

function confusionMatrix(slot) {
  const cells = countConfusions(current.items, slot);
  const used = (side) => slot.values.map((_, v) => v).filter((v) => v === slot.default || cells.some((c) => c[side] === v))
    .sort((a, b) => (b === slot.default) - (a === slot.default) || a - b);
  const columns = used("system");
  const number = new Map(cells.map((c) => [c.gold + ">" + c.system, c.n]));
  return element(
    "table", { class: "matrix" },
    element("caption", {}, `${slot.name.replace("_", " ")}: gold in rows, system in columns`),
    element("thead", {}, element("tr", {}, element("td", {}), ...columns.map((v) => element("th", { scope: "col" }, valueName(slot, v))), slot.weights ? element("th", { scope: "col", class: "weight" }, "weight") : null)),
    element("tbody", {}, ...used("gold").map((g) => element(
      "tr", {},
      element("th", { scope: "row" }, valueName(slot, g)),
      ...columns.map((s) => {
        const n = number.get(g + ">" + s) || 0;
        const kind = g === s ? (g === slot.default ? "diagonal default" : "diagonal") : n ? "off" : "";
        return element("td", { class: kind }, n ? slotCell(slot, { gold: g, system: s, n }, inThousands(n)) : "·");
      }),
      slot.weights ? element("td", { class: "weight" }, slot.weights[g].toFixed(2)) : null,
    ))),
  );
}

const valueName = (slot, v) => (slot.values[v] === "" ? "(absent)" : slot.values[v].replace("_", " ").replaceAll("\t", " – ")) + (v === slot.default ? "*" : "");

function confusionList(slot) {
  const wrong = countConfusions(current.items, slot).filter((c) => c.wrong).sort((a, b) => b.n - a.n);
  const rows = wrong.slice(0, FEW).map((c) => element(
    "tr", {},
    element("td", { class: "named" }, ...codeElement(slot.values[c.gold], valueName(slot, c.gold))), element("td", { "aria-hidden": "true" }, "→"), element("td", { class: "named" }, ...codeElement(slot.values[c.system], valueName(slot, c.system))),
    element("td", {}, slotCell(slot, c, inThousands(c.n))),
  ));
  const heading = element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "gold"), element("td", {}), element("th", { scope: "col" }, "system"), element("th", { scope: "col" }, "pairs")));
  const caption = `${slot.name.replace("_", " ")}: most frequent confusions` + (wrong.length > FEW ? ` (${FEW} of ${inThousands(wrong.length)})` : "");
  if (!wrong.length) return sayNoConfusion();
  const table = element("table", { class: "matrix" }, element("caption", {}, caption), heading, element("tbody", {}, ...rows));
  return element("div", {}, table, restOnPaper(wrong.length));
}
