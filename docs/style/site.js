// Accessibility: the buttons next to code are not navigation, boxes that scroll need the keyboard
// focus, and an empty corner of a table is not a heading.
const mend = () => {
  for (const bar of document.querySelectorAll("nav.md-code__nav")) bar.setAttribute("role", "none");
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .highlight code")) box.tabIndex = 0;
  for (const corner of document.querySelectorAll("th:empty")) corner.replaceWith(document.createElement("td"));
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();

// The form on the page about signatures: the rules of metrics stand in the page, nothing is sent.
const answerSignatures = (form) => {
  const [ours, theirs] = ["first", "second"].map((name) => parseSignature(form.elements[name].value));
  const rules = JSON.parse(document.getElementById("comparable-rules").textContent);
  const compared = ours && theirs && compareSignatures(ours, theirs, rules[ours.get("metric")] ?? []);
  document.getElementById("comparable-answer").textContent = compared ? compared.answer : "";
  const differing = compared ? compared.fields.filter(({ verdict }) => verdict !== "agrees") : [];
  const rows = differing.map(({ name, values, verdict, advice }) => [name, ...values.map((value) => value || "–"), verdict, advice]);
  const made = (cells, tag) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell) => Object.assign(document.createElement(tag), { textContent: cell })));
    return row;
  };
  const heads = rows.length ? [made(["field", "first", "second", "verdict", "what to do"], "th")] : [];
  document.getElementById("comparable-fields").replaceChildren(...heads, ...rows.map((row) => made(row, "td")));
};
document.addEventListener("input", ({ target }) => target.form?.id === "comparable" && answerSignatures(target.form));
