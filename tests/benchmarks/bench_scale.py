"""Measures the budgets of large corpora: files, Parquet, Arrow to columns, processes, Spark.

The corpora are the 25 documents of the oracle's full_1 (36 gold mentions a document), again and
again under other names. Prints one line a budget; ratios are of one run.

    python tests/benchmarks/bench_scale.py [--large] [--spark]

``--large`` also scores 100,000 documents from files and 1,000,000 from Parquet; ``--spark`` needs
the environment of ``make test-spark``, and comes last, as a session takes memory and cores while it
lasts. Seconds of files are those of the whole process, the others those of counting. Needs Linux.
"""

import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import clineval
from clineval.formats.delimited.pipe import SLOTS, read_documents
from clineval.formats.tables.arrow import Column
from clineval.formats.tables.rows import read_rows

SOURCE = Path(__file__).parents[1] / "data" / "oracle" / "semeval15_task14" / "full_1"
NAME = "semeval15_task14"
MENTION = pa.struct([
    ("spans", pa.list_(pa.list_(pa.int64()))),
    *((slot.name, pa.string()) for slot in SLOTS),
])  # fmt: skip
PROGRAM = """
import re, resource, sys, time
from pathlib import Path
import clineval
module, found, gold, jobs = sys.argv[1:]
start = time.perf_counter()
clineval.count(module, found, gold, jobs=int(jobs))
spent = time.perf_counter() - start
# not ru_maxrss, which a process has from the one that started it
own = int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
other = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(spent, own + int(jobs) * other * (int(jobs) > 1))
"""
warnings.simplefilter("ignore")


def documents_of(side):
    """The mentions of each document of the source, in one order for both sides."""
    read = {document.id: document.mentions for document in read_documents(SOURCE / side, SLOTS)}
    names = sorted(path.stem.lower() for path in (SOURCE / "gold").iterdir())
    known = {name.lower().removesuffix(".txt"): mentions for name, mentions in read.items()}
    return [[as_row(mention) for mention in known.get(name, ())] for name in names]


def as_row(mention):
    """A mention as a struct: sets of codes are strings with commas."""
    given = {name: value for name, value in mention.as_dict().items() if name != "cues"}
    return {n: ",".join(v) if isinstance(v, list) and n != "spans" else v for n, v in given.items()}


def write_table(path, documents, group=4096):
    """Parquet with both sides, in groups of rows as ``clineval convert`` writes them."""
    kind = pa.list_(MENTION)
    sides = [pa.array(documents_of(side), kind) for side in ("gold", "pred")]
    names = ("references", "predictions")
    schema = pa.schema([("id", pa.string()), *((name, kind) for name in names)])
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, documents, group):
            rows = np.arange(first, min(first + group, documents))
            taken = [side.take(pa.array(rows % len(side))) for side in sides]
            ids = pa.array([f"note-{row:07}" for row in rows])
            writer.write_table(pa.table([ids, *taken], schema=schema))


def write_files(folder, documents):
    """Pipe files with both sides."""
    names = sorted({p.name for side in ("gold", "pred") for p in (SOURCE / side).iterdir()})
    for side in ("gold", "pred"):
        (folder / side).mkdir()
        paths = [SOURCE / side / name for name in names]
        texts = [path.read_text().lower() if path.exists() else "" for path in paths]
        for number in range(documents):
            at = number % len(names)
            old, new = names[at].removesuffix(".pipe").lower(), f"{number:07}-note"
            (folder / side / f"{new}.pipe").write_text(texts[at].replace(old, new))


def measure(found, gold, jobs):
    """Seconds of counting, those of the whole process, and GB of it with its workers."""
    call = [sys.executable, "-c", PROGRAM, NAME, str(found), str(gold), str(jobs)]
    start = time.perf_counter()
    run = subprocess.run(call, capture_output=True, text=True, check=True)
    whole = time.perf_counter() - start
    spent, kilobytes = map(float, run.stdout.split())
    return spent, whole, kilobytes / 1e6


def bench_files(documents, budget):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_files(folder, documents)
        spent = {jobs: measure(folder / "pred", folder / "gold", jobs) for jobs in (1, 2)}
    for jobs, (_, seconds, memory) in spent.items():
        print(f"{documents} documents from files, {jobs} jobs: {seconds:.2f} s, {memory:.2f} GB "
              f"(budget with two {budget})")  # fmt: skip
    print(f"  two jobs take {spent[2][1] / spent[1][1]:.2f} of the time of one")


def bench_parquet(path, documents):
    spent = {jobs: measure(path, path, jobs) for jobs in (1, 2)}
    for jobs, (seconds, _, memory) in spent.items():
        print(f"{documents} documents from Parquet, {jobs} jobs: {seconds:.2f} s, {memory:.2f} GB")
    return spent[2]


def bench_columns(path):
    """Arrow to columns, the processor's time of one core."""
    best = 0.0
    for _ in range(3):
        mentions = 0
        spent = 0.0
        for rows in read_rows(Column(path), Column(path), 4096):
            given, _ = rows.given(clineval.results.registry.find_challenge(NAME))
            start = time.process_time()
            mentions += len(given.as_side(SLOTS, frozenset()).mentions)
            spent += time.process_time() - start
        best = max(best, mentions / spent)
    print(f"Arrow to columns: {best / 1e6:.1f} million mentions/s (budget 4)")


def bench_spark(path):
    """Counts of a session that has just started, and of one that has counted; beside two jobs."""
    import clineval.spark

    session = clineval.spark.start(2)
    session.sparkContext.setLogLevel("OFF")
    frame = session.read.parquet(str(path))
    clineval.spark.count(frame.limit(10), NAME, id="id")  # the workers start
    found = []
    for _ in range(3):
        jobs = measure(path, path, 2)[0]
        start = time.perf_counter()
        clineval.spark.count(frame, NAME, id="id")
        found.append((time.perf_counter() - start, jobs))
    session.stop()
    for label, (spent, jobs) in (("first", found[0]), ("warm", min(found[1:]))):
        print(f"Spark local[2], {label}: {spent:.2f} s, {spent / jobs:.2f} × two jobs (budget 1.5)")


if __name__ == "__main__":
    import clineval.results.registry

    bench_files(10_000, "1.2 s")
    if "--large" in sys.argv:
        bench_files(100_000, "10 s, 0.6 GB")
    with tempfile.TemporaryDirectory() as temporary:
        table = Path(temporary) / "notes.parquet"
        write_table(table, 100_000)
        bench_columns(table)
        hundred = bench_parquet(table, 100_000)
        if "--large" in sys.argv:
            large = Path(temporary) / "large.parquet"
            write_table(large, 1_000_000)
            million = bench_parquet(large, 1_000_000)
            print(f"  {million[0] / hundred[0] / 10:.2f} × ten times the time of 100,000 "
                  "(budget 1.2), memory budget 1.5 GB")  # fmt: skip
        if "--spark" in sys.argv:
            bench_spark(table)
