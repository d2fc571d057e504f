"""Measures the budget of the i2b2 2009 challenge: 250 records, 5,700 entries a side.

The released script needed 103 s for such a corpus (notes on the scorers, 5.5); it carries no
licence and needs Python 2, so it is not run here. Prints one line a measurement.

    python tests/benchmarks/bench_i2b2_2009_medication.py
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import evaluate
from make_i2b2_corpus import main as make_corpus

import clineval
from clineval.formats.i2b2_entries import read_entries

NAME = "i2b2_2009_medication"
RELEASED = 103.0


def seconds(call, repeats=5):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def bench_files(folder, protocol):
    program = shutil.which("clineval", path=str(Path(sys.executable).parent))
    call = [program, "score", NAME, folder / "gold", folder / "sys"]
    call += ["--records", folder / "records", "--protocol", protocol]
    spent = seconds(lambda: subprocess.run(call, stdout=subprocess.DEVNULL, check=True))
    print(f"score 250 records, {protocol:<8}: {spent:.2f} s, whole process, "
          f"{RELEASED / spent:.0f} × faster than the released script (budget 100 ×)")  # fmt: skip


def bench_lists(folder):
    gold, found = (
        [[e.as_dict() for e in entries] for entries in read_entries(folder / side).values()]
        for side in ("gold", "sys")
    )
    texts = [path.read_text() for path in sorted((folder / "records").iterdir())]
    metric = evaluate.load(NAME)
    core, module = [], []
    for _ in range(9):  # by turns, so that both meet the same noise
        core.append(seconds(lambda: clineval.score(NAME, found, gold, records=texts).as_dict(), 1))
        module.append(
            seconds(lambda: metric.compute(predictions=found, references=gold, records=texts), 1)
        )
    print(f"lists of dicts: {min(core):.3f} s; evaluate's compute against the core: "
          f"{min(module) / min(core):.3f} × (budget 1.05)")  # fmt: skip


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        make_corpus(Path(temporary))
        for protocol in ("spec", "official"):
            bench_files(Path(temporary), protocol)
        bench_lists(Path(temporary))
