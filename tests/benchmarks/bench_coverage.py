"""How often 95 % intervals hold the true score, and how often tests see what is not there.

    python tests/benchmarks/bench_coverage.py [corpora]

Precision, recall and F1 of simulated corpora of 20 to 500 documents (or patients), by every kind of
interval; and of two equally good systems on the same documents how often p < .05. Both are also
shown for the corpora of which nothing is warned (clineval/stats/cautions.py): where these are
most of them, 93 to 97 % and 3 to 7 % are wanted. Where they are few, these have by chance more
errors than others, and the share of all corpora that are wrong without a warning is what counts.
The corpora:

    plain      20 mentions a note on average, F1 .75, easy and difficult notes
    effects    the same with notes of which nearly all or hardly any mentions are found
    perfect    as plain with F1 .997: a handful of errors
    long       lengths with a heavy tail (lognormal, sigma 1.2), F1 .75
    long, .997 both
    rare       one mention in two notes, F1 .75
    patients   notes of patients, who differ in number, length and difficulty of notes; drawn and
               swapped by patient

Then classes of 1 to 10 mentions, of which 70 % are found, and 70 % of what is found is right, in
corpora of 24 to 500 documents, or of patients with 5 each: how often the interval of a class that
is there holds the truth, and how many of these intervals are marked as resting on few units.
"""

import sys
import time

import numpy as np

from clineval.base.ratios import precision_recall_f1
from clineval.stats.cautions import FEW, FEW_DIFFERING, FEW_DRAWN
from clineval.stats.confidence import RARE, Confidence, intervals_of
from clineval.stats.intervals import METHODS, Drawn, choose
from clineval.stats.resampling import draw_weights
from clineval.stats.significance import TESTS, count_differing

SIZES = (20, 30, 50, 100, 200, 500)
SIZES_OF_CLASSES = (24, 60, 133, 500)
MENTIONS = (1, 2, 3, 5, 10)
SIZES_OF_TESTS = (30, 40, 60, 100, 200)
SHOWN = ("percentile", "bca", "auto")
KEYS = ("x_precision", "x_recall", "x_f1")
LARGE = 3_000_000
DRAWS = 20  # sets of 1,000, which corpora take turns in


def finish(totals):
    scores = precision_recall_f1("x", dict(zip(("x_tp", "x_fp", "x_fn"), totals.T, strict=True)))
    return {key: scores[key] for key in KEYS}


def plain(random, size):
    return random.poisson(random.gamma(1.5, 20 / 1.5, size)), ease(random, size, 0.75, 6), 5.0


def effects(random, size):
    return random.poisson(random.gamma(1.5, 20 / 1.5, size)), ease(random, size, 0.75, 1.5), 5.0


def perfect(random, size):
    return random.poisson(random.gamma(1.5, 20 / 1.5, size)), ease(random, size, 0.997, 50), 0.06


def long(random, size):
    mentions = random.poisson(random.lognormal(np.log(20) - 0.72, 1.2, size))
    return mentions, ease(random, size, 0.75, 6), 5.0


def long_and_perfect(random, size):
    mentions = random.poisson(random.lognormal(np.log(20) - 0.72, 1.2, size))
    return mentions, ease(random, size, 0.997, 50), 0.06


def rare(random, size):
    return random.poisson(random.gamma(0.5, 1.0, size)), ease(random, size, 0.75, 6), 0.12


def patients(random, size):
    notes = random.poisson(random.gamma(2, 2.5, size))
    mentions = random.poisson(20 * notes * random.gamma(1.5, 1 / 1.5, size))
    return mentions, ease(random, size, 0.75, 4), 5.0 * notes


def ease(random, size, recall, concentration):
    """What share of each document's mentions a system finds, in the long run."""
    return random.beta(concentration * recall, concentration * (1 - recall), size)


def find(random, mentions, share, spurious):
    """What a system finds of the mentions; two systems on the same documents are equally good."""
    tp = random.binomial(mentions, share)
    fp = random.poisson(spurious * random.gamma(1.5, 1 / 1.5, len(mentions)))
    return np.column_stack([tp, fp, mentions - tp]).astype(np.float64)


CORPORA = {
    "plain": plain,
    "effects": effects,
    "perfect": perfect,
    "long": long,
    "long, .997": long_and_perfect,
    "rare": rare,
    "patients": patients,
}


