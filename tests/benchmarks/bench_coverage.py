"""How often 95 % intervals hold the true score, on corpora that are hard to be sure of.

    python tests/benchmarks/bench_coverage.py [corpora]

Precision, recall and F1 of simulated corpora of 20 to 500 documents (or patients), by every kind of
interval. ``auto`` is also shown for the corpora of which nothing is warned (at least 30 documents,
10 true positives and, in effect, 10 errors): there 93 to 97 % are wanted. The corpora:

    plain      20 mentions a note on average, F1 .75, easy and difficult notes
    perfect    the same with F1 .997: a handful of errors
    long       lengths with a heavy tail (lognormal, sigma 1.2), F1 .75
    long, .997 both
    rare       one mention in two notes, F1 .75
    patients   notes of patients, who differ in number, length and difficulty of notes; drawn by
               patient
"""

import sys
import time

import numpy as np

from clineval.ratios import precision_recall_f1
from clineval.statistics.confidence import RARE
from clineval.statistics.intervals import METHODS, Drawn, choose
from clineval.statistics.resampling import bootstrap

SIZES = (20, 30, 50, 100, 200, 500)
SHOWN = ("percentile", "bca", "auto")
KEYS = ("x_precision", "x_recall", "x_f1")
LARGE = 3_000_000


def finish(totals):
    scores = precision_recall_f1("x", dict(zip(("x_tp", "x_fp", "x_fn"), totals.T, strict=True)))
    return {key: scores[key] for key in KEYS}


def plain(random, size):
    mentions = random.poisson(random.gamma(1.5, 20 / 1.5, size))
    return find(random, mentions, 0.75, 6, 5.0)


def perfect(random, size):
    return find(random, random.poisson(random.gamma(1.5, 20 / 1.5, size)), 0.997, 50, 0.06)


def long(random, size):
    mentions = random.poisson(random.lognormal(np.log(20) - 0.72, 1.2, size))
    return find(random, mentions, 0.75, 6, 5.0)


def long_and_perfect(random, size):
    mentions = random.poisson(random.lognormal(np.log(20) - 0.72, 1.2, size))
    return find(random, mentions, 0.997, 50, 0.06)


def rare(random, size):
    return find(random, random.poisson(random.gamma(0.5, 1.0, size)), 0.75, 6, 0.12)


def patients(random, size):
    notes = random.poisson(random.gamma(2, 2.5, size))
    mentions = random.poisson(20 * notes * random.gamma(1.5, 1 / 1.5, size))
    return find(random, mentions, 0.75, 4, 5.0 * notes)


def find(random, mentions, recall, concentration, spurious):
    """What a system finds of the mentions; recall and spurious mentions vary between units."""
    ease = random.beta(concentration * recall, concentration * (1 - recall), len(mentions))
    tp = random.binomial(mentions, ease)
    fp = random.poisson(spurious * random.gamma(1.5, 1 / 1.5, len(mentions)))
    return np.column_stack([tp, fp, mentions - tp]).astype(np.float64)


CORPORA = {
    "plain": plain,
    "perfect": perfect,
    "long": long,
    "long, .997": long_and_perfect,
    "rare": rare,
    "patients": patients,
}


def measure(draw, size, corpora, seed):
    """For each key: share of corpora held by each kind, by auto without warning, and unwarned."""
    truth = {k: v[0] for k, v in finish(draw(np.random.default_rng(1), LARGE).sum(0)[None]).items()}
    random = np.random.default_rng(seed)
    held = {key: dict.fromkeys((*SHOWN, "calm"), 0) for key in KEYS}
    calm = dict.fromkeys(KEYS, 0)
    for corpus in range(corpora):
        table = draw(random, size)
        totals = table.sum(axis=0, keepdims=True)
        values, drawn = finish(totals), finish(bootstrap(table, 1000, corpus))
        without = finish(totals - table)
        for key, true in truth.items():
            score = Drawn(float(values[key][0]), drawn[key], without[key])
            sure = size >= 30 and totals[0, 0] >= RARE and score.rarer >= RARE
            calm[key] += sure
            for kind in SHOWN:
                low, high = METHODS[choose(score) if kind == "auto" else kind](score, 0.95)
                held[key][kind] += low <= true <= high
                held[key]["calm"] += sure and kind == "auto" and low <= true <= high
    return held, calm


def report(corpora):
    print(f"{corpora} corpora each; precision / recall / F1, %")
    for name, draw in CORPORA.items():
        for size in SIZES:
            held, calm = measure(draw, size, corpora, 20260103)
            kinds = "   ".join(
                f"{kind} " + " / ".join(f"{100 * held[key][kind] / corpora:4.1f}" for key in KEYS)
                for kind in SHOWN
            )
            unwarned = " / ".join(
                f"{100 * held[key]['calm'] / calm[key]:4.1f}" if calm[key] else "   -"
                for key in KEYS
            )
            share = f"{100 * calm['x_f1'] / corpora:.0f} % of corpora"
            print(f"{name:<10} {size:>3}   {kinds}   unwarned {unwarned} ({share})", flush=True)


if __name__ == "__main__":
    begun = time.perf_counter()
    report(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    print(f"{time.perf_counter() - begun:.0f} s")
