"""Labelled spans in plain Python, slow and readable.

Independent of the package: used as its oracle on random data.
"""

import re
from itertools import product

MEASURES = ("strict", "boundary", "partial", "type")


def _characters(fragments):
    return {k for start, end in fragments for k in range(start, end)}


def _words(fragments, text):
    """The numbers of the words that lie completely inside a fragment."""
    words = [word.span() for word in re.finditer(r"\w+", text)]
    return {
        number
        for number, (start, end) in enumerate(words)
        for first, last in fragments
        if first <= start and end <= last
    }


def _measured(fragments, how, touching, text=""):
    """Fragments as they are while overlap is measured."""
    if how == "word":
        return _words(fragments, text)
    if how == "hull":
        fragments = [(fragments[0][0], fragments[-1][1])]
    return _characters([(start, end + touching) for start, end in fragments])


def read(document, slots=()):
    """Distinct mentions ``(fragments, label, values)``."""
    words = {True: "yes", False: "no", None: "no", "true": "yes", "false": "no"}
    mentions = set()
    for m in document:
        values = (m.get(slot) for slot in slots)
        fragments = tuple(sorted(map(tuple, m["spans"])))
        mentions.add((fragments, m["label"], tuple(words.get(v, v) for v in values)))
    return sorted(mentions)


def _key(order, shared, gold, found):
    characters = len(_characters(gold[0])), len(_characters(found[0]))
    keys = {
        "closest": (-shared, sum(characters) - shared, gold[0], found[0]),
        "longest": (-characters[1], -shared, gold[0][0][0], found[0][0][0]),
        "position": (gold[0][0][0], found[0][0][0]),
    }
    return keys[order]


def _row(mention):
    """The place of a mention among those of its document."""
    fragments, label, values = mention
    first, *rest = fragments
    return first, len(rest), rest, label, values


def _differing(gold, found):
    """Whether the labels differ, and how many slots do."""
    values = sum(a != b for a, b in zip(gold[2], found[2], strict=True))
    return gold[1] != found[1], values, _row(gold), _row(found)


def _take(candidates, golds, founds):
    """Go through candidates in order; those whose mentions are free are paired."""
    pairs = []
    for gold, found in candidates:
        if gold in golds and found in founds:
            golds.remove(gold)
            founds.remove(found)
            pairs.append((gold, found))
    return pairs


def pair(  # noqa: PLR0913 - the options
    golds, founds, *, order="closest", overlap="character", touching=False, min_overlap=0, iou=0,
    text="",
):  # fmt: skip
    """The pairs under each match."""
    near = []
    for gold, found in product(golds, founds):
        one, two = (_measured(m[0], overlap, touching, text) for m in (gold, found))
        shared = len(one & two)
        if shared and shared / len(one) >= min_overlap and shared / len(one | two) >= iou:
            near.append((_key(order, shared, gold, found), _row(gold), _row(found), gold, found))
    every = [(gold, found) for *_, gold, found in sorted(near)]
    spans = [(g, f) for g, f in product(golds, founds) if g[0] == f[0]]
    spans.sort(key=lambda pair: _differing(*pair))
    same = [(g, f) for g, f in spans if g[1] == f[1]]
    alike = [(g, f) for g, f in every if g[1] == f[1]]
    equal = _take(same, list(golds), list(founds))
    return {
        "strict": equal,
        "strict_slots": [(g, f) for g, f in equal if g == f],
        "boundary": _take([*equal, *spans], list(golds), list(founds)),
        "lenient": _take([*equal, *alike], list(golds), list(founds)),
        "type": _take([*equal, *alike, *every], list(golds), list(founds)),
        "partial": _take([*equal, *spans, *every], list(golds), list(founds)),
    }


def spec(predictions, references, labels=None, slots=(), texts=None, **rules):
    """All scores."""
    every = [m["label"] for document in [*references, *predictions] for m in document]
    scored = labels or sorted(set(every))
    counts = {}

    def add(key, number):
        counts[key] = counts.get(key, 0) + number

    for number, (predicted, gold) in enumerate(zip(predictions, references, strict=True)):
        if texts:
            rules["text"] = texts[number]
        sides = [read([m for m in side if labels is None or m["label"] in labels], slots)
                 for side in (gold, predicted)]  # fmt: skip
        golds, founds = sides
        for name, pairs in pair(golds, founds, **rules).items():
            _count(name, pairs, golds, founds, add)
            for at, slot in enumerate(slots):
                add(f"{slot}_{name}_equal", sum(g[2][at] == f[2][at] for g, f in pairs))
            for label in scored:
                missed = [g for g in golds if g[1] == label]
                spare = {f for _, f in pairs}
                spurious = [f for f in founds if f[1] == label and f not in spare]
                own = [(g, f) for g, f in pairs if g[1] == label]
                add(f"{label.lower()}_{name}_tp", len(own))
                add(f"{label.lower()}_{name}_fp", len(spurious))
                add(f"{label.lower()}_{name}_fn", len(missed) - len(own))
    return _divide(counts, scored, len(references), slots)


