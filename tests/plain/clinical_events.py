"""Events of any scheme in plain Python, by the words of the definition, with no thought of speed.

A document is a list of events, as ``clineval.score`` takes them. Every way to pair is tried.
"""

from collections import Counter
from itertools import chain, combinations, permutations

USUAL = {"trigger": "overlap", "span": "exact", "labeled": "label"}


def key_of(*names):
    return "_".join(name.lower().replace(" ", "_") for name in names)


def value_of(argument, labelled):
    return argument.get("value", "no") if argument["label"] in labelled else None


def find_labelled(golds):
    """Labels of which half of the gold arguments, or more, have a value."""
    every = [a for document in golds for event in document for a in event["arguments"]]
    of = Counter(argument["label"] for argument in every)
    valued = Counter(a["label"] for a in every if a.get("value", "no") != "no")
    return {label for label in of if 2 * valued[label] >= of[label]}


def letters(unit):
    return {at for start, end in unit["spans"] for at in range(start, end)}


def touch(one, other, how):
    if how in ("label", "min_dist"):
        return True
    if how == "exact":
        return sorted(map(list, one["spans"])) == sorted(map(list, other["spans"]))
    return not letters(one).isdisjoint(letters(other))


def pairings(left, right, possible):
    """All sets of pairs in which nothing occurs twice."""
    for size in range(min(len(left), len(right)) + 1):
        for some in combinations(left, size):
            for others in permutations(right, size):
                pairs = [*zip(some, others, strict=True)]
                if all(pair in possible for pair in pairs):
                    yield pairs


def placed(event):
    """The arguments of an event, each with a place."""
    return [{"spans": event["spans"], **argument} for argument in event["arguments"]]


def right_arguments(gold, found, labelled, criteria):
    """The label and value of the arguments of two events that are right."""
    golds, founds = placed(gold), placed(found)
    possible = set()
    for g, one in enumerate(golds):
        for f, other in enumerate(founds):
            how = criteria["labeled" if one["label"] in labelled else "span"]
            same = one["label"] == other["label"]
            same = same and value_of(one, labelled) == value_of(other, labelled)
            if same and touch(one, other, how):
                possible.add((g, f))
    best = max(pairings(range(len(golds)), range(len(founds)), possible), key=len)
    return [(golds[g]["label"], value_of(golds[g], labelled)) for g, _ in best]


def pair_events(golds, founds, labelled, criteria):
    """The gold events that are paired, each with the arguments that are right."""
    possible = {
        (g, f)
        for g, one in enumerate(golds)
        for f, other in enumerate(founds)
        if one["label"] == other["label"] and touch(one, other, criteria["trigger"])
    }
    right = {(g, f): right_arguments(golds[g], founds[f], labelled, criteria) for g, f in possible}
    kinds = sorted({(label, value or "no") for of in right.values() for label, value in of})

    def judge(pairs):
        arguments = [(label, value or "no") for pair in pairs for label, value in right[pair]]
        anywhere = criteria["trigger"] == "min_dist"
        shared = [len(letters(golds[g]) & letters(founds[f])) for g, f in pairs]
        return (
            len(pairs),
            len(arguments),
            0 if anywhere else sum(shared),
            [arguments.count(kind) for kind in kinds],
        )

    best = max(pairings(range(len(golds)), range(len(founds)), possible), key=judge)
    return [(golds[g]["label"], right[g, f]) for g, f in best]


def rows_of(event, arguments, labelled):
    """The names of the scores that count the units of an event."""
    yield from ("overall", "trigger", key_of(event), key_of(event, "trigger"))
    for label, value in arguments:
        yield from ("overall", key_of(event), key_of(event, label))
        yield "labelled" if label in labelled else "span"
        if value not in (None, "no"):
            yield key_of(event, label, value)


def count(pairs, criteria=USUAL, labelled=None):
    """Score to tp, fp and fn, of pairs of a gold and a predicted document."""
    if labelled is None:
        labelled = find_labelled([gold for gold, _ in pairs])
    right, golds, founds = Counter(), Counter(), Counter()
    for gold, found in pairs:
        for event, arguments in pair_events(gold, found, labelled, criteria):
            right.update(rows_of(event, arguments, labelled))
        for counted, side in ((golds, gold), (founds, found)):
            counted.update(
                chain.from_iterable(
                    rows_of(
                        event["label"],
                        [(a["label"], value_of(a, labelled)) for a in event["arguments"]],
                        labelled,
                    )
                    for event in side
                )
            )
    return {
        row: (right[row], founds[row] - right[row], golds[row] - right[row])
        for row in {*golds, *founds}
    }


def mean_f1(counts, types, part=""):
    """The mean F1 of the types that occur."""
    scores = []
    for event in types:
        tp, fp, fn = counts.get(key_of(event, *filter(None, [part])), (0, 0, 0))
        if tp + fp + fn:
            scores.append(2 * tp / (2 * tp + fp + fn))
    return sum(scores) / len(scores) if scores else 0.0
