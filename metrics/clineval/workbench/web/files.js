"use strict";
// Save, copy and cite.

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Copy a text to the clipboard. A page in a frame may lack this permission; it then copies a selection.
async function copy(what, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = element("textarea", { "aria-label": what, readonly: true }, text);
    document.body.append(box);
    box.select();
    const copied = document.execCommand("copy");
    box.remove();
    if (!copied) return warn([`This browser cannot copy; here is the ${what}:`, text]);
  }
  return tell(`the ${what} is copied`);
}

// Show a message in the footer for a short time.
function tell(text) {
  const [box, usual] = [$("told"), ($("told").dataset.usual ??= $("told").textContent)];
  announce(text);
  box.textContent = text;
  clearTimeout(current.telling);
  current.telling = setTimeout(() => (box.textContent = usual), 4000);
}

const signatureNow = () => corpus.systems[view.system].signature;

// How to cite the score in a paper: the program with the signature, and the challenge.
const citation = () => `@software{clineval,
  title   = {clineval: the scores of the clinical {NLP} challenges},
  author  = {{The clineval developers}},
  year    = {2026},
  version = {${head.version}},
  note    = {\\detokenize{${signatureNow()}}},
}
${head.citation}`;

const COPIES = {
  "copy-link": () => copy("link", location.href),
  "copy-signature": () => copy("signature", signatureNow()),
  comparable: () => openComparable(),
  "copy-citation": () => copy("citation", citation()),
};

// Write control characters as escapes, as `visible` in clineval/base/escaping.py does.
const HIDDEN = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;
const ESCAPES = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const hexadecimal = (code) => (code < 256 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16).padStart(4, "0"));
const visible = (text) => text.replace(HIDDEN, (found) => ESCAPES[found] ?? hexadecimal(found.charCodeAt(0)));

// Keep a spreadsheet from reading text as a formula, as `write_csv` in clineval/base/escaping.py does.
function plain(value) {
  if (typeof value !== "string") return String(value);
  const calculated = /^[=+\-@\t\r]/.test(value) && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value);
  return (calculated ? "'" : "") + visible(value);
}

function quote(value) {
  const text = plain(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const toCsv = (rows) => rows.map((row) => row.map(quote).join(",") + "\n").join("");
