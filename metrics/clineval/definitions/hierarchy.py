"""Scores by hierarchy: codes with their ancestors, at each level, and with CoPHE's counts.

docs/hierarchies.md has the formulas and their sources.
"""

from collections import Counter
from itertools import product

from clineval.definitions.rates import divide


class Tree:
    """Codes with lists of parents; a single top is left out."""

    def __init__(self, parents, *, rooted=True):
        self.parents = {above: [] for each in parents.values() for above in each} | parents
        tops = {code for code, above in self.parents.items() if not above}
        self.root = tops if rooted and len(tops) == 1 else set()
        self.depth = {}
        while len(self.depth) < len(self.parents):
            for code, above in self.parents.items():
                if all(each in self.depth for each in above):
                    self.depth[code] = min((self.depth[each] + 1 for each in above), default=0)

    @property
    def levels(self):
        """The levels that have scores."""
        return list(range(len(self.root), max(self.depth.values()) + 1))

    def climb(self, code):
        """Return a code with all its ancestors."""
        above = self.parents.get(code, [])
        return {code}.union(*(self.climb(each) for each in above))

    def extend(self, code):
        """Return the same without the root."""
        return self.climb(code) - self.root

    def cut(self, code, level):
        """Return the ancestors of a code at a level; a code above it stands for itself."""
        if self.depth.get(code, -1) <= level:
            return {code} - self.root
        return {each for each in self.climb(code) if self.depth.get(each) == level}


def prf(name, pairs):
    """Return the scores of counters of both sides, one pair for each document."""
    tp = sum(sum((gold & found).values()) for gold, found in pairs)
    golds, founds = (sum(sum(pair[at].values()) for pair in pairs) for at in (0, 1))
    p, r = divide(tp, founds), divide(tp, golds)
    return {
        f"{name}_precision": p,
        f"{name}_recall": r,
        f"{name}_f1": divide(2 * p * r, p + r),
        f"{name}_tp": tp,
        f"{name}_fp": founds - tp,
        f"{name}_fn": golds - tp,
    }


def score(tree, golds, founds):
    """Return all scores by hierarchy of the sets of codes of documents."""

    def count(codes, function):
        return Counter(node for code in codes for node in function(code))

    def sides(function, *, once):
        each = [
            [count(codes, function) for codes in pair] for pair in zip(golds, founds, strict=True)
        ]
        return [[Counter(set(of)) if once else of for of in pair] for pair in each]

    scores = {
        **prf("h", sides(tree.extend, once=True)),
        **prf("cophe", sides(tree.extend, once=False)),
    }
    for level in tree.levels:
        scores |= prf(
            f"level{level}", sides(lambda code, level=level: tree.cut(code, level), once=True)
        )
    return scores


class Pairs:
    """Pairs of codes of a tree; an ancestor of a pair is a pair of ancestors."""

    def __init__(self, tree):
        self.tree, self.levels = tree, tree.levels

    def extend(self, pair):
        """Return all pairs of ancestors."""
        return set(product(*map(self.tree.extend, pair)))

    def cut(self, pair, level):
        """Return the pairs of ancestors at a level."""
        return set(product(*(self.tree.cut(code, level) for code in pair)))