def _count(name, pairs, golds, founds, add):
    add(f"{name}_tp", len(pairs))
    add(f"{name}_fp", len(founds) - len(pairs))
    add(f"{name}_fn", len(golds) - len(pairs))
    if name in ("partial", "type"):
        for measure in MEASURES[:3] if name == "partial" else ("type",):
            right = {
                "strict": lambda g, f: g[:2] == f[:2],
                "boundary": lambda g, f: g[0] == f[0],
                "partial": lambda g, f: g[0] == f[0],
                "type": lambda g, f: g[1] == f[1],
            }[measure]
            correct = sum(right(g, f) for g, f in pairs)
            others = len(pairs) - correct
            add(f"{measure}_cor", correct)
            add(f"{measure}_inc", 0 if measure == "partial" else others)
            add(f"{measure}_par", others if measure == "partial" else 0)
            add(f"{measure}_mis", len(golds) - len(pairs))
            add(f"{measure}_spu", len(founds) - len(pairs))
            add(f"{measure}_possible", len(golds))
            add(f"{measure}_actual", len(founds))


def _ratio(top, bottom):
    return top / bottom if bottom else 0.0


def _prf(key, counts):
    tp, fp, fn = (counts.get(f"{key}_{verdict}", 0) for verdict in ("tp", "fp", "fn"))
    return {
        f"{key}_precision": _ratio(tp, tp + fp),
        f"{key}_recall": _ratio(tp, tp + fn),
        f"{key}_f1": _ratio(2 * tp, 2 * tp + fp + fn),
        f"{key}_tp": tp,
        f"{key}_fp": fp,
        f"{key}_fn": fn,
    }


def _divide(counts, labels, documents, slots):
    scores = {"n_documents": documents, **_prf("boundary", counts)}
    if slots:
        scores |= _prf("strict_slots", counts)
    for name in ("strict", "lenient"):
        for slot in slots:
            equal, pairs = counts.get(f"{slot}_{name}_equal", 0), counts.get(f"{name}_tp", 0)
            scores[f"{slot}_{name}_accuracy"] = _ratio(equal, pairs)
        of_labels = [_prf(f"{label.lower()}_{name}", counts) for label in labels]
        there = [list(row.values()) for row in of_labels if any(list(row.values())[3:])]
        for at, measure in enumerate(("precision", "recall", "f1")):
            mean = _ratio(sum(row[at] for row in there), len(there))
            scores[f"macro_{name}_{measure}"] = mean
        for row in [*of_labels, _prf(name, counts)]:
            scores |= row
    for name in MEASURES:
        keys = ("cor", "inc", "par", "mis", "spu", "possible", "actual")
        of = {key: counts.get(f"{name}_{key}", 0) for key in keys}
        worth = of["cor"] + of["par"] / 2
        scores |= {f"{name}_{key}": number for key, number in of.items()}
        scores[f"{name}_precision"] = _ratio(worth, of["actual"])
        scores[f"{name}_recall"] = _ratio(worth, of["possible"])
        scores[f"{name}_f1"] = _ratio(2 * worth, of["possible"] + of["actual"])
    return scores


def tokens(predictions, references, texts, labels):
    """Precision, recall and F1 of words with a label, of all and of each label."""
    sides = [
        {
            (number, word, m["label"])
            for number, document in enumerate(side)
            for m in document
            for word in _words(m["spans"], texts[number])
        }
        for side in (references, predictions)
    ]
    return {
        key: value
        for label in (None, *labels)
        for key, value in _of_sets(
            f"{label.lower()}_tokens" if label else "tokens",
            *({unit for unit in side if label in (None, unit[2])} for side in sides),
        ).items()
    }


def _of_sets(key, gold, found):
    counts = {f"{key}_tp": len(gold & found), f"{key}_fp": len(found - gold)}
    return _prf(key, {**counts, f"{key}_fn": len(gold - found)})


def means(scores, labels, name, measure):
    """The mean over labels and the mean weighted by gold mentions, of any score of labels."""
    weights, values, there = [], [], []
    for label in labels:
        key = f"{label.lower()}_{name}"
        tp, fp, fn = (scores.get(f"{key}_{verdict}", 0) for verdict in ("tp", "fp", "fn"))
        values.append(scores.get(f"{key}_{measure}", 0))
        weights.append(tp + fn)
        there.append(tp + fp + fn > 0)
    macro = [value for value, of in zip(values, there, strict=True) if of]
    weighted = sum(value * of for value, of in zip(values, weights, strict=True))
    return _ratio(sum(macro), len(macro)), _ratio(weighted, sum(weights))


def f_beta(precision, recall, beta):
    """By its definition: the weighted harmonic mean of precision and recall."""
    if not precision or not recall:
        return 0.0
    return (1 + beta**2) / (1 / precision + beta**2 / recall)


def right_documents(predictions, references, slots=()):
    """How many documents have the same mentions on both sides."""
    both = zip(predictions, references, strict=True)
    return sum(read(found, slots) == read(gold, slots) for found, gold in both)
