"""n2c2 2022 Track 2 in plain Python, by the words of its definition, with no thought of speed.

A document is a list of events, as ``clineval.score`` takes them.
"""

from itertools import product

VALUED = ("StatusTime", "StatusEmploy", "TypeLiving")
SPANS = ("Amount", "Duration", "Frequency", "History", "Method", "Type")


def divide(a, b):
    return a / b if b else 0.0


def fragments(unit):
    return tuple(sorted(map(tuple, unit["spans"])))


def characters(unit):
    return {at for start, end in unit["spans"] for at in range(start, end)}


def same_place(one, other, criterion, official):
    if criterion in ("label", "min_dist"):
        return True
    if official:
        (a, b), (c, d) = hull(one), hull(other)
        return (a, b) == (c, d) if criterion == "exact" else max(a, c) < min(b, d)
    if criterion == "exact":
        return fragments(one) == fragments(other)
    return bool(characters(one) & characters(other))


def hull(unit):
    return unit["spans"][0][0], unit["spans"][-1][1]


def may_pair(one, other, criteria, official):
    """Whether two arguments stand for each other."""
    if one["label"] != other["label"]:
        return False
    if one["label"] in VALUED:
        same = one.get("value") == other.get("value")
        return same and same_place(one, other, criteria["labeled"], official)
    return same_place(one, other, criteria["span"], official)


def matchings(golds, systems, near):
    """All ways to pair one to one."""
    if not golds:
        yield []
        return
    first, *rest = golds
    for pairs in matchings(rest, systems, near):
        yield pairs
        taken = [s for _, s in pairs]
        for s in systems:
            if s not in taken and near(first, s):
                yield [(first, s), *pairs]


def most_arguments(gold, system, criteria):
    """The argument pairs of two events: as many as there can be, and which labels they have."""
    golds, systems = gold["arguments"], system["arguments"]

    def near(g, s):
        return may_pair(golds[g], systems[s], criteria, official=False)

    every = matchings(range(len(golds)), range(len(systems)), near)
    best = max(every, key=len)
    return [golds[g] for g, _ in best]


def pair_spec(golds, systems, criteria):
    """Pairs of events by the definition, each with the gold arguments that are right."""

    def near(g, s):
        one, other = golds[g], systems[s]
        if one["label"] != other["label"]:
            return False
        return same_place(one, other, criteria["trigger"], official=False)

    right = {
        (g, s): most_arguments(golds[g], systems[s], criteria)
        for g, s in product(range(len(golds)), range(len(systems)))
        if near(g, s)
    }
    kinds = sorted({(a["label"], a.get("value") or "no") for of in right.values() for a in of})

    def worth(pairs):
        found = [a for pair in pairs for a in right[pair]]
        shared = 0
        if criteria["trigger"] != "min_dist":
            shared = sum(len(characters(golds[g]) & characters(systems[s])) for g, s in pairs)
        each = [sum((a["label"], a.get("value") or "no") == of for a in found) for of in kinds]
        return (len(pairs), len(found), shared, *each)

    best = max(matchings(range(len(golds)), range(len(systems)), near), key=worth)
    return [(golds[g], right[g, s]) for g, s in best]


def pair_official(golds, systems, criteria):
    """Pairs of events in the order of lines."""

    def may(one, other):
        same = one["label"] == other["label"]
        return same and same_place(one, other, criteria["trigger"], official=True)

    order = [(g, s) for g in range(len(golds)) for s in range(len(systems))]
    if criteria["trigger"] == "min_dist":
        order.sort(key=lambda pair: abs(sum(hull(golds[pair[0]])) - sum(hull(systems[pair[1]]))))
    pairs, taken = [], (set(), set())
    for g, s in order:
        if g not in taken[0] and s not in taken[1] and may(golds[g], systems[s]):
            taken[0].add(g)
            taken[1].add(s)
            pairs.append((g, s))
    return [(golds[g], first_arguments(golds[g], systems[s], criteria)) for g, s in pairs]


def first_arguments(gold, system, criteria):
    free, right = list(system["arguments"]), []
    for argument in gold["arguments"]:
        for other in free:
            if may_pair(argument, other, criteria, official=True):
                free.remove(other)
                right.append(argument)
                break
    return right


def names_of(event, unit, *, trigger):
    """The rows that a unit counts in."""
    key, label = event["label"].lower(), unit["label"].lower()
    yield "overall"
    yield key
    if trigger:
        yield from ("trigger", f"{key}_trigger")
    elif unit["label"] in VALUED:
        yield from ("labelled", f"{key}_{label}", f"{key}_{label}_{unit.get('value')}")
    else:
        yield from ("span", f"{key}_{label}")


def score(golds, systems, protocol, criteria):
    """Row to tp, fp and fn."""
    pair = {"spec": pair_spec, "official": pair_official}[protocol]
    counts = [{}, {}, {}]

    def add(to, event, arguments):
        units = [(event, True), *((argument, False) for argument in arguments)]
        for unit, trigger in units:
            for name in names_of(event, unit, trigger=trigger):
                counts[to][name] = counts[to].get(name, 0) + 1

    for gold, system in zip(golds, systems, strict=True):
        for event, right in pair(gold, system, criteria):
            add(0, event, right)
        for to, side in ((1, system), (2, gold)):
            for event in side:
                add(to, event, event["arguments"])
    tp, found, there = counts
    return {
        row: (
            tp.get(row, 0),
            found.get(row, 0) - tp.get(row, 0),
            there.get(row, 0) - tp.get(row, 0),
        )
        for row in {*found, *there}
    }
