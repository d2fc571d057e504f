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

// Keep the last few results by name, because keeping all could fill the memory. A result comes from the
// common maker, or from one passed to `get`.
class Recent {
  constructor(most, make) {
    Object.assign(this, { most, make, kept: new Map() });
  }

  get(name, make = this.make) {
    if (this.kept.has(name)) return this.kept.get(name);
    const made = make(name); // may itself ask for other results
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

// The text of a document; null if the page has none.
async function textOf(d) {
  if (!head.text) return null;
  const texts = await chunks.get(Math.floor(d / head.chunk));
  return texts[d % head.chunk] ?? null;
}

const lastUnits = { text: null, units: null };

// Map each code point to its UTF-16 unit: offsets count code points, and strings count units. Keep the
// result for the last text, because the same note is asked for repeatedly.
function unitsOf(text) {
  if (lastUnits.text === text) return lastUnits.units;
  const units = new Uint32Array(text.length + 1);
  let points = 0;
  for (let i = 0; i < text.length; i += text.codePointAt(i) > 0xffff ? 2 : 1) units[points++] = i;
  units[points] = text.length;
  Object.assign(lastUnits, { text, units: units.subarray(0, points + 1) });
  return lastUnits.units;
}

// The index of the last of some ascending numbers that is at most a given number; -1 if there is none.
function lastUpTo(numbers, most) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Convert ranges of UTF-16 units to ranges of code points.
function pointsOf(text, stretches) {
  const units = unitsOf(text);
  return stretches.map((ends) => ends.map((unit) => lastUpTo(units, unit)));
}
