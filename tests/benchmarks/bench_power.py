"""How often a difference is seen in as many documents as ``clineval power`` asks for.

    python tests/benchmarks/bench_power.py [pilots [corpora]]

Two systems on the same documents, of which the second finds more; many pilots of 24, 60 and 133
documents, alone or three together, answer how many documents it takes to see the true difference of
F1 with 80 % power. Shown are the quartiles of the answers, how often one of them lies within the
range that another gives, and how often a test finds p < .05 in corpora of as many documents as the
median answer. The corpora, beside ``plain`` and ``long`` of bench_coverage.py:

    uneven     lengths with a heavy tail, and spurious mentions as many as the note is long; very
               easy and very difficult notes
"""

import sys

import numpy as np
from bench_coverage import ease, find, finish, long, plain

from clineval.stats.planning import Aim, Spread, find_range
from clineval.stats.significance import TESTS

PILOTS = ((24, 1), (60, 1), (133, 1), (24, 3), (60, 3))
SEED = 20261124
KEY = "x_f1"
BETTER = 0.57  # the power of a document's ease that makes F1 about .055 higher


def uneven(random, size):
    mentions = random.poisson(random.lognormal(np.log(20) - 0.72, 1.2, size))
    return mentions, ease(random, size, 0.75, 2), mentions / 4


def draw_systems(draw, random, size):
    mentions, share, spurious = draw(random, size)
    return [find(random, mentions, of, spurious) for of in (share, share**BETTER)]


def find_difference(systems):
    first, second = (finish(of.sum(axis=0, keepdims=True))[KEY][0] for of in systems)
    return second - first


def find_influences(systems):
    first, second = (finish(of.sum(axis=0) - of)[KEY] for of in systems)
    return ((second - first).mean() - (second - first)) * (len(first) - 1)


def report(name, draw, pilots, corpora):
    large = draw_systems(draw, np.random.default_rng(1), 2_000_000)
    aim = Aim(find_difference(large), 0.8, 0.95)
    random = np.random.default_rng(SEED)
    for size, several in PILOTS:
        drawn = [
            [find_influences(draw_systems(draw, random, size)) for _ in range(several)]
            for _ in range(pilots)
        ]
        answers = np.array([Spread.of(pilot).needed(aim) for pilot in drawn])
        low, high = np.array([find_range(pilot, aim) for pilot in drawn]).T[:, :, np.newaxis]
        within = ((low <= answers) & (answers <= high)).mean()
        quartiles = np.quantile(answers, (0.25, 0.5, 0.75))
        needed = int(np.ceil(quartiles[1]))
        seen = [
            TESTS["ar"](finish, *draw_systems(draw, random, needed), 1000, corpus)[0][KEY] < 0.05
            for corpus in range(corpora)
        ]
        answered = " / ".join(f"{quartile:.0f}" for quartile in quartiles)
        print(
            f"{name:<7} {aim.difference:.4f}  {size:>3} x {several}  {answered:<15}  "
            f"within {100 * within:.0f} %  power {100 * np.mean(seen):.1f} %",
            flush=True,
        )


if __name__ == "__main__":
    given = [int(number) for number in sys.argv[1:]]
    for name, draw in {"plain": plain, "long": long, "uneven": uneven}.items():
        report(name, draw, *(given + [800, 2000][len(given) :]))
