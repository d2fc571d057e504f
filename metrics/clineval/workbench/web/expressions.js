"use strict";
// Filter items by an expression, such as: label:Drug and fn and len>3. A view names the flags and the fields
// of its items (makeVocabulary), and finds words in notes (makeWordMatcher).
//
//   either = both {"or" both}       both = one {"and" one}       one = "not" one | "(" either ")" | test
//   test   = flag | [("slot" | "gold" | "system") ":"] field operator value

const NO_EXPRESSION = { where: "" };
const SIDES = ["slot", "gold", "system"]; // before the name of a field: the usual side, or one of both
const NAME = /"((?:\\.|[^"\\])*)"|([^\s()"=!~<>:]+)/uy;
const OPERATOR = /\s*(!=|!~|<=|>=|=|~|<|>|:)/uy;
const VALUE = /\s*(?:"((?:\\.|[^"\\])*)"|([^\s()"]+))/uy;
const REGULAR = /\s*\/((?:\\.|[^/\\])*)\//uy;
const MOST_OFFERED = 40;

// A problem of an expression, with the number of the character at which it is.
class Misstated extends Error {
  constructor(at, message) {
    super(message);
    this.at = at;
  }
}

class ExpressionReader {
  constructor(text, vocabulary) {
    Object.assign(this, { text, vocabulary, at: 0 });
  }

  // Match a sticky pattern here; return the match, or null.
  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  takeWord(word) {
    return this.take(new RegExp(`\\s*${word}(?![^\\s()"])`, "iuy")) !== null;
  }

  read() {
    const test = this.readEither();
    this.take(/\s*/uy);
    if (this.at < this.text.length) throw new Misstated(this.at, `expected “and” or “or”, got ${this.shown()}`);
    return test;
  }

  readEither() {
    const tests = [this.readBoth()];
    while (this.takeWord("or")) tests.push(this.readBoth());
    return tests.length === 1 ? tests[0] : (items) => {
      const made = tests.map((make) => make(items));
      return (i) => made.some((test) => test(i));
    };
  }

  readBoth() {
    const tests = [this.readOne()];
    while (this.takeWord("and")) tests.push(this.readOne());
    return tests.length === 1 ? tests[0] : (items) => {
      const made = tests.map((make) => make(items));
      return (i) => made.every((test) => test(i));
    };
  }

  readOne() {
    if (this.takeWord("not")) {
      const make = this.readOne();
      return (items) => {
        const test = make(items);
        return (i) => !test(i);
      };
    }
    this.take(/\s*/uy);
    const opened = this.at;
    if (!this.take(/\(/uy)) return this.readTest();
    const test = this.readEither();
    if (!this.take(/\s*\)/uy)) throw new Misstated(opened, "this parenthesis is not closed");
    return test;
  }

  readTest() {
    const at = this.at;
    const name = this.readName();
    const operator = this.take(OPERATOR)?.[1];
    if (!operator) return this.findFlag(name, at);
    const [side, named] = [name.toLowerCase(), this.at];
    if (operator === ":" && SIDES.includes(side)) {
      const inner = this.take(/\s*/uy) && this.tryName();
      const own = inner !== null && this.take(OPERATOR)?.[1];
      if (own) return this.compare(inner, side, own, named);
      this.at = named;
    }
    return this.compare(name, "", operator, at);
  }

  tryName() {
    const found = this.take(NAME);
    return found ? found[2] ?? unquoted(found[1]) : null;
  }

  readName() {
    const at = this.at;
    const name = this.tryName();
    if (name === null && this.text[at] === "\"") throw new Misstated(at, "this quote is not closed");
    if (name === null || /^(and|or)$/i.test(name)) throw new Misstated(at, `expected a field or a kind of item, got ${at < this.text.length ? this.shown(at) : "the end"}`);
    return name;
  }

  shown(at = this.at) {
    return `“${/^(?:[^\s()]+|.)/u.exec(this.text.slice(at))[0]}”`;
  }

  findFlag(name, at) {
    const flag = this.vocabulary.flags.get(name.toLowerCase());
    if (flag) return flag;
    if (this.vocabulary.fields.has(name.toLowerCase())) throw new Misstated(at + name.length, `expected an operator and a value after ${name}, such as ${name}=…`);
    throw unknownName(at, name, [...this.vocabulary.flags.keys(), ...this.vocabulary.fields.keys()]);
  }

