"""Measures the i2b2 2009 budget: 250 records, about 5,700 entries a side, whole process.

The released scorer needed 103 s for a corpus of this size on a busy machine of this kind.

    python tests/benchmarks/bench_i2b2_2009_medication.py
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from make_i2b2_corpus import main as make_corpus

RELEASED = 103.0


def bench(protocol):
    program = shutil.which("clineval", path=str(Path(sys.executable).parent))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_corpus(folder)
        entries = sum(len(p.read_text().splitlines()) for p in (folder / "gold").iterdir())
        call = [
            program, "score", "i2b2_2009_medication", folder / "gold", folder / "sys",
            "--records", folder / "records", "--protocol", protocol, "--format", "json",
        ]  # fmt: skip
        times = []
        for _ in range(3):
            start = time.perf_counter()
            subprocess.run(call, stdout=subprocess.DEVNULL, check=True)
            times.append(time.perf_counter() - start)
    spent = min(times)
    times_faster = f"{RELEASED / spent:.0f} × faster than the released scorer's 103 s"
    print(f"i2b2, {entries} gold entries, {protocol}: {spent:.2f} s, {times_faster} (budget 100)")


if __name__ == "__main__":
    bench("spec")
    bench("official")
