"""Coverage of intervals, type I error of the paired tests, and the time that resampling takes.

    python tests/benchmarks/bench_confidence.py [corpora]

Coverage: on simulated corpora of 133 documents (the SemEval-2015 test set) how often the 95 %
interval of strict F1 holds the true value; 93 to 97 % are wanted. Type I error: how often two
equally good systems differ at p < .05; 3 to 7 % are wanted. Time: 1,000 resamples of all counts
of SemEval-2015 Task 14 (38 columns), with all its scores.
"""

import sys
import time
from pathlib import Path

import numpy as np

from clineval import Counts
from clineval.challenges.semeval15_task14.measures import MEASURES
from clineval.results.registry import find_challenge
from clineval.stats.resampling import bootstrap

sys.path.insert(0, str(Path(__file__).parents[1]))
import simulation

DOCUMENTS = 133
NINE = ("cui", "negation", "subject", "uncertainty", "course", "severity", "conditional",
        "generic", "body_location")  # fmt: skip


def bench_coverage(corpora):
    for interval in ("auto", "percentile", "bca"):
        for documents in (30, DOCUMENTS, 531):
            held = simulation.coverage(corpora, documents, 20260101, interval=interval)
            error = 1.96 * (held * (1 - held) / corpora) ** 0.5
            wanted = " (wanted: 93 to 97 %)" if documents == DOCUMENTS else ""
            print(f"95 % {interval:<10} interval of F1, {documents:>3} documents, {corpora} "
                  f"corpora: holds {100 * held:.1f} % ± {100 * error:.1f}{wanted}")  # fmt: skip


def bench_type_1_error(corpora):
    for test in ("ar", "bootstrap"):
        for documents in (30, DOCUMENTS):
            rejected = simulation.rejections(
                corpora, documents, 20260102, test, trials=1000, n_resamples=1
            )
            error = 1.96 * (rejected * (1 - rejected) / corpora) ** 0.5
            print(f"test {test:<9} of equal systems, {documents:>3} documents, {corpora} corpora: "
                  f"p < .05 in {100 * rejected:.1f} % ± {100 * error:.1f} "
                  "(wanted: 3 to 7 %)")  # fmt: skip


def bench_runs_and_patients(corpora):
    for runs in (2, 3, 5):
        for documents in (40, DOCUMENTS):
            rejected = simulation.rejections_of_runs(corpora, documents, runs, 9)
            print(f"t test of equal systems with {runs} runs, {documents:>3} documents, {corpora} "
                  f"corpora: p < .05 in {100 * rejected:.1f} % (wanted: 3 to 7 % from 3 runs "
                  "on)")  # fmt: skip
    for test in ("ar", "bootstrap"):
        rejected = simulation.rejections_of_patients(
            corpora, 40, 5, 20260104, test, trials=1000, n_resamples=1
        )
        print(f"test {test:<9} of equal systems, 40 patients with 5 notes, {corpora} corpora: "
              f"p < .05 in {100 * rejected:.1f} % (wanted: 3 to 7 %)")  # fmt: skip
    for clustered in (False, True):
        held = simulation.coverage_of_patients(corpora, 40, 5, 3, clustered=clustered)
        unit = "patients" if clustered else "notes"
        print(f"95 % interval of F1, 40 patients with 5 notes, drawing {unit}, {corpora} corpora: "
              f"holds {100 * held:.1f} %")  # fmt: skip


def make_counts(documents):
    """Random counts with all columns of the challenge."""
    random = np.random.default_rng(5)
    columns = [f"{match}_{part}" for match in ("strict", "relaxed", "span")
               for part in ("tp", "fp", "fn")]  # fmt: skip
    for slot in NINE:
        columns += [f"{slot}_equal", f"{slot}_equal_weight", f"{slot}_weight"]
    columns += ["equal_slots", "weighted_accuracy_sum"]
    table = random.integers(0, 40, (documents, len(columns))).astype(np.float64)
    settings = {"protocol": "spec", "overlap": "character", "weights": "share"}
    return Counts(
        find_challenge("semeval15_task14"), "default", settings, tuple(columns),
        tuple(map(str, range(documents))), table, np.zeros(documents, np.uint64),
    )  # fmt: skip


def bench_time(documents, budget):
    counts = make_counts(documents)
    for interval in ("auto", "percentile", "bca"):
        times = []
        for _ in range(3):
            start = time.process_time()  # of all cores, whatever else runs
            _ = counts.score(confidence=0.95, interval=interval).intervals
            times.append(time.process_time() - start)
        print(f"1,000 resamples of {documents:>7} documents, {len(counts.columns)} counts, "
              f"{interval:<10}: {min(times):.3f} s (budget {budget})")  # fmt: skip


def bench_against_a_loop(documents):
    """The same draws, scored one by one."""
    counts = make_counts(documents)
    start = time.perf_counter()
    bootstrap(counts.table, 1000, 1)
    ours = time.perf_counter() - start
    random = np.random.default_rng(1)
    start = time.perf_counter()
    for _ in range(100):
        rows = counts.table[random.integers(0, documents, documents)]
        MEASURES.finish(dict(zip(counts.columns, rows.sum(axis=0), strict=True)), "default")
    loop = 10 * (time.perf_counter() - start)
    print(f"drawing against a loop over corpora, {documents} documents: {loop / ours:.1f} × faster")


if __name__ == "__main__":
    bench_time(531, "0.1 s")
    bench_time(100_000, "2.5 s")
    bench_against_a_loop(531)
    wanted_corpora = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    bench_coverage(wanted_corpora)
    bench_type_1_error(wanted_corpora)
    bench_runs_and_patients(wanted_corpora)
