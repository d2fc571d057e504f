"""How the released package of n2c2 2022 Track 2 pairs events, in plain Python.

A document is a list of events, as ``clineval.score`` takes them.
"""

from clineval.definitions.documents import hull_of
from clineval.definitions.events import may_pair


def same_place(one, other, criterion):
    if criterion in ("label", "min_dist"):
        return True
    (a, b), (c, d) = hull_of(one), hull_of(other)
    return (a, b) == (c, d) if criterion == "exact" else max(a, c) < min(b, d)


def pair_events(golds, systems, labelled, criteria):
    """Pairs of events in the order of lines."""

    def may(one, other):
        same = one["label"] == other["label"]
        return same and same_place(one, other, criteria["trigger"])

    order = [(g, s) for g in range(len(golds)) for s in range(len(systems))]
    if criteria["trigger"] == "min_dist":
        order.sort(
            key=lambda pair: abs(sum(hull_of(golds[pair[0]])) - sum(hull_of(systems[pair[1]])))
        )
    pairs, taken = [], (set(), set())
    for g, s in order:
        if g not in taken[0] and s not in taken[1] and may(golds[g], systems[s]):
            taken[0].add(g)
            taken[1].add(s)
            pairs.append((g, s))
    return [(golds[g], first_arguments(golds[g], systems[s], labelled, criteria)) for g, s in pairs]


def first_arguments(gold, system, labelled, criteria):
    free, right = list(system["arguments"]), []
    for argument in gold["arguments"]:
        for other in free:
            if may_pair(argument, other, labelled, criteria, same_place):
                free.remove(other)
                right.append(argument)
                break
    return right
