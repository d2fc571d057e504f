"""Measures the i2b2 2009 budget: 250 records, about 5,700 entries a side, whole process.

The released scorer needed 103 s for a corpus of this size on a busy machine of this kind. Then one
record with 2,000 entries a side whose medications all overlap, which shall take 5 s and 1 GB; a
record with more is rejected.

    python tests/benchmarks/bench_i2b2_2009_medication.py
"""

import sys
import tempfile
from pathlib import Path

from make_i2b2_corpus import main as make_corpus
from processes import measure

sys.path.append(str(Path(__file__).parents[1]))

from dense_entries import KINDS as DENSE
from dense_entries import make as make_dense

RELEASED = 103.0


def bench(protocol):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_corpus(folder)
        entries = sum(len(p.read_text().splitlines()) for p in (folder / "gold").iterdir())
        records = "--records", folder / "records"
        spent, used = map(
            min, zip(*(score(folder, protocol, *records) for _ in range(3)), strict=True)
        )
    times_faster = f"{RELEASED / spent:.0f} × faster than the released scorer's 103 s"
    print(f"i2b2, {entries} gold entries, {protocol}: {spent:.2f} s, {used:.2f} s of a processor, "
          f"{times_faster} (budget 100)")  # fmt: skip


def bench_dense(kind, protocol):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, (text,) in zip(("sys", "gold"), make_dense(kind, 2000), strict=True):
            (folder / name).mkdir()
            (folder / name / "1.i2b2.entries").write_text(text)
        spent, used = score(folder, protocol)
    times = f"{spent:.2f} s, {used:.2f} s of a processor (budget 5)"
    print(f"i2b2, 2,000 entries that overlap ({kind}), {protocol}: {times}")


def score(folder, protocol, *options):
    """Seconds that the whole command takes, by the clock and of a processor."""
    sides = folder / "gold", folder / "sys"
    asked = "--protocol", protocol, "--format", "json"
    return measure("-m", "clineval", "score", "i2b2_2009_medication", *sides, *asked, *options)


if __name__ == "__main__":
    for protocol in ("spec", "official"):
        bench(protocol)
        for kind in DENSE:
            bench_dense(kind, protocol)
