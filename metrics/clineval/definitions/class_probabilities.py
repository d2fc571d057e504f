"""Probabilities of classes: areas under curves, and the Brier score.

A question is a pair of the gold answers, a set of classes, and a dict of classes to probabilities.
"""

from fractions import Fraction

PAIR = 2
"""Two classes; each one says what the other one does."""


def area(rows):
    """Return the share of pairs of a right and a wrong row that are in order; None without pairs.

    A row is a score and whether it is right.
    """
    right, wrong = ([score for score, truth in rows if truth == side] for side in (True, False))
    pairs = [(r, w) for r in right for w in wrong]
    won = sum(Fraction(2) if r > w else Fraction(r == w) for r, w in pairs)
    return won / 2 / len(pairs) if pairs else None


def average_precision(rows):
    """Return the mean, over right rows, of the precision among rows with at least its score."""
    right = [score for score, truth in rows if truth]
    precisions = []
    for score in right:
        among = [truth for other, truth in rows if other >= score]
        precisions.append(Fraction(sum(among), len(among)))
    return sum(precisions) / len(right) if right else None


def brier(questions, classes, *, several):
    """Return the mean of squared distances."""
    distances = [
        (Fraction(shares[value]) - (value in gold)) ** 2
        for gold, shares in questions
        for value in classes
    ]
    parts = len(classes) if several or len(classes) == PAIR else 1
    return sum(distances) / len(questions) / parts if questions else 0


def mean(values):
    """Return the mean of the values that are defined."""
    kept = [value for value in values if value is not None]
    return sum(kept) / len(kept) if kept else None


def score(questions, classes, *, several=False, prefix=""):
    """Return all scores of probabilities; those that are undefined are left out."""
    rows = {
        value: [(shares[value], value in gold) for gold, shares in questions] for value in classes
    }
    found = {"brier": brier(questions, classes, several=several)}
    for name, measure in (("roc_auc", area), ("pr_auc", average_precision)):
        of_classes = {value: measure(rows[value]) for value in classes}
        found |= {f"{value.lower()}_{name}": of for value, of in of_classes.items()}
        found[f"macro_{name}"] = mean(of_classes.values())
    return {f"{prefix}{key}": float(of) for key, of in found.items() if of is not None}


def best_threshold(rows):
    """Return the highest of the scores with the best F1."""
    best = None
    for level in sorted({score for score, _ in rows}, reverse=True):
        tp = sum(truth for score, truth in rows if score >= level)
        size = sum(score >= level for score, _ in rows) + sum(truth for _, truth in rows)
        f1 = Fraction(2 * tp, size)
        if best is None or f1 > best[0]:
            best = f1, level
    return best[1]
