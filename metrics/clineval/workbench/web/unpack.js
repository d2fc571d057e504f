"use strict";
// Unpack the data of the page: head (plain JSON), compressed JSON, texts.

const head = JSON.parse(document.getElementById("head").textContent);

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text); // browsers since 2025
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function unpack(id) {
  const bytes = fromBase64(document.getElementById(id).textContent);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function unpackJson(id) {
  return JSON.parse(new TextDecoder().decode(await unpack(id)));
}

// Keeps the last few things that were made by name, each by the maker of all or by one of its own:
// what is soon made anew would, all of it, fill the memory.
class Recent {
  constructor(most, make) {
    Object.assign(this, { most, make, kept: new Map() });
  }

  get(name, make = this.make) {
    if (this.kept.has(name)) return this.kept.get(name);
    const made = make(name); // which may ask for others
    if (this.kept.size === this.most) this.kept.delete(this.kept.keys().next().value);
    this.kept.set(name, made);
    return made;
  }

  forget() {
    this.kept.clear();
  }
}

const chunks = new Recent(40, (number) => unpackJson("chunk-" + number).catch(onDamage));

function onDamage() {
  warn(["Texts of this page cannot be read: the file was changed or is damaged."]);
  return [];
}

// The text of a document; null where the page has none.
async function textOf(d) {
  if (!head.text) return null;
  const texts = await chunks.get(Math.floor(d / head.chunk));
  return texts[d % head.chunk] ?? null;
}

const lastUnits = { text: null, units: null };

// Offsets count code points, strings UTF-16 units: for each code point its unit. Those of the last
// text are kept, since one note is asked for again and again.
function unitsOf(text) {
  if (lastUnits.text === text) return lastUnits.units;
  const units = new Uint32Array(text.length + 1);
  let points = 0;
  for (let i = 0; i < text.length; i += text.codePointAt(i) > 0xffff ? 2 : 1) units[points++] = i;
  units[points] = text.length;
  Object.assign(lastUnits, { text, units: units.subarray(0, points + 1) });
  return lastUnits.units;
}

// Where the last of some ascending numbers stands that is not above a number; -1 if there is none.
function lastUpTo(numbers, most) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Stretches in UTF-16 units as stretches in code points.
function pointsOf(text, stretches) {
  const units = unitsOf(text);
  return stretches.map((ends) => ends.map((unit) => lastUpTo(units, unit)));
}
