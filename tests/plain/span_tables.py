"""Counts of labelled and linked spans by one rule, in plain Python with counters.

Independent of the package: used as its oracle on random data. A mention is (start, end, label), and
(start, end, label, codes) with its codes as a file has them; a document is a list of them.
"""

from collections import Counter


def normal(mention, separators="+"):
    """A mention with the set of its codes."""
    if len(mention) < 4:
        return mention
    cell = mention[3]
    for separator in separators:
        cell = cell.replace(separator, "\n")
    return (*mention[:3], frozenset(part.strip() for part in cell.split("\n") if part.strip()))


def linked(gold, found, separators="+"):
    """True positives, false positives and false negatives of mentions that agree in all."""
    sides = [{normal(m, separators) for m in side} for side in (gold, found)]
    return compare(Counter(sides[0]), Counter(sides[1]))


def strict(gold, found, separators="+"):
    """The same of mentions whose codes may differ: those that differ in codes are several."""
    sides = [{normal(m, separators) for m in side} for side in (gold, found)]
    return compare(*(Counter(m[:3] for m in side) for side in sides))


def codes(gold, found):
    """The same of the codes of a document."""
    return compare(*(Counter({code.strip() for code in side}) for side in (gold, found)))


def compare(gold, found):
    right = (gold & found).total()
    return right, found.total() - right, gold.total() - right