  // Compare a field with the value that follows.
  compare(name, side, operator, at) {
    const { fields, slots } = this.vocabulary; // a side names a slot, even if another field has the same name
    const field = (side && slots.get(name.toLowerCase())) || fields.get(name.toLowerCase());
    if (!field) throw unknownName(at, name, [...fields.keys()]);
    if (field.why) throw new Misstated(at, `${name}: ${field.why}`);
    if (side && !field.sided) throw new Misstated(at, `${name} is the same on both sides; leave out “${side}:”`);
    const found = (operator.endsWith("~") && this.take(REGULAR)) || this.take(VALUE);
    if (!found) throw new Misstated(this.at, this.text.slice(this.at).trimStart().startsWith("\"") ? "this quote is not closed" : `expected a value after “${operator}”`);
    const written = found[2] ?? (found[0].trimStart().startsWith("/") ? found[1] : unquoted(found[1]));
    return makeComparison(field, side === "slot" ? "" : side, operator, { written, regular: found[2] === undefined && found[0].trimStart().startsWith("/"), at: this.at - found[0].trimStart().length });
  }
}

const unquoted = (text) => text.replace(/\\(.)/gsu, "$1");
const byName = (fields) => new Map(fields.map((field) => [field.name.toLowerCase(), field]));
const quoted = (text) => (/^[^\s()"=!~<>:]+$/u.test(text) && !/^(and|or|not)$/i.test(text) ? text : `"${text.replace(/["\\]/gu, "\\$&")}"`);
const folded = (value) => String(value).replaceAll("\t", " – ").toLowerCase();

function unknownName(at, name, known) {
  const near = nearest(name.toLowerCase(), known);
  return new Misstated(at, `“${name}” is neither a field nor a kind of item here${near ? `. Did you mean ${near}?` : `, expected one of ${[...new Set(known)].join(", ")}`}`);
}

// The known name that is most like another one; undefined if none is.
function nearest(name, known) {
  const scored = known.map((each) => [editsBetween(name, each.toLowerCase()), each]).sort(([a], [b]) => a - b);
  return scored.length && scored[0][0] <= Math.ceil(name.length / 3) ? scored[0][1] : undefined;
}

function editsBetween(a, b) {
  let row = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row[b.length];
}

function makeComparison(field, side, operator, { written, regular, at }) {
  const negated = operator.startsWith("!");
  if (/[<>]/.test(operator)) return makeOrder(field, side, operator, written, at);
  if (operator.endsWith("~") || field.words) {
    const pattern = patternFor(written, regular, !operator.endsWith("~"));
    if (!pattern) throw new Misstated(at, "this is not a valid regular expression");
    if (field.words) return (items) => field.words(items, side, pattern, negated);
    return makeTest(field, side, (value) => matches(pattern, folded(value)) !== negated);
  }
  const known = field.values?.();
  if (field.closed && !known.some((value) => folded(value) === folded(written))) {
    const near = nearest(folded(written), known);
    throw new Misstated(at, `${field.name} has no value “${written}”${near === undefined ? `, expected one of ${known.slice(0, 8).map(quoted).join(", ")}${known.length > 8 ? " …" : ""}` : `. Did you mean ${quoted(near)}?`}`);
  }
  const wanted = folded(written);
  return makeTest(field, side, (value) => folded(value) === wanted, negated);
}

// Phrases and regular expressions ignore case, as in the search; null if a regular expression is invalid.
function patternFor(written, regular, whole) {
  const pattern = patternOf(written, regular);
  return pattern && whole ? new RegExp(`^\\s*(?:${pattern.source})\\s*$`, "iu") : pattern;
}

function makeOrder(field, side, operator, written, at) {
  const wanted = Number(written);
  if (written.trim() === "" || Number.isNaN(wanted)) throw new Misstated(at, `expected a number after “${operator}”, got “${written}”`);
  const orders = { "<": (x) => x < wanted, "<=": (x) => x <= wanted, ">": (x) => x > wanted, ">=": (x) => x >= wanted };
  return makeTest(field, side, (value) => value !== "" && orders[operator](Number(value)));
}

// Test the values of a field: null if the item has none, an array if it has several. Without a value, no
// comparison is true.
function makeTest(field, side, holds, negated = false) {
  return (items) => {
    const valueOf = field.of(items, side);
    return (i) => {
      const value = valueOf(i);
      if (value === null || value === undefined) return false;
      return (Array.isArray(value) ? value.some(holds) : holds(value)) !== negated;
    };
  };
}

// --- words of notes

const wordTests = new Map(); // pattern to what was found in all notes

// Find a pattern in the words of all notes, document by document; redraw when all are done.
function lookFor(pattern) {
  const key = String(pattern);
  if (!wordTests.has(key)) {
    const matcher = makeWordMatcher(pattern);
    wordTests.set(key, { ready: false, ...matcher.found });
    readAllNotes(wordTests.get(key), matcher.look);
  }
  return wordTests.get(key);
}

async function readAllNotes(test, look) {
  for (let d = 0; d < corpus.documents.length; d++) look(d, await textOf(d));
  test.ready = true;
  current.wordsRead = (current.wordsRead ?? 0) + 1;
  refresh();
}

const isLooking = () => view.where !== "" && [...wordTests.values()].some(({ ready }) => !ready);

const NO_WORDS = "this report has no texts, so it can compare no words. Make it with --text to filter by words";

// --- the box

let vocabulary = null;
const words0 = () => (vocabulary ??= makeVocabulary());

// Read an expression: return how to test items, or null if it is empty.
const readExpression = (text) => (text.trim() ? new ExpressionReader(text, words0()).read() : null);

const testExpression = (items, text) => readExpression(text)(items);

// Show the problem of an expression that cannot be read; return whether there is one.
function refuseExpression(text) {
  let problem = "";
  try {
    readExpression(text);
  } catch (error) {
    if (!(error instanceof Misstated)) throw error;
    problem = `Character ${error.at + 1}: ${error.message}`;
  }
  current.misstated = problem !== "";
  $("where").setAttribute("aria-invalid", String(current.misstated));
  $("where-problem").textContent = problem;
  return current.misstated;
}

function drawExpression() {
  if (document.activeElement !== $("where") && !current.misstated) $("where").value = view.where;
}

function expressionFromAddress(parts) {
  const where = parts.get("where") ?? "";
  if (!refuseExpression(where)) return { where };
  $("where").value = where;
  return NO_EXPRESSION;
}

function askExpression() {
  const where = $("where").value.trim();
  clearTimeout(current.wording);
  if (refuseExpression(where) || where === view.where) return;
  change({ where, doc: null, m: null, tab: view.tab === "reports" ? LIST_TAB : view.tab }, { step: view.where !== "" && where !== "" });
}

// What can follow: names after the beginning of a test, values after an operator.
function offerWords(text) {
  const [, begin, side, name, operator, partial] = /^(.*?)(?:((?:slot|gold|system):)?("[^"]*"|[^\s()"=!~<>:]*)(!=|!~|=|~|:)\s*)?("?[^\s()"]*)$/isu.exec(text);
  const field = operator && words0().fields.get(unquoted(name.replace(/^"|"$/g, "")).toLowerCase());
  if (field) return (field.values?.() ?? []).map((value) => [`${begin}${side ?? ""}${name}${operator}`, quoted(value)]).filter(([, value]) => folded(value).includes(folded(partial.replace(/^"/, ""))));
  const [before, start] = [text.slice(0, text.length - partial.length), partial.toLowerCase()];
  const names = isWhole(before) ? ["and", "or"] : [...[...words0().flags.keys()].map(quoted), ...[...words0().fields.values()].filter(({ why }) => !why).map((each) => `${quoted(each.name)}=`), "not"];
  return names.filter((each) => each.toLowerCase().includes(start)).map((each) => [before, each]);
}

function isWhole(text) {
  try {
    return text.trim() !== "" && Boolean(readExpression(text));
  } catch {
    return false;
  }
}

function drawOffers() {
  const offered = [...new Set(offerWords($("where").value).map(([before, word]) => before + word))].slice(0, MOST_OFFERED);
  replace("where-words", ...offered.map((value) => element("option", { value })));
}

function connectExpression() {
  $("where-form").addEventListener("submit", (event) => {
    event.preventDefault();
    askExpression();
  });
  $("where").addEventListener("input", () => {
    drawOffers();
    clearTimeout(current.wording);
    current.wording = setTimeout(askExpression, TYPING);
  });
  $("where").addEventListener("focus", drawOffers);
  $("where").addEventListener("change", askExpression);
}
