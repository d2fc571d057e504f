"""Writes a corpus of the size of the i2b2 2009 test set: records, gold and system entries.

python tests/benchmarks/make_i2b2_corpus.py OUT [RECORDS] [SEED]
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

TAGS = ("m", "do", "mo", "f", "du", "r")
SHARES = (1.0, 0.5, 0.4, 0.5, 0.06, 0.18)
LINES, TOKENS = 80, 12


def main(out: Path, records: int = 250, seed: int = 1) -> None:
    rng = random.Random(seed)
    for name in ("records", "gold", "sys"):
        (out / name).mkdir(parents=True, exist_ok=True)
    text = "\n".join(" ".join(f"w{i}_{k}" for k in range(TOKENS)) for i in range(LINES)) + "\n"
    for number in range(1000, 1000 + records):
        gold = [make_entry(rng) for _ in range(23)]
        system = [blur(rng, entry) for entry in gold if rng.random() < 0.85]
        system += [make_entry(rng) for _ in range(3)]
        (out / "records" / str(number)).write_text(text, "utf-8")
        for side, entries in (("gold", gold), ("sys", system)):
            lines = "".join(format_entry(entry, rng) for entry in entries)
            (out / side / f"{number}.i2b2.entries").write_text(lines, "utf-8")


def make_entry(rng: random.Random) -> dict[str, list[int]]:
    line = rng.randint(1, LINES - 1)
    entry = {}
    for tag, share in zip(TAGS, SHARES, strict=True):
        if rng.random() < share:
            first, length = rng.randrange(TOKENS), rng.choice((0, 0, 1, 2))
            crosses = first + length >= TOKENS
            last = (first + length) % TOKENS
            entry[tag] = [line, first, line + crosses, last]
    return entry


def blur(rng: random.Random, entry: dict[str, list[int]]) -> dict[str, list[int]]:
    blurred = {}
    for tag, (line, first, last_line, last) in entry.items():
        if tag == "m" or rng.random() < 0.85:
            start = first - 1 if first and rng.random() < 0.15 else first
            blurred[tag] = [line, start, last_line, last]
    return blurred


def format_entry(entry: dict[str, list[int]], rng: random.Random) -> str:
    cells = []
    for tag in TAGS:
        if tag in entry:
            line, first, last_line, last = entry[tag]
            cells.append(f'{tag}="x" {line}:{first} {last_line}:{last}')
        else:
            cells.append(f'{tag}="nm"')
    genre = rng.choice(("list", "narrative"))
    return "||".join([*cells, f'ln="{genre}"']) + "\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
