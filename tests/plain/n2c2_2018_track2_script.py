"""What the released script of n2c2 2018 Track 2 counts, in plain Python.

A document is a dict as ``clineval.score`` takes it.
"""

from clineval.challenges.n2c2_2018_track2.definition import LABELS


def hull(mention):
    return mention["label"], mention["spans"][0][0], mention["spans"][-1][1]


def matches(one, other, mode):
    if one[0] != other[0]:
        return False
    if mode == "strict":
        return one == other
    return one[2] > other[1] and one[1] < other[2]


def lines(document, kind):
    """The annotations in the order of their lines, a relation with both arguments."""
    concepts = {mention["id"]: hull(mention) for mention in document["mentions"]}
    if kind == "concepts":
        return [(label, (label, *ends)) for label, *ends in concepts.values()]
    return [(r["label"], concepts[r["from"]], concepts[r["to"]]) for r in document["relations"]]


def count(gold, system, kind, mode):
    counts = {}
    for label in (None, *LABELS[kind]):
        golds, systems = (
            [each for each in lines(document, kind) if label in (None, each[0])]
            for document in (gold, system)
        )
        taken, tp, fp = set(), 0, 0
        for one in systems:
            matched = {
                at
                for at, other in enumerate(golds)
                if other[0] == one[0]
                and all(matches(a, b, mode) for a, b in zip(other[1:], one[1:], strict=True))
            }
            fp += not matched
            tp += bool(matched) and not matched & taken
            taken |= matched
        counts[label] = (tp, fp, len(golds) - tp)
    return counts
