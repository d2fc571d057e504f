"use strict";
// Files that the reader may keep.

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// What steers a terminal or an editor, as an escape; the same as `visible` of notations.py.
const HIDDEN = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;
const ESCAPES = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const hexadecimal = (code) => (code < 256 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16).padStart(4, "0"));
const visible = (text) => text.replace(HIDDEN, (found) => ESCAPES[found] ?? hexadecimal(found.charCodeAt(0)));

// No text is a formula of a spreadsheet; the same as `write_csv` of notations.py.
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
