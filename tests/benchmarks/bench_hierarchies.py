"""Speed of scores by hierarchy: 10,000 documents of 15 codes, and 400,000 codes with parents.

    python tests/benchmarks/bench_hierarchies.py [documents]

The documents have 20,000 different codes, and then as many as they can have. Budget: each time,
``clineval score`` takes at most 10 s of the processor and 1 GB.
"""

import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

CODES, USED, EACH, BRANCHES = 400_000, 20_000, 15, 4


def write_documents(path, documents, seed, used):
    """Write documents whose codes are some of the used ones; none twice if there are enough."""
    chance = random.Random(seed)
    codes = chance.sample(used, len(used)) if len(used) >= documents * EACH else []
    rows = (
        f"note-{at},C{code}\n"
        for at in range(documents)
        for code in codes[at * EACH : (at + 1) * EACH] or chance.sample(used, EACH)
    )
    path.write_text("filename,code\n" + "".join(rows))


def write_hierarchy(path):
    """Half of the codes have two parents."""
    rows = [f"C{at},\n" for at in range(BRANCHES)]
    for at in range(BRANCHES, CODES):
        rows.append(f"C{at},C{at // BRANCHES}\n")
        if at % 2 and at // BRANCHES:
            rows.append(f"C{at},C{at // BRANCHES - 1}\n")
    path.write_text("code,parent\n" + "".join(rows))


def measure(folder, documents, used):
    """Return the seconds of the processor, and the most memory of any run so far in MB."""
    gold, found, tree = (Path(folder) / f"{name}.csv" for name in ("gold", "found", "tree"))
    write_documents(gold, documents, 1, used)
    write_documents(found, documents, 2, used)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["clineval", "score", "clinical_codes", gold, found, "--hierarchy", tree]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024


def main():
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        write_hierarchy(Path(folder) / "tree.csv")
        for used in (random.Random(0).sample(range(CODES), USED), range(CODES)):
            seconds, peak = measure(folder, documents, used)
            name = f"{documents:,} documents, {len(used):,} of {CODES:,} codes"
            print(f"{name}: {seconds:.1f} s, {peak:,.0f} MB")
            assert seconds < 10
            assert peak < 1024


if __name__ == "__main__":
    main()
