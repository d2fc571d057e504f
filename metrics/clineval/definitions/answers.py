"""Classes of documents: answers to one or more questions, with one class or several each.

A document is a dict from questions to a class or None, or to a set of classes. A wrong answer is a
false positive of its class and a false negative of the gold class; an answer that is no class of
the question is a missing one.
"""

from collections import Counter

from clineval.definitions.rates import divide, name_scores


def fold(gold, found, several):
    """Return the classes of each question, and the answers without those that are no classes."""
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
    """Return all scores; with several questions, also the scores of each."""
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
    """Return the scores of pairs of a gold and a predicted answer."""
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
        scores |= name_scores(name, *of)
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
    scores["kappa"] = find_kappa(units, scores["accuracy"], (*classes, None))
    return scores


def find_kappa(units, accuracy, classes):
    """Return Cohen's kappa, the accuracy beyond chance; None if there is nothing beyond it."""
    golds, found = (Counter(unit[side] for unit in units) for side in (0, 1))
    chance = sum(divide(golds[c], len(units)) * divide(found[c], len(units)) for c in classes)
    return (accuracy - chance) / (1 - chance) if units and chance < 1 else None
