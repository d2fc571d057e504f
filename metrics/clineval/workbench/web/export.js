"use strict";
// Export the current view: items as CSV or JSON, and the table of outcome measures.

const offsets = (fragments) => fragments.map(([start, end]) => `${start}-${end}`).join(",");

// The items that the filter shows, as records of offsets and codes, without text.
function exportedPairs() {
  const { items, rows } = current;
  return [...rows].map((i) => {
    const [g, p] = [items.golds[i], items.predictions[i]];
    const record = {
      document: corpus.documents[items.documents[i]],
      verdict: VERDICTS[items.verdicts[i]],
      errors: Object.keys(KINDS).filter((name) => items.kinds(i) & KINDS[name]).join(" "),
      gold_spans: g >= 0 ? offsets(corpus.gold.fragments(g)) : "",
      system_spans: p >= 0 ? offsets(items.system.fragments(p)) : "",
    };
    head.slots.forEach((slot, k) => {
      record[slot.name + "_gold"] = g >= 0 ? corpus.gold.value(g, slot) : "";
      record[slot.name + "_system"] = p >= 0 ? items.system.value(p, slot) : "";
      record[slot.name + "_equal"] = g >= 0 && p >= 0 ? (items.system.equal[p] >> k) & 1 : "";
      if (slot.weights) record[slot.name + "_weight"] = g >= 0 ? slot.weights[corpus.gold.slots[slot.name][g]] : "";
    });
    return record;
  });
}

function columnNames() {
  const names = ["document", "verdict", "errors", "gold_spans", "system_spans"];
  for (const slot of head.slots) {
    names.push(...["gold", "system", "equal", ...(slot.weights ? ["weight"] : [])].map((end) => `${slot.name}_${end}`));
  }
  return names;
}

const COUNTS = ["tp", "fp", "fn", "wrong"];
const MEASURES = ["precision", "recall", "f1", "accuracy"];

// Leave a cell empty if the criterion does not have the measure. Class uses pairs only; the others have no
// wrong class; with given spans there is only an accuracy.
const has = (criterion, measure) => isAccuracy(criterion) === (measure === "accuracy");

// The table that `clineval report --store-measures FILE` writes.
function outcomeMeasures() {
  const rows = [["system", "match", "criterion", "class", ...COUNTS, ...MEASURES, "score", "value"]];
  for (const system of corpus.systems) {
    for (const match of Object.keys(head.modes)) {
      for (const criterion of head.criteria) {
        const classes = countClasses({ system, match, criterion });
        const inOrder = [...classes.filter((c) => typeof c.code !== "number"), ...classes.filter((c) => typeof c.code === "number").sort((a, b) => a.code - b.code)];
        for (const row of inOrder) rows.push([system.name, match, criterion, row.label, ...COUNTS.map((name) => row[name]), ...MEASURES.map((name) => (has(criterion, name) && isDefined(row, name) ? rounded(row[name] ?? 0, 6) : "")), "", ""]);
      }
    }
  }
  return toCsv([...rows, ...scoreRows(2, 8)]);
}

const EXPORTS = {
  ...COPIES,
  ...PRINTS,
  corrected: () => chooseGold(),
  ...REMARK_EXPORTS,
  "pairs-csv": () => {
    const names = columnNames();
    save("pairs.csv", "text/csv", toCsv([names, ...exportedPairs().map((record) => names.map((name) => record[name]))]));
  },
  "pairs-json": () => {
    const shown = { module: head.module, config: head.config, protocol: head.protocol, match: view.match, criterion: view.criterion, system: view0().name, signature: view0().signature, pairs: exportedPairs() };
    save("pairs.json", "application/json", JSON.stringify(shown, null, 1) + "\n");
  },
  measures: () => save("outcome_measures.csv", "text/csv", outcomeMeasures()),
  scores: () => save("scores.json", "application/json", JSON.stringify(head.systems.map((system) => ({ ...system, warnings: head.warnings })), null, 1) + "\n"),
};
