"""Speed of scores by hierarchy: 10,000 documents of 15 codes, and 400,000 codes with parents.

    python tests/benchmarks/bench_hierarchies.py [documents]

Budget: ``clineval score`` takes at most 10 s of the processor and 1 GB.
"""

import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

CODES, USED, EACH, BRANCHES = 400_000, 20_000, 15, 4


def write_documents(path, documents, seed):
    chance = random.Random(seed)
    used = random.Random(0).sample(range(CODES), USED)
    rows = (f"note-{at},C{code}\n" for at in range(documents) for code in chance.sample(used, EACH))
    path.write_text("filename,code\n" + "".join(rows))


def write_hierarchy(path):
    """Half of the codes have two parents."""
    rows = [f"C{at},\n" for at in range(BRANCHES)]
    for at in range(BRANCHES, CODES):
        rows.append(f"C{at},C{at // BRANCHES}\n")
        if at % 2 and at // BRANCHES:
            rows.append(f"C{at},C{at // BRANCHES - 1}\n")
    path.write_text("code,parent\n" + "".join(rows))


def main():
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        gold, found, tree = (Path(folder) / f"{name}.csv" for name in ("gold", "found", "tree"))
        write_documents(gold, documents, 1)
        write_documents(found, documents, 2)
        write_hierarchy(tree)
        command = ["clineval", "score", "clinical_codes", gold, found, "--hierarchy", tree]
        subprocess.run(command, check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{documents:,} documents, {CODES:,} codes: {seconds:.1f} s, {peak:,.0f} MB")
    assert seconds < 10
    assert peak < 1024


if __name__ == "__main__":
    main()
