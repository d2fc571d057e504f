"""Measures the budgets of JSON Lines: mentions per second from files and from dicts, and memory.

Documents have 12 mentions with invented labels. Prints one line a budget, of the processor's time
of one process; then seconds and memory of notes with texts, in one process and in two, also from
compressed files. Processor time of the program and of its processes shows what others took. Memory
needs Linux.

    python tests/benchmarks/bench_json_lines.py [DOCUMENTS [NOTES]]
"""

import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

import clineval

PROGRAM = """
import sys, time
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
import clineval
found, gold, jobs = sys.argv[1:]
start = time.perf_counter()
clineval.count("clinical_spans", found, gold, jobs=int(jobs))
print(time.perf_counter() - start)
for used in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)):
    print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
TEXT = "The patient was given ibuprofen 400 mg. " * 50
LABELS = ("Disease", "Drug", "Procedure", "Symptom", "Test")


def make_mentions(gold, errors):
    """Mentions from ``gold``, of which ``errors`` loses, moves and renames some."""
    end = 0
    for _ in range(12):
        start = end + gold.randrange(5, 90)
        end = start + gold.randrange(3, 25)
        label, wrong = gold.choice(LABELS), errors.random()
        if wrong < 0.9:
            moved = start + (wrong < 0.1)
            given = errors.choice(LABELS) if 0.1 < wrong < 0.2 else label
            yield {"spans": [[moved, end]], "label": given}


def write_side(path, documents, seed, text=""):
    """JSON Lines; both sides have the same documents, with other errors. ``text`` is repeated."""
    errors = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for number in range(documents):
            mentions = list(make_mentions(random.Random(number), errors))
            line = {"id": f"note-{number:07}", "mentions": mentions}
            file.write(json.dumps(line | ({"text": text} if text else {})) + "\n")


def clock(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def bench(documents):
    with tempfile.TemporaryDirectory() as temporary:
        paths = [Path(temporary) / name for name in ("gold.jsonl", "system.jsonl")]
        for seed, path in enumerate(paths):
            write_side(path, documents, seed)
        lines = [list(map(json.loads, path.read_text().splitlines())) for path in paths]
        mentions = sum(len(line["mentions"]) for side in lines for line in side)

        def score(gold, found):
            return clineval.score("clinical_spans", found, gold, jobs=1)

        from_dicts = min(clock(lambda: score(*lines)) for _ in range(3))
        del lines[:]
        from_files = min(clock(lambda: score(*map(str, paths))) for _ in range(3))
    for name, spent in (("JSON Lines", from_files), ("dicts", from_dicts)):
        print(f"{documents} documents, {mentions} mentions from {name}: {spent:.2f} s, "
              f"{mentions / spent:,.0f} mentions/s (budget 400,000)")  # fmt: skip


def bench_notes(documents):
    with tempfile.TemporaryDirectory() as temporary:
        paths = [Path(temporary) / name for name in ("gold.jsonl", "system.jsonl")]
        for seed, path in enumerate(paths):
            write_side(path, documents, seed, TEXT)
        for path in paths:
            with path.open("rb") as file, gzip.open(f"{path}.gz", "wb", 6) as packed:
                shutil.copyfileobj(file, packed)
        for ending, jobs in product(("", ".gz"), (1, 2)):
            sides = [f"{path}{ending}" for path in paths[::-1]]
            call = [sys.executable, "-c", PROGRAM, *sides, str(jobs)]
            run = subprocess.run(call, capture_output=True, text=True, check=True)
            spent, own, most, others, most_of_others = map(float, run.stdout.split())
            print(f"{documents} notes with texts, .jsonl{ending}, {jobs} jobs: {spent:.2f} s; "
                  f"processor {own:.2f} s, in processes {others:.2f} s; {most / 1024:.0f} MB, "
                  f"{most_of_others / 1024:.0f} MB each (budget 250 MB for 50,000)")  # fmt: skip


if __name__ == "__main__":
    given = [*map(int, sys.argv[1:])]
    bench(given[0] if given else 20_000)
    bench_notes(given[1] if len(given) > 1 else 50_000)
