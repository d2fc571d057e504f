"""Classes of any scheme in plain Python, by the words of the definition, with no thought of speed.

A document is a dict from questions to a class, None, or a set of classes.
"""

from collections import Counter


def divide(top, bottom):
    return top / bottom if bottom else 0.0


def fold(gold, found, several):
    """The classes of each question, and the found answers without those that are no classes."""
    classes = {}
    for document in gold:
        for question, answer in document.items():
            classes.setdefault(question, set()).update(answer if several else {answer} - {None})
    kept = []
    for document in found:
        answers = {}
        for question, known in classes.items():
            answer = document.get(question, set() if several else None)
            if several:
                answers[question] = answer & known
            else:
                answers[question] = answer if answer in known else None
        kept.append(answers)
    return classes, kept


def score(gold, found, *, several=False):
    classes, found = fold(gold, found, several)
    empty = set() if several else None
    units = {
        question: [(g.get(question, empty), f[question]) for g, f in zip(gold, found, strict=True)]
        for question in classes
    }
    every = sorted(set().union(*classes.values()))
    scores = score_units([pair for pairs in units.values() for pair in pairs], every, several)
    if several and len(units) > 1:
        wrong = sum(len(g ^ f) for pairs in units.values() for g, f in pairs)
        cells = sum(len(pairs) * len(classes[question]) for question, pairs in units.items())
        scores["hamming_loss"] = divide(wrong, cells)
    if len(units) > 1:
        for question, pairs in units.items():
            own = score_units(pairs, sorted(classes[question]), several)
            scores |= {f"{question}_{key}": value for key, value in own.items()}
    return scores


def score_units(units, classes, several):
    if not several:
        units = [pair for pair in units if pair != (None, None)]
    sets = [(g, f) if several else ({g} - {None}, {f} - {None}) for g, f in units]
    size, right = len(sets), sum(g == f for g, f in sets)
    counts = {
        c: (
            sum(c in g and c in f for g, f in sets),
            sum(c not in g and c in f for g, f in sets),
            sum(c in g and c not in f for g, f in sets),
        )
        for c in classes
    }
    scores = {"questions": size, "accuracy": divide(right, size)}
    totals = [sum(of[at] for of in counts.values()) for at in range(3)]
    for name, of in (("micro", totals), *counts.items()):
        scores |= prf(name, *of)
    for c, (tp, fp, fn) in counts.items():
        scores[f"{c}_specificity"] = divide(size - tp - fp - fn, size - tp - fn)
    there = [c for c in classes if any(counts[c])]
    golds = {c: counts[c][0] + counts[c][2] for c in classes}
    for key in ("precision", "recall", "f1"):
        scores[f"macro_{key}"] = divide(sum(scores[f"{c}_{key}"] for c in there), len(there))
        weighted = sum(scores[f"{c}_{key}"] * golds[c] for c in classes)
        scores[f"weighted_{key}"] = divide(weighted, sum(golds.values()))
    known = [c for c in classes if golds[c]]
    scores["balanced_accuracy"] = divide(sum(scores[f"{c}_recall"] for c in known), len(known))
    if several:
        scores["right"] = right
        wrong = sum(len(g ^ f) for g, f in sets)
        scores["hamming_loss"] = divide(wrong, size * len(classes))
        return scores
    chance = sum(
        divide(Counter(g for g, _ in units)[c], size)
        * divide(Counter(f for _, f in units)[c], size)
        for c in (*classes, None)
    )
    scores["kappa"] = (scores["accuracy"] - chance) / (1 - chance) if size and chance < 1 else None
    return scores


def prf(name, tp, fp, fn):
    return {
        f"{name}_precision": divide(tp, tp + fp),
        f"{name}_recall": divide(tp, tp + fn),
        f"{name}_f1": divide(2 * tp, 2 * tp + fp + fn),
        f"{name}_tp": tp,
        f"{name}_fp": fp,
        f"{name}_fn": fn,
    }
