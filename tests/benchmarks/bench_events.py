"""Speed of events: 100,000 a side with 250,000 triggers and arguments, ten events to a document.

    python tests/benchmarks/bench_events.py [events]

Budget: joined, paired and counted in at most 1 s on one core, columns ready, by either protocol.
"""

import sys
import time

import numpy as np

from clineval.base.arrays import Coded
from clineval.challenges.n2c2_2022_sdoh.spec import SPEC
from clineval.evaluation.evaluate import count_block
from clineval.kinds.events.units import EventSide
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns
from clineval.results.registry import find_challenge

SIZE = 10
EVENTS = 5
"""The first labels of the scheme are those of triggers; the next are those of arguments."""
ARGUMENTS = 9
VALUED = 3
"""So many labels of arguments have a value."""
VALUES = ("no", "current", "past", "none")


def make_columns(events):
    """Return random triggers, each with up to three arguments behind it, and where they begin."""
    chance = np.random.default_rng(7)
    sizes = chance.integers(1, 5, events)
    owners = np.repeat(np.arange(events), sizes)
    begins = np.diff(owners, prepend=-1) > 0
    arguments = EVENTS + chance.integers(0, ARGUMENTS, len(owners))
    labels = np.where(begins, chance.integers(0, EVENTS, len(owners)), arguments)
    valued = (labels >= EVENTS) & (labels < EVENTS + VALUED)
    values = np.where(valued, chance.integers(1, len(VALUES), len(owners)), 0)
    starts = owners % SIZE * 40 + np.where(begins, 0, chance.integers(5, 30, len(owners)))
    return (
        owners // SIZE,
        begins,
        labels,
        values,
        starts,
        starts + chance.integers(3, 8, len(owners)),
    )


def blur(columns):
    """Return the same units, of which a fifth are moved and some have another value."""
    chance = np.random.default_rng(2)
    documents, begins, labels, values, starts, ends = columns
    moved = (chance.random(len(labels)) < 0.2) * chance.integers(0, 4, len(labels))
    changed = (values > 0) & (chance.random(len(labels)) < 0.15)
    others = np.where(changed, chance.integers(1, len(VALUES), len(labels)), values)
    return documents, begins, labels, others, starts + moved, ends + moved


def make_side(columns, documents):
    owners, begins, labels, values, starts, ends = columns
    names = tuple(f"d{at}" for at in range(documents))
    slots = {"label": Coded(labels, tuple(SPEC.scheme.labels)), "value": Coded(values, VALUES)}
    firsts = np.arange(len(labels) + 1)
    units = MentionColumns(owners.astype(np.int32), firsts, starts, ends, slots)
    return EventSide.from_units(Side(names, names, units), units, begins)


def measure_pairing(protocol, gold, found):
    """Return the seconds of the processor, the best of three, and how many events agree."""
    setup = find_challenge("n2c2_2022_sdoh").setup("default", protocol, {})
    steps, best = setup.steps, float("inf")
    for _ in range(3):
        agreeing, start = 0, time.process_time()
        for block in steps.join(gold, found, setup).blocks():
            agreeing += int(count_block(block, steps.pair(block, setup), setup)["overall_tp"].sum())
        best = min(best, time.process_time() - start)
    return best, agreeing


def main():
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    columns = make_columns(events)
    gold, found = (make_side(each, -(-events // SIZE)) for each in (columns, blur(columns)))
    for protocol in ("spec", "official"):
        seconds, agreeing = measure_pairing(protocol, gold, found)
        what = f"{events:,} events a side paired and counted in {seconds:.2f} s"
        print(f"n2c2_2022_sdoh, {protocol}: {what}, {agreeing:,} triggers and arguments agree")


if __name__ == "__main__":
    main()
