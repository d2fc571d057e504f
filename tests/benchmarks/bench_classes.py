"""Speed of classes: a million documents a side with one question, from CSV files.

    python tests/benchmarks/bench_classes.py [documents]

Budget: read, paired, counted and scored in at most 10 s of the processor and 1 GB.
"""

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import clineval
from clineval import Challenge, Classes, Task

VALUES = ("PAST", "CURRENT", "NON", "UNKNOWN")
SMOKING = Challenge(
    Task("smoking", "Smoking", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": Classes(VALUES)},
)


def write(path, documents, seed):
    chance = random.Random(seed)
    rows = (f"note-{number:07},{chance.choice(VALUES)}\n" for number in range(documents))
    path.write_text("id,status\n" + "".join(rows))
    return path


def main():
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        gold, found = (
            write(Path(folder) / f"{name}.csv", documents, seed)
            for seed, name in enumerate(("gold", "found"))
        )
        start = time.process_time()
        score = clineval.score(SMOKING, found, gold)
        seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{documents:,} documents: {seconds:.1f} s, {peak:,.0f} MB, right {score['accuracy']:.3f}"
    )
    assert seconds < 10 * documents / 1_000_000 + 1
    assert peak < 1024


if __name__ == "__main__":
    main()
