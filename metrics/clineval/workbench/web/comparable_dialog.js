"use strict";
// The dialog that compares the signature of the page with another one.

function drawComparable() {
  const text = $("other-signature").value;
  const other = parseSignature(text);
  const compared = other && compareSignatures(parseSignature(signatureNow()), other, head.fields);
  $("comparable-answer").textContent = compared ? compared.answer : text.trim() ? "expected a signature such as metric|config|protocol:spec|docs:2" : "";
  const differing = compared ? compared.fields.filter(({ verdict }) => verdict !== "agrees") : [];
  const heads = ["field", "this page", "other", "verdict", "what to do"].map((name) => element("th", { scope: "col" }, name));
  const rows = differing.map(({ name, values, verdict, advice }) =>
    element("tr", {}, element("th", { scope: "row" }, name), ...[...values.map((value) => value || "–"), verdict, advice].map((cell) => element("td", {}, cell))));
  $("comparable-fields").replaceChildren(...(rows.length ? [element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)] : []));
}

function openComparable() {
  drawComparable();
  $("comparable").showModal();
}
