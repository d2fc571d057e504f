"use strict";
// What the page holds, unpacked: head (plain JSON), compressed JSON, texts.

const head = JSON.parse(document.getElementById("head").textContent);

async function unpack(id) {
  const binary = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function unpackJson(id) {
  return JSON.parse(new TextDecoder().decode(await unpack(id)));
}

const chunks = new Map();

function onDamage() {
  warn(["Texts of this page cannot be read: the file was changed, or is damaged."]);
  return [];
}

// The text of a document; null where the page has none.
async function textOf(d) {
  if (!head.text) return null;
  const number = Math.floor(d / head.chunk);
  if (!chunks.has(number)) {
    if (chunks.size > 40) chunks.delete(chunks.keys().next().value);
    chunks.set(number, unpackJson("chunk-" + number).catch(onDamage));
  }
  return (await chunks.get(number))[d % head.chunk] ?? null;
}

// Offsets count code points, strings UTF-16 units: for each code point its unit.
function unitsOf(text) {
  const units = [];
  for (let i = 0; i < text.length; i += text.codePointAt(i) > 0xffff ? 2 : 1) units.push(i);
  units.push(text.length);
  return units;
}
