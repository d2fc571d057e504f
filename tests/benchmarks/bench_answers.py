"""The time that it takes to find quotes in notes.

    python tests/benchmarks/bench_answers.py [notes]

10,000 invented notes of 3 kB with 30 quotes each, of which a model changed three in ten by two
letters. At most 2 s are wanted for exact, and 20 s for fuzzy alignment; all quotes changed is what
fuzzy alignment finds hardest. Times are the processor's, so that other work does not count.
"""

import random
import sys
import time

from clineval.answers import Alignment, align_quotes

SIZE, QUOTES = 3000, 30
CHANCE = random.Random(19)
LETTERS = "etaoinshrdlcu"
WORDS = ["".join(CHANCE.choices(LETTERS, k=CHANCE.randint(2, 9))) for _ in range(3000)]
WANTED = {"exact": "at most 2 s", "fuzzy": "at most 20 s"}


def make_note():
    parts = []
    while sum(map(len, parts)) < SIZE:
        parts += [*CHANCE.choices(WORDS, k=9), CHANCE.choice([", ", ".\n", "\n"])]
    return " ".join(parts)


def make_quotes(note):
    starts = sorted(
        CHANCE.sample([at + 1 for at, letter in enumerate(note[:-40]) if letter == " "], QUOTES)
    )
    return [(note[at : note.index(" ", at + CHANCE.randint(5, 30))],) for at in starts]


def change(quote):
    letters = list(quote)
    for at in CHANCE.sample(range(len(letters)), 2):
        letters[at] = CHANCE.choice("xyz")
    return "".join(letters)


def bench(notes, share, match, times):
    quotes = [[(change(q),) if CHANCE.random() < share else (q,) for (q,) in of] for _, of in notes]
    begun = time.process_time()
    found = [
        align_quotes(of, note, Alignment(match=match))
        for (note, _), of in zip(notes, quotes, strict=True)
    ]
    seconds = (time.process_time() - begun) * times
    placed = sum(bool(p.places) for of in found for p in of) / (len(notes) * QUOTES)
    wanted = f" (wanted: {WANTED[match]})" if match in WANTED and share < 1 else ""
    print(f"{match:<10} {100 * share:>3.0f} % changed, {100 * placed:>3.0f} % found: "
          f"{seconds:.1f} s for 10,000 notes{wanted}")  # fmt: skip


if __name__ == "__main__":
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    corpus = [(note, make_quotes(note)) for note in (make_note() for _ in range(size))]
    for kind in ("exact", "whitespace", "fold", "fuzzy"):
        for part in (0.0, 0.3, 1.0):
            bench(corpus, part, kind, 10_000 / size)
