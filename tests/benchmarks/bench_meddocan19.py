"""MEDDOCAN at scale: 10,000 notes of the corpus's size from brat's files, whole process, all views.

The budget is 4 seconds. Run with: python tests/benchmarks/bench_meddocan19.py
"""

import random
import tempfile
from pathlib import Path

from processes import measure, measure_reading

from clineval.challenges.meddocan19.spec import LABELS

NOTES, CHARACTERS, MENTIONS = 10_000, 2500, 22
BUDGET = 4.0


def write_corpus(folder):
    """Words of a note, of which some are mentions; the system lacks a tenth of them."""
    chance = random.Random(1)
    text = " ".join("".join(chance.choices("abcdeimnorst", k=6)) for _ in range(CHARACTERS // 7))
    for number in range(NOTES):
        starts = sorted(chance.sample(range(0, CHARACTERS - 28, 7), MENTIONS))
        spans = [(start, start + chance.choice((6, 13))) for start in starts]
        lines = [
            f"T{k}\t{chance.choice(LABELS)} {start} {end}\t{text[start:end]}\n"
            for k, (start, end) in enumerate(spans, 1)
        ]
        for side, kept in (("gold", 1.0), ("system", 0.9)):
            stem = folder / side / f"caso-{number:05}"
            stem.with_suffix(".txt").write_text(text)
            chosen = [line for line in lines if chance.random() <= kept]
            stem.with_suffix(".ann").write_text("".join(chosen))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side in ("gold", "system"):
            (folder / side).mkdir()
        write_corpus(folder)
        command = (
            *("-m", "clineval", "score", "meddocan19"),
            *(folder / "gold", folder / "system", "--format", "json", "-o", folder / "out.json"),
        )
        bare, _ = measure_reading(folder)
        best, used = min(measure(*command) for _ in range(3))
    print(
        f"{NOTES:,} notes, all views: {best:.2f} s of {BUDGET:.1f} s "
        f"({used:.2f} s of a processor), {best / bare:.1f} times a bare read of them"
    )


if __name__ == "__main__":
    main()
