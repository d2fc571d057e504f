"""Measures the budgets of small scores and of lists: the command line, and scores from Python.

    python tests/benchmarks/bench_small.py

All times are the processor's; the smallest of several runs counts, because other work only adds to
it. A score of 24 notes may take 2.0 times as long as an import of NumPy. NumPy then starts threads
that wait for products of matrices without sleep, which the command line avoids; the second ratio is
without them. One document may take .8 ms. Dicts must reach 400,000 mentions per second, and
documents as objects 600,000.
"""

import os
import random
import sys
import time
from pathlib import Path

from processes import measure

import clineval
from clineval import Document, Mention

RUNS = 15
SEMEVAL = Path(clineval.__file__).parent / "challenges" / "semeval15_task14" / "demo"
SCORE = ("-m", "clineval", "score", "semeval15_task14", SEMEVAL / "gold", SEMEVAL / "tagger")
GOLD = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720", "severity": "moderate"},
         {"spans": [[40, 45]], "cui": "C0344721"}]]  # fmt: skip
FOUND = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}, {"spans": [[40, 45]], "cui": None}]]
LABELS = ("Drug", "Sign", "Test")


def bench_start():
    times = [(measure(*SCORE)[1], measure("-c", "import numpy")[1]) for _ in range(RUNS)]
    score, numpy = map(min, zip(*times, strict=True))
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    alone = min(measure("-c", "import numpy")[1] for _ in range(RUNS))
    print(f"a score of 24 notes: {1000 * score:.0f} ms, {score / numpy:.2f} times an import of "
          f"NumPy (wanted: at most 2.0), {score / alone:.2f} without its threads")  # fmt: skip


def clock(call, times=1):
    start = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - start) / times


def bench_document():
    best = min(
        clock(lambda: clineval.score("semeval15_task14", FOUND, GOLD), 50) for _ in range(RUNS)
    )
    print(f"one document: {1000 * best:.2f} ms (wanted: at most .8)")


def make_documents(seed, documents=5000, mentions=12):
    chance = random.Random(seed)
    for _ in range(documents):
        starts = range(0, 60 * mentions, 60)
        spans = [(start, start + chance.randrange(3, 12)) for start in starts]
        yield [(span, chance.choice(LABELS)) for span in spans]


def bench_lists(kind, make, wanted):
    gold, found = ([*map(make, range(5000), make_documents(seed))] for seed in (1, 2))
    best = min(clock(lambda: clineval.score("clinical_spans", found, gold)) for _ in range(5))
    print(f"{kind}: {120_000 / best:,.0f} mentions per second (wanted: at least {wanted:,})")


if __name__ == "__main__":
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    bench_start()
    bench_document()
    bench_lists(
        "dicts", lambda _, of: [{"spans": [[*span]], "label": label} for span, label in of], 400_000
    )
    bench_lists(
        "objects",
        lambda number, of: Document(
            f"n{number}", [Mention([span], slots={"label": v}, coded=False) for span, v in of]
        ),
        600_000,
    )
