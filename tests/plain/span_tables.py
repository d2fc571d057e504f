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


def overlaps(gold, found):
    """The same of mentions of one label that share a character, as many pairs as there can be."""
    sides = [sorted({normal(m) for m in side}, key=repr) for side in (gold, found)]
    near = [
        [at for at, p in enumerate(sides[1]) if g[2] == p[2] and max(g[0], p[0]) < min(g[1], p[1])]
        for g in sides[0]
    ]
    owner = {}

    def find(at, seen):
        for other in near[at]:
            if other not in seen:
                seen.add(other)
                if other not in owner or find(owner[other], seen):
                    owner[other] = at
                    return True
        return False

    right = sum(find(at, set()) for at in range(len(near)))
    return right, len(sides[1]) - right, len(sides[0]) - right


def codes(gold, found):
    """The same of the codes of a document."""
    return compare(*(Counter({code.strip() for code in side}) for side in (gold, found)))


def compare(gold, found):
    right = (gold & found).total()
    return right, found.total() - right, gold.total() - right


def characters(documents):
    """Precision, recall and F1 of characters; predictions that are equal are one."""
    best = [[], []]
    for gold, found in documents:
        sides = [gold, list(dict.fromkeys(found))]
        for at, side in enumerate(sides):
            best[1 - at] += [max((alike(m, o) for o in sides[1 - at]), default=0) for m in side]
    precision, recall = (sum(of) / len(of) if of else 0 for of in best)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0


def alike(one, other):
    shared = max(min(one[1], other[1]) - max(one[0], other[0]), 0) if one[2] == other[2] else 0
    parts = [shared / (of[1] - of[0]) for of in (one, other)]
    return 2 * parts[0] * parts[1] / sum(parts) if shared else 0
