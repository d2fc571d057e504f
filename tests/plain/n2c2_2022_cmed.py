"""n2c2 2022 Track 1 in plain Python, by the words of its definition, with no thought of speed.

A document is a list of mentions as ``clineval.score`` takes them.
"""

from itertools import product

EVENTS = ("Disposition", "NoDisposition", "Undetermined")
CONTEXT = ("action", "negation", "temporality", "certainty", "actor")
ROWS = ("drug", "events", *map(str.lower, EVENTS), "context", *CONTEXT, "combined")
GROUPS = {"events": tuple(map(str.lower, EVENTS)), "context": CONTEXT}


def divide(a, b):
    return a / b if b else 0.0


def spans_of(mention):
    return tuple(sorted(map(tuple, mention["spans"])))


def characters(mention):
    return {at for start, end in mention["spans"] for at in range(start, end)}


def context(mention):
    return tuple(mention.get(name) or "" for name in CONTEXT)


def matchings(golds, systems, near):
    """All ways to pair one to one; ``near`` tells which pairs there may be."""
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


def best(golds, systems, mode, *, label):
    """The pairs of rows that the definition chooses, by what they add up to."""

    def near(g, s):
        g, s = golds[g], systems[s]
        if label and g["label"] != s["label"]:
            return False
        return spans_of(g) == spans_of(s) if mode == "strict" else characters(g) & characters(s)

    def worth(pairs):
        both = [(golds[g], systems[s]) for g, s in pairs]
        common = sum(len(characters(g) & characters(s)) for g, s in both)
        found = (len(pairs), common if mode == "lenient" else 0)
        if not label:
            return found
        right = [sum(context(g)[k] == context(s)[k] != "" for g, s in both) for k in range(5)]
        whole = sum(context(g) == context(s) and any(context(g)) for g, s in both)
        return (*found, sum(right), whole, *right)

    every = matchings(range(len(golds)), range(len(systems)), near)
    return max(every, key=worth)


def distinct(document):
    found = {(spans_of(m), m["label"], context(m)): m for m in document}
    return list(found.values())


def count_spec(gold, system, mode):
    """Row to tp, number of gold items, and number of predicted ones."""
    golds, systems = distinct(gold), distinct(system)
    drugs = [list({spans_of(m): m for m in side}.values()) for side in (golds, systems)]
    counts = {"drug": [len(best(*drugs, mode, label=False)), *map(len, drugs)]}
    pairs = [(golds[g], systems[s]) for g, s in best(golds, systems, mode, label=True)]
    for of in EVENTS:
        tp = sum(g["label"] == of for g, _ in pairs)
        counts[of.lower()] = [
            tp,
            *(sum(m["label"] == of for m in side) for side in (golds, systems)),
        ]
    for k, name in enumerate(CONTEXT):
        tp = sum(context(g)[k] == context(s)[k] != "" for g, s in pairs)
        sides = (sum(context(m)[k] != "" for m in side) for side in (golds, systems))
        counts[name] = [tp, *sides]
    tp = sum(context(g) == context(s) and any(context(g)) for g, s in pairs)
    counts["combined"] = [tp, *(sum(any(context(m)) for m in side) for side in (golds, systems))]
    return counts


def items_of(document):
    """Row to what the script compares, in the order of lines: start, end, and the rest."""
    items = {row: [] for row in ("drug", *map(str.lower, EVENTS), *CONTEXT, "combined")}
    for mention in document:
        start, end = mention["spans"][0][0], mention["spans"][-1][1]
        label, said = mention["label"], context(mention)
        tags = [("drug", "")] + [(label.lower(), label)] * (label != "Drug")
        for row, key in tags:
            if (start, end, key) not in items[row]:
                items[row].append((start, end, key))
        for name, value in zip(CONTEXT, said, strict=True):
            items[name] += [(start, end, (label, value))] * (value != "")
        items["combined"] += [(start, end, (label, "_".join(said)))] * any(said)
    return items


def count_official(gold, system, mode):
    golds, systems = items_of(gold), items_of(system)
    counts = {}
    for row, of_gold in golds.items():
        free, tp = list(systems[row]), 0
        for start, end, key in of_gold:
            for other in free:
                overlap = end > other[0] and start < other[1]
                same = (start, end) == other[:2] if mode == "strict" else overlap
                if same and key == other[2]:
                    free.remove(other)
                    tp += 1
                    break
        counts[row] = [tp, len(of_gold), len(systems[row])]
    return counts


def score(golds, systems, protocol):
    """All scores of a corpus."""
    count = {"spec": count_spec, "official": count_official}[protocol]
    scores = {}
    for mode in ("strict", "lenient"):
        tables = [count(g, s, mode) for g, s in zip(golds, systems, strict=True)]
        totals = {r: [sum(c) for c in zip(*(t[r] for t in tables), strict=True)] for r in tables[0]}
        for group, rows in GROUPS.items():
            totals[group] = [sum(column) for column in zip(*(totals[r] for r in rows), strict=True)]
        for row, (tp, gold, found) in totals.items():
            p, r = divide(tp, found), divide(tp, gold)
            values = (tp, found - tp, gold - tp, p, r, divide(2 * p * r, p + r))
            for name, value in zip(
                ("tp", "fp", "fn", "precision", "recall", "f1"), values, strict=True
            ):
                scores[f"{row}_{mode}_{name}"] = value
        for (group, rows), name in product(GROUPS.items(), ("precision", "recall", "f1")):
            there = [r for r in rows if protocol == "official" or any(totals[r])]
            mean = divide(sum(scores[f"{r}_{mode}_{name}"] for r in there), len(there))
            scores[f"macro_{group}_{mode}_{name}"] = mean
    return scores
