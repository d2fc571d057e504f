"""What the evaluation program of TAC 2017 ADR counts, in plain Python, from labels as dicts.

A label has ``mentions`` (id, section, starts, lengths, type), the numbers as strings; ``relations``
(type, id, id) and ``reactions`` (string, pairs of name and number of a term).
"""

from collections import Counter

EMPTY = {"mentions": [], "relations": [], "reactions": []}


def key_of(mention, *, typed):
    """What two mentions must share to be equal."""
    _, section, starts, lengths, type_ = mention
    return section, (starts, lengths), type_ if typed else ""


def list_units(label):
    """Name of a score to the set of units of a label."""
    units = {}
    for ending, typed in (("", True), ("_untyped", False)):
        keys = {of[0]: key_of(of, typed=typed) for of in label["mentions"]}
        links = [(a, kind if typed else "", b) for kind, a, b in label["relations"]]
        units[f"exact{ending}"] = set(keys.values())
        units[f"binary{ending}"] = {(keys[a], kind, keys[b]) for a, kind, b in links}
        sources = {}
        for a, kind, b in links:
            sources.setdefault(a, []).append((kind, keys[b]))
        full = {(keys[a], tuple(sorted(of))) for a, of in sources.items()}
        known = {keys[a] for a in sources}
        full |= {(key, ()) for id_, key in keys.items() if id_ not in sources and key in known}
        units[f"full{ending}"] = full
    units["reactions"] = {string for string, _ in label["reactions"]}
    terms = [term for _, terms in label["reactions"] for term in terms]
    units["codes"] = {name for name, _ in terms}
    return units


def compute(tp, fp, fn):
    """Precision, recall and F1."""
    over = (tp + fp, tp + fn, 2 * tp + fp + fn)
    tops = (tp, tp, 2 * tp)
    return [top / whole if whole else 0.0 for top, whole in zip(tops, over, strict=True)]


def score(gold, system):
    """All scores, by key; sides map the names of documents to labels."""
    names = gold.keys() & system.keys()
    totals, rows = Counter(), {"reactions": [], "codes": []}
    for name in names:
        both = [list_units(side[name]) for side in (gold, system)]
        for key in both[0]:
            golds, found = (side[key] for side in both)
            counts = len(golds & found), len(found - golds), len(golds - found)
            for verdict, count in zip(("tp", "fp", "fn"), counts, strict=True):
                totals[f"{key}_{verdict}"] += count
            if key in rows:
                rows[key].append(compute(*counts))
    scores = dict(totals)
    for key in list_units(EMPTY) if names else ():
        values = compute(*(totals[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn")))
        scores |= zip_scores(key, values)
    for key, of in rows.items():
        means = [sum(column) / len(of) for column in zip(*of, strict=True)] if of else [0.0] * 3
        scores |= zip_scores(f"document_{key}", means)
    return scores


def zip_scores(key, values):
    return {f"{key}_{n}": v for n, v in zip(("precision", "recall", "f1"), values, strict=True)}
