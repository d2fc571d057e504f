"""Measures the budgets of SemEval-2015 Task 14: files, pairing, lists, evaluate, dense documents.

The corpora are the 25 documents of the oracle's full_1 (34.5 gold mentions a document, with
repeats, overlaps, shifts), written again and again under other names. Prints one line a budget.

    python tests/benchmarks/bench_semeval15_task14.py [--large]

``--large`` also scores 100,000 documents from files (860 MB on disk) for time and memory.
"""

import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import evaluate
import numpy as np

import clineval
from clineval.base.arrays import Coded
from clineval.challenges.semeval15_task14 import CHALLENGE
from clineval.evaluation.evaluate import count_block
from clineval.formats.delimited.pipe import SLOTS, read_side
from clineval.formats.dicts import read_records
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns

SOURCE = Path(__file__).parents[1] / "data" / "oracle" / "semeval15_task14" / "full_1"
warnings.simplefilter("ignore")


def seconds(call, repeats=3):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def write_corpus(folder, documents):
    """The source's documents, renamed, until there are enough."""
    names = sorted({p.name for side in ("gold", "pred") for p in (SOURCE / side).iterdir()})
    for side in ("gold", "pred"):
        (folder / side).mkdir()
        texts = {name: SOURCE / side / name for name in names}
        texts = {n: p.read_text().lower() if p.exists() else "" for n, p in texts.items()}
        for number in range(documents):
            name = names[number % len(names)]
            old, new = name.removesuffix(".pipe").lower(), f"{number:06}-note"
            (folder / side / f"{new}.pipe").write_text(texts[name].replace(old, new))


def bench_files(documents, budget):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_corpus(folder, documents)
        program = shutil.which("clineval", path=str(Path(sys.executable).parent))
        call = [program, "score", "semeval15_task14", folder / "gold", folder / "pred"]

        def run():
            subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

        spent = seconds(run)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        print(f"score {documents:>6} documents from files: {spent:6.2f} s "
              f"(budget {budget}), peak {memory:.2f} GB")  # fmt: skip


def tile(side, times):
    """A side whose documents are repeated under other numbers."""
    columns, n = side.mentions, len(side.documents)

    def shift(array, size, step):
        return np.tile(array, times) + np.repeat(np.arange(times) * step, size).astype(array.dtype)

    m, f = len(columns), len(columns.starts)
    bounds = np.append(shift(columns.bounds[:-1].astype(np.int64), m, f), f * times)
    mentions = MentionColumns(
        shift(columns.document, m, n), bounds,
        np.tile(columns.starts, times), np.tile(columns.ends, times),
        {name: Coded(np.tile(c.ids, times), c.values) for name, c in columns.attributes.items()},
        Coded(np.tile(columns.spelling.ids, times), columns.spelling.values),
    )  # fmt: skip
    names = tuple(str(k) for k in range(n * times))
    return Side(names, names, mentions)


def bench_pairing(documents):
    with tempfile.TemporaryDirectory() as temporary:
        write_corpus(Path(temporary), 1000)
        sides = [
            tile(read_side(Path(temporary) / side, SLOTS, strict=True), documents // 1000)
            for side in ("gold", "pred")
        ]
    setup = CHALLENGE.setup("default", "spec", {})
    corpus = CHALLENGE.steps.join(*sides, setup)
    setup = CHALLENGE.steps.resolve(corpus, setup)

    def pair_and_count():
        for block in corpus.blocks():
            count_block(block, CHALLENGE.steps.pair(block, setup), setup)

    rate = len(corpus.gold) / seconds(pair_and_count) / 1e6
    print(f"pair and count {documents} documents, {len(corpus.gold)} gold mentions, all tasks: "
          f"{rate:.1f} million mentions/s (budget 4)")  # fmt: skip


def as_dicts(side, documents):
    """Lists of dicts of the source, as many as wanted."""
    from clineval.formats.delimited.pipe import read_documents

    read = [
        [mention.as_dict() for mention in document.mentions]
        for document in read_documents(SOURCE / side, SLOTS)
    ]
    lists = [read[k % len(read)] for k in range(documents)]
    return [[{k: v for k, v in m.items() if k != "cues"} for m in document] for document in lists]


def bench_lists(documents):
    gold, found = as_dicts("gold", documents), as_dicts("pred", documents)
    mentions = sum(map(len, gold))
    rate = mentions / seconds(lambda: read_records(gold, SLOTS))
    print(f"lists of dicts to columns: {rate / 1e3:.0f},000 mentions/s (budget 400,000)")
    metric = evaluate.load("semeval15_task14")
    core, module = [], []
    for _ in range(5):  # by turns, so that both meet the same noise
        core.append(seconds(lambda: clineval.score("semeval15_task14", found, gold).as_dict(), 1))
        module.append(seconds(lambda: metric.compute(predictions=found, references=gold), 1))
    print(f"evaluate's compute against the core: {min(module) / min(core):.3f} × (budget 1.05)")


def bench_dense(mentions):
    """One document whose mentions lie one inside the other, in a process of its own."""
    program = (
        "import clineval, sys, time, resource\n"
        "module, protocol, n = sys.argv[1], sys.argv[2], int(sys.argv[3])\n"
        "gold, found = ([[{'spans': [[k, 4 * n - k - end]], 'cui': 'C1'} for k in range(n)]]\n"
        "               for end in (0, 1))\n"
        "start = time.perf_counter()\n"
        "clineval.score(module, found, gold, protocol=protocol)\n"
        "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    for module in ("semeval15_task14", "clefehealth13_task1"):
        for protocol in ("spec", "official"):
            call = [sys.executable, "-c", program, module, protocol, str(mentions)]
            run = subprocess.run(call, capture_output=True, text=True, check=True)
            spent, kilobytes = map(float, run.stdout.split())
            what = f"{mentions} overlapping mentions a side, {module} {protocol}"
            print(f"{what}: {spent:.1f} s (budget 5), peak {kilobytes / 1e6:.2f} GB (budget 1)")


if __name__ == "__main__":
    # a peak is never below that of the process that starts it: what takes memory comes last
    bench_files(1_000, "0.5 s")
    bench_files(10_000, "2.5 s")
    if "--large" in sys.argv:
        bench_files(100_000, "1.5 GB")
    bench_dense(2_000)
    bench_pairing(100_000)
    bench_lists(5_000)
