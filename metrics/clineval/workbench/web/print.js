"use strict";
// Print the tables, and then some documents, each with its note, a table of its items, and the fields of
// the chosen item. A view defines how these look (drawOnPaper, itemsOnPaper, PAPER_COLUMNS, detailOnPaper,
// measuresOf). The sheets are drawn just before printing, from the current view; their texts are unpacked
// earlier.

const MOST_SHEETS = 100;
const ROWS_ON_PAPER = 20; // rows of a table in the upper panes; the style sheet has the same limit

// The line below a table that is not printed in full; a row of a picture has a line for each system.
function restOnPaper(rows, lines = 1) {
  const left = rows - Math.ceil(ROWS_ON_PAPER / lines);
  return left > 0 ? element("p", { class: "on-paper" }, `and ${inThousands(left)} more`) : null;
}

// The documents to print by default: those of --print-documents, or the open one.
const usualSheets = () => (head.print.length ? head.print.map((name) => corpus.documents.indexOf(name)) : null);

async function unpackSheets(documents) {
  if (!documents) return void (current.sheets = null);
  const some = documents.slice(0, MOST_SHEETS);
  const texts = await Promise.all(some.map(textOf));
  current.sheets = { left: documents.length - some.length, of: some.map((d, k) => [d, texts[k]]) };
  return undefined;
}

// Draw as if a document were open. An item is chosen only if the document really is open.
function asOpen(d, draw) {
  const before = { view, document: current.document };
  if (d !== current.document) view = { ...view, m: null };
  current.document = d;
  try {
    return draw();
  } finally {
    ({ view } = before);
    current.document = before.document;
  }
}

function drawSheet([d, text]) {
  const items = itemsOnPaper(d);
  const table = element(
    "table", { class: "paper-items" },
    element("caption", {}, hasFilter() ? `Items that the filter shows, ${items.length}` : `Errors, ${items.length}`),
    element("thead", {}, element("tr", {}, ...[...Object.keys(PAPER_COLUMNS), "Remark"].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...items.map((i) => element("tr", {}, ...Object.values(PAPER_COLUMNS).map((show) => element("td", {}, show(i, text))), element("td", {}, remarkOnPaper(i))))),
  );
  return element(
    "article", { class: "sheet", id: "sheet-" + d },
    element("h2", {}, corpus.documents[d]), element("p", {}, measuresOf(d)), drawOnPaper(d, text), items.length ? table : null, ...detailOnPaper(d),
  );
}

function remarkOnPaper(i) {
  const { tags = [], comment = "", decision = "", to_spans: spans = "", to_class: name = "" } = remarkAt(i) ?? {};
  return [decision && `→ ${[decision, spans, name].filter(Boolean).join(" ")}`, tags.join(", "), comment].filter(Boolean).join("; ");
}

function drawContents({ of, left }) {
  const lines = of.map(([d]) => element("li", {}, element("a", { href: "#sheet-" + d }, corpus.documents[d]), ` ${measuresOf(d)}`));
  const more = left ? element("p", {}, `and ${inThousands(left)} more documents, which are not printed`) : null;
  return element("nav", { "aria-label": "Printed documents" }, element("h2", {}, "Documents"), element("ol", {}, ...lines), more);
}

// Lines between marks need the positions on paper; the sheets already have the width of paper.
function drawPaper() {
  const open = current.document >= 0 && current.opened?.d === current.document ? [[current.document, current.opened.text]] : [];
  const sheets = current.sheets ?? { of: open, left: 0 };
  $("paper").hidden = false;
  $("paper").replaceChildren(...(sheets.of.length > 1 ? [drawContents(sheets)] : []));
  for (const sheet of sheets.of) {
    asOpen(sheet[0], () => $("paper").append(drawSheet(sheet)));
    asOpen(sheet[0], () => joinOnPaper($("paper").lastElementChild, sheet[0]));
  }
}

async function clearPaper() {
  $("paper").hidden = true;
  $("paper").replaceChildren();
  await unpackSheets(usualSheets());
}

async function printDocuments(documents) {
  await unpackSheets(documents);
  window.print();
}

const PRINTS = {
  "print-document": () => printDocuments(current.document < 0 ? null : [current.document]),
  "print-listed": () => printDocuments(current.order),
};

async function connectPaper() {
  window.addEventListener("beforeprint", drawPaper);
  window.addEventListener("afterprint", clearPaper);
  await unpackSheets(usualSheets());
}
