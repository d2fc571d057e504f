"""ClinAIS 2023: sections of Spanish clinical notes, by the B2 of their boundaries.

The rules are those of De la Iglesia et al. (2023), Evaluation Scripts, and of Fournier (2013).
Where the released code differs from the text, this definition follows the code: boundaries move by
up to n_t - 1 tokens, moves of one or two tokens are free, and B2 is never below 0.
"""

from math import tanh

from clineval.definitions.documents import pair_documents


class Edits:
    """The edits that turn the boundaries of one side into those of the other."""

    def __init__(self):
        self.matches, self.missed, self.spurious = [], [], []
        self.substitutions, self.transpositions = [], []


def find_edits(prediction, gold, n_t=40):
    """Return the edits of a note; sides have a label or None for each token.

    Transpositions are (first token, last token, label): the nearest first, from left to right.
    """
    places = range(len(gold))
    edits = Edits()
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


FREE = 2
"""The tokens by which a boundary may be off without cost."""


def of_displacement(d):
    """Return the weight of a boundary that is d tokens off."""
    return 0.0 if d <= FREE else 0.35 + tanh((d - 15) / 10) / 3


def of_misses(n):
    """Return the weight of n missed and spurious boundaries."""
    return n * (0.75 + tanh((n - 1.5) - 2) / 4) if n else 0.0


def b2(prediction, gold, n_t=40):
    """Return B2 of a note; 1 if there is no boundary."""
    edits = find_edits(prediction, gold, n_t)
    misses = len(edits.missed) + len(edits.spurious)
    moved = sum(of_displacement(j - i) for i, j, _ in edits.transpositions)
    cost = of_misses(misses) + 1.3 * len(edits.substitutions) + moved
    size = misses + len(edits.substitutions) + len(edits.transpositions) + len(edits.matches)
    size += len(edits.transpositions) - moved
    return max(0.0, size - cost) / size if size else 1.0


def b(prediction, gold, n_t=40):
    """Return the B of Fournier (2013) with unweighted edits."""
    edits = find_edits(prediction, gold, n_t)
    changed = sum(
        len(kind)
        for kind in (edits.missed, edits.spurious, edits.substitutions, edits.transpositions)
    )
    size = changed + len(edits.matches)
    return len(edits.matches) / size if size else 1.0


def mean(function, predictions, references, n_t=40):
    """Return the mean over notes, weighted by gold boundaries; without any, the plain mean."""
    values = [function(p, g, n_t) for p, g in zip(predictions, references, strict=True)]
    weights = [sum(label is not None for label in gold) for gold in references]
    if not sum(weights):
        weights = [1] * len(values)
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of notes with a list ``boundaries``: a label or None for each token."""
    pairs = [
        [document.get("boundaries") or [] for document in pair]
        for pair in pair_documents(gold, predicted)
    ]
    golds = [one or [None] * len(other) for one, other in pairs]
    found = [other or [None] * len(one) for one, other in pairs]
    return {"b2": mean(b2, found, golds), "b": mean(b, found, golds)}
