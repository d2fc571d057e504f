"""B2 in plain Python: every position, every displacement, as the paper tells it.

Independent of the package: used as its oracle on random data.
"""

from dataclasses import dataclass, field
from math import tanh


@dataclass
class PlainEdits:
    matches: list = field(default_factory=list)
    missed: list = field(default_factory=list)
    spurious: list = field(default_factory=list)
    substitutions: list = field(default_factory=list)
    transpositions: list = field(default_factory=list)


def find_edits(prediction, gold, n_t=40):
    """Labels or None per token; transpositions are (first token, last token, label)."""
    places = range(len(gold))
    edits = PlainEdits()
    edits.matches = [i for i in places if gold[i] and gold[i] == prediction[i]]
    only_gold = {i: gold[i] for i in places if gold[i] and gold[i] != prediction[i]}
    only_predicted = {
        i: prediction[i] for i in places if prediction[i] and gold[i] != prediction[i]
    }
    for distance in range(1, n_t):
        for i in places:
            j = i + distance
            for one, other in ((only_gold, only_predicted), (only_predicted, only_gold)):
                if i not in one or one[i] != other.get(j):
                    continue
                if i in other and j in one:
                    continue  # both are substitutions
                edits.transpositions.append((i, j, one.pop(i)))
                other.pop(j)
    for i in places:
        if i in only_gold and i in only_predicted:
            edits.substitutions.append((i, only_predicted[i], only_gold[i]))
        elif i in only_gold:
            edits.missed.append((i, only_gold[i]))
        elif i in only_predicted:
            edits.spurious.append((i, only_predicted[i]))
    return edits


def of_displacement(d):
    return 0.0 if d <= 2 else 0.35 + tanh((d - 15) / 10) / 3


def of_misses(n):
    return n * (0.75 + tanh((n - 1.5) - 2) / 4) if n else 0.0


def b2(prediction, gold, n_t=40):
    edits = find_edits(prediction, gold, n_t)
    misses = len(edits.missed) + len(edits.spurious)
    moved = sum(of_displacement(j - i) for i, j, _ in edits.transpositions)
    cost = of_misses(misses) + 1.3 * len(edits.substitutions) + moved
    size = misses + len(edits.substitutions) + len(edits.transpositions) + len(edits.matches)
    size += len(edits.transpositions) - moved
    return max(0.0, size - cost) / size if size else 1.0


def b(prediction, gold, n_t=40):
    edits = find_edits(prediction, gold, n_t)
    changed = sum(
        len(kind)
        for kind in (edits.missed, edits.spurious, edits.substitutions, edits.transpositions)
    )
    size = changed + len(edits.matches)
    return len(edits.matches) / size if size else 1.0


def mean(function, predictions, references, n_t=40):
    """Weighted by gold boundaries; if there is none, the plain mean."""
    values = [function(p, g, n_t) for p, g in zip(predictions, references, strict=True)]
    weights = [sum(label is not None for label in gold) for gold in references]
    if not sum(weights):
        weights = [1] * len(values)
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
