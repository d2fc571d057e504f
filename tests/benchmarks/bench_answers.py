"""The time that it takes to find quotes in notes, and to compute rewards.

    python tests/benchmarks/bench_answers.py [notes]

10,000 invented notes of 3 kB with 30 quotes each, of which a model changed three in ten by two
letters. At most 2 s are wanted for exact, and 20 s for fuzzy alignment; all quotes changed is what
fuzzy alignment finds hardest. The rewards of a batch may take three times as long as its score.
Times are the processor's, so that other work does not count.
"""

import json
import random
import sys
import time

from clineval.answers import Alignment, align_quotes, reward, score

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


def bench_rewards(size=512):
    note = "No edema, but pain of the left knee. " * 20
    gold = [{"spans": [[3, 8]], "cui": "C0013604"}, {"spans": [[14, 18]], "cui": "C0030193"}]
    answer = json.dumps([{"text": "edema", "cui": "C0013604"}])
    given = "semeval15_task14", [answer] * size, [gold] * size
    alone = min(measure(lambda: score(*given, texts=[note] * size).values) for _ in range(5))
    rewards = min(measure(lambda: reward(*given, texts=[note] * size)) for _ in range(5))
    print(f"rewards of {size} completions: {1000 * rewards:.0f} ms, {rewards / alone:.1f} times "
          "as long as their score (wanted: at most 3)")  # fmt: skip


def measure(call):
    begun = time.process_time()
    call()
    return time.process_time() - begun


if __name__ == "__main__":
    bench_rewards()
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    corpus = [(note, make_quotes(note)) for note in (make_note() for _ in range(size))]
    for kind in ("exact", "whitespace", "fold", "fuzzy"):
        for part in (0.0, 0.3, 1.0):
            bench(corpus, part, kind, 10_000 / size)
