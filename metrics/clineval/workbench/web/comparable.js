"use strict";
// Whether two results can be compared, by their signatures, as `clineval comparable` decides it.

const ANSWERS = { differs: "not comparable", "cannot tell": "cannot tell" };

// The fields of a signature by name; null if the text is no signature.
function parseSignature(text) {
  const [metric, config, ...rest] = text.trim().split("|");
  if (!config || !rest.every((field) => field.includes(":"))) return null;
  const fields = new Map([["metric", metric], ["config", config]]);
  for (const field of rest) fields.set(field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1));
  if (fields.has("refs")) fields.set("refs", fields.get("refs").split(" ")[0]);
  return fields;
}

// What to do, so that a field has a value.
function advise(rule, value) {
  if (rule.remedy || !rule.option) return rule.remedy || `score both from inputs with the same ${rule.name}`;
  if (!rule.literal) return `score both with the same ${rule.option}`;
  return value ? `score again with ${rule.option} ${value}` : `score again without ${rule.option}`;
}

function judgeField(rule, ours, theirs, sameGold) {
  if (!rule) return ["cannot tell", "this version of clineval does not know the field"];
  if (ours === theirs) return ["agrees", ""];
  if (rule.may_differ === "version") return ["cannot tell", "clineval comparable knows the changes of scores between versions"];
  if (rule.may_differ === "yes" || (rule.may_differ === "docs" && sameGold)) return ["may differ", rule.remark];
  return ["differs", advise(rule, ours)];
}

// Compare two parsed signatures by the rules of their metric; advice repeats the second like the first.
function compareSignatures(ours, theirs, rules) {
  const sameGold = ours.get("refs") === theirs.get("refs");
  const fields = [...new Set([...ours.keys(), ...theirs.keys()])].map((name) => {
    const values = [ours.get(name) ?? "", theirs.get(name) ?? ""];
    const [verdict, advice] = judgeField(rules.find((rule) => rule.name === name), ...values, sameGold);
    return { name, values, verdict, advice };
  });
  const worst = Object.keys(ANSWERS).find((verdict) => fields.some((field) => field.verdict === verdict));
  return { fields, answer: ANSWERS[worst] ?? "comparable" };
}