def cover(draw, size, corpora, seed):
    """``[corpora, 3, 4]``: is the truth held by each kind, and is nothing warned of."""
    large = np.random.default_rng(1)
    truth = finish(find(large, *draw(large, LARGE)).sum(axis=0, keepdims=True))
    random = np.random.default_rng(seed)
    draws = [np.concatenate([*draw_weights(size, 1000, k)]) for k in range(DRAWS)]
    found = np.zeros((corpora, len(KEYS), len(SHOWN) + 1), bool)
    for corpus in range(corpora):
        table = find(random, *draw(random, size))
        totals = table.sum(axis=0, keepdims=True)
        values, drawn = finish(totals), finish(draws[corpus % DRAWS] @ table)
        without, alone = finish(totals - table), finish(table)
        for k, (key, [true]) in enumerate(truth.items()):
            score = Drawn(float(values[key][0]), drawn[key], without[key], alone=alone[key])
            for column, kind in enumerate(SHOWN):
                low, high = METHODS[choose(score) if kind == "auto" else kind](score, 0.95)
                found[corpus, k, column] = low <= true <= high
            found[corpus, k, -1] = size >= FEW and score.witnesses >= RARE
    return found


def reject(draw, size, corpora, seed, test):
    """``[corpora, 3, 2]``: is p < .05, and is nothing warned of."""
    random = np.random.default_rng(seed)
    found = np.zeros((corpora, len(KEYS), 2), bool)
    enough = size >= (FEW_DRAWN if test == "bootstrap" else FEW)
    for corpus in range(corpora):
        drawn = draw(random, size)
        left, right = find(random, *drawn), find(random, *drawn)
        values, _ = TESTS[test](finish, left, right, 1000, corpus)
        differing = count_differing(finish, left, right)
        for k, key in enumerate(KEYS):
            found[corpus, k] = values[key] < 0.05, enough and differing[key] >= FEW_DIFFERING
    return found


def percents(shares):
    return " / ".join("   -" if np.isnan(share) else f"{100 * share:4.1f}" for share in shares)


def unwarned(right, calm):
    """Of corpora without a warning how many are right, how many these are, and the wrong ones."""
    with np.errstate(invalid="ignore"):
        share = (right & calm).sum(axis=0) / calm.sum(axis=0)
    return (
        f"unwarned {percents(share)} (of {percents(calm.mean(axis=0))} of corpora; "
        f"unwarned and wrong {percents((calm & ~right).mean(axis=0))})"
    )


def report_coverage(corpora):
    print(f"Coverage; {corpora} corpora each, 4 times as many of the smallest; "
          "precision / recall / F1, %")  # fmt: skip
    for name, draw in CORPORA.items():
        for size in SIZES:
            found = cover(draw, size, corpora * (4 if size <= FEW else 1), 20260103)
            held = found.mean(axis=0)
            kinds = "  ".join(f"{kind} {percents(held[:, k])}" for k, kind in enumerate(SHOWN))
            calm = unwarned(found[:, :, SHOWN.index("auto")], found[:, :, -1])
            print(f"{name:<10} {size:>3}  {kinds}  {calm}", flush=True)


def draw_class(random, mentions, units, concentration):
    """A class that is there, with so many mentions in the mean, and as many predictions."""
    rate = mentions / units
    while True:
        gold = random.poisson(rate * random.gamma(1.5, 1 / 1.5, units))
        tp = random.binomial(gold, ease(random, units, 0.7, concentration))
        fp = random.poisson(0.3 * rate * random.gamma(1.5, 1 / 1.5, units))
        if gold.any():
            return np.column_stack([tp, fp, gold - tp]).astype(np.float64)


def report_classes(corpora):
    print(f"Classes; {corpora} corpora each; precision / recall / F1 held, and marked, %")
    for what, notes, concentration in (("documents", 1, 6), ("patients", 5, 3)):
        for size in SIZES_OF_CLASSES:
            for mentions in MENTIONS:
                random = np.random.default_rng(20261124)
                held = np.zeros((corpora, len(KEYS), 2), bool)
                for corpus in range(corpora):
                    table = draw_class(random, mentions, max(size // notes, 2), concentration)
                    found = intervals_of(finish, table, Confidence(0.95, seed=corpus))
                    for k, key in enumerate(KEYS):
                        held[corpus, k] = found[key].low <= 0.7 <= found[key].high, found[key].rare
                right, marked = held.mean(axis=0).T
                print(f"{what:<9} {size:>3} {mentions:>2}  {percents(right)}  {percents(marked)}",
                      flush=True)  # fmt: skip


def report_tests(corpora):
    print(f"p < .05 of equal systems; {corpora} corpora each; precision / recall / F1, %")
    for name, draw in CORPORA.items():
        for size in SIZES_OF_TESTS:
            for test in TESTS:
                found = reject(draw, size, corpora, 20260105, test)
                differs, calm = found[:, :, 0], found[:, :, 1]
                with np.errstate(invalid="ignore"):
                    share = (differs & calm).sum(axis=0) / calm.sum(axis=0)
                print(
                    f"{name:<10} {size:>3}  {test:<9} {percents(differs.mean(axis=0))}  unwarned "
                    f"{percents(share)} (of {percents(calm.mean(axis=0))} of corpora)",
                    flush=True,
                )


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    begun = time.perf_counter()
    report_classes(wanted)
    report_coverage(wanted)
    report_tests(wanted)
    print(f"{time.perf_counter() - begun:.0f} s")
