"use strict";
// The mentions of both sides and their partners, unpacked from columns of numbers.

const NOBODY = -1;
const DISPLACED = -2; // counts as nothing, because another mention took its partner or represents its span

async function unpackColumns(name) {
  const buffer = await unpack("block-" + name);
  const columns = {};
  let at = 0;
  for (const [column, type, length] of head.layouts[name]) {
    const Type = globalThis[type + "Array"];
    columns[column] = new Type(buffer, at, length);
    at += length * Type.BYTES_PER_ELEMENT;
  }
  return columns;
}

function runningSum(counts) {
  const sums = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) sums[i + 1] = sums[i] + counts[i];
  return sums;
}

// One side. Mention i has the fragments bounds[i] to bounds[i + 1] of starts and lengths; document d has
// the mentions first[d] to first[d + 1].
class Side {
  constructor(columns) {
    this.columns = columns;
    this.first = runningSum(columns.mentions);
    this.bounds = runningSum(columns.fragments);
    this.size = columns.fragments.length;
    this.document = new Int32Array(this.size);
    this.starts = new Int32Array(columns.steps.length);
    this.lengths = columns.lengths;
    for (let d = 0; d < columns.mentions.length; d++) {
      this.document.fill(d, this.first[d], this.first[d + 1]);
      let start = 0;
      for (let f = this.bounds[this.first[d]]; f < this.bounds[this.first[d + 1]]; f++) {
        this.starts[f] = start += columns.steps[f];
      }
    }
    this.phrase = columns.phrase;
    this.slots = Object.fromEntries(head.slots.map((slot) => [slot.name, columns["slot/" + slot.name]]));
  }

  start(row) {
    return this.starts[this.bounds[row]];
  }

  fragments(row) {
    const found = [];
    for (let f = this.bounds[row]; f < this.bounds[row + 1]; f++) found.push([this.starts[f], this.starts[f] + this.lengths[f]]);
    return found;
  }

  // A key that mentions share if they have the same document and the same fragments.
  spanKey(row) {
    return this.document[row] + ":" + offsets(this.fragments(row));
  }

  // The number of a relation's fragments that belong to its source; 0 for a mention.
  sourceSize(row) {
    return this.columns.sources?.[row] ?? 0;
  }

  // The arguments of a relation: the name and the fragments of each.
  argumentsOf(row) {
    const [size, fragments] = [this.sourceSize(row), this.fragments(row)];
    return size ? [["source", fragments.slice(0, size)], ["target", fragments.slice(size)]] : [];
  }

  // The row of the trigger of an argument's event; for all other mentions, the row itself.
  triggerOf(row) {
    return row + (this.columns.trigger?.[row] ?? 0);
  }

  // The trigger of an argument, or the arguments of a trigger, in the form of relationsOf.
  eventOf(row) {
    const trigger = this.triggerOf(row);
    if (trigger !== row) return [{ name: "event", relation: trigger, arrow: "←", other: this.fragments(trigger) }];
    const found = [];
    for (let r = this.first[this.document[row]]; r < this.first[this.document[row] + 1]; r++) {
      if (r !== row && this.triggerOf(r) === row) found.push({ name: "argument", relation: r, arrow: "→", other: this.fragments(r) });
    }
    return found;
  }

  // The relations of a mention: the row of each, its direction, and the fragments of its other end.
  relationsOf(row) {
    if (this.columns.trigger) return this.eventOf(row);
    const own = spell(this.fragments(row));
    const found = [];
    for (let r = this.first[this.document[row]]; r < this.first[this.document[row] + 1]; r++) {
      this.argumentsOf(r).forEach(([name, fragments], k, ends) => {
        const away = this.columns[name]?.[r];
        if (r !== row && !this.sourceSize(row) && (away ? r + away === row : spell(fragments) === own)) found.push({ name: "relation", relation: r, arrow: k ? "←" : "→", other: ends[1 - k][1] });
      });
    }
    return found;
  }

  value(row, slot) {
    return slot.values[this.slots[slot.name][row]];
  }
}

// A system: its mentions, and the partners of both sides as rows, for each pairing. Three pairings are in
// use at a time: that of the mode, the most lenient one, and that of code lists or given spans.
class System extends Side {
  constructor(columns, gold, description) {
    super(columns);
    Object.assign(this, description);
    this.equal = columns.equal;
    this.tables = {};
    this.pairings = new Recent(3, (name) => ({
      gold: absolute(columns[name + "/gold"], gold, this),
      system: absolute(columns[name + "/system"], this, gold),
    }));
    this.verdicts = new Recent(2, (name) => findVerdicts(this, ...name.split("/")));
  }

  forget() {
    this.pairings.forget();
    this.verdicts.forget();
  }

  // Criterion Class uses the pairs of Span.
  isPaired(name) {
    return name + "/system" in this.columns;
  }
}

function absolute(relative, mine, theirs) {
  const partners = new Int32Array(relative.length);
  for (let i = 0; i < relative.length; i++) {
    const d = mine.document[i];
    let code = relative[i];
    if (code < 2) partners[i] = -1 - code;
    else {
      code -= 2;
      partners[i] = theirs.first[d] + i - mine.first[d] + (code % 2 ? -(code + 1) / 2 : code / 2);
    }
  }
  return partners;
}

const corpus = { documents: [], phrases: [], gold: null, systems: [], names: {}, chains: [] };

async function loadCorpus() {
  const names = ["gold", ...head.systems.map((_, at) => "system" + at)];
  const [tables, gold, ...systems] = await Promise.all([unpackJson("tables"), ...names.map(unpackColumns)]);
  corpus.documents = tables.documents;
  corpus.phrases = tables.phrases;
  corpus.names = tables.names;
  corpus.chains = tables.chains;
  corpus.gold = new Side(gold);
  corpus.systems = systems.map((columns, at) => new System(columns, corpus.gold, { ...head.systems[at], groups: tables.groups[at] }));
  corpus.systems.forEach(findKinds);
  head.groupings = ["class", ...Object.keys(head.groups), ...head.slots.filter(({ kind }, k) => k !== CLASS_SLOT && kind === "closed").map(({ name }) => "slot:" + name)];
}

function spell(fragments) {
  return fragments.map(([start, end]) => start + "–" + end).join(", ");
}
