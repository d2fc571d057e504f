"""Codes of documents in any coding system: sets, ranks and probabilities.

The unit is a code of a document. Sets have micro-averages over all codes, means over codes
(``macro_``) and over documents (``document_``). Ranks have precision and recall at k and the mean
average precision: codes with equal scores are in random order, and each score is the mean over all
orders.
"""

from fractions import Fraction
from itertools import permutations

from clineval.definitions.documents import pair_documents

THRESHOLD = 0.5


def divide(top, bottom):
    """Return an exact ratio, 0 if its denominator is 0."""
    return Fraction(top) / bottom if bottom else Fraction(0)


def prf(tp, fp, fn):
    """Return precision, recall and F1."""
    return divide(tp, tp + fp), divide(tp, tp + fn), divide(2 * tp, 2 * tp + fp + fn)


def mean(values):
    """Return the exact mean."""
    return divide(sum(values), len(values))


def means(name, rows):
    """Return the means of precision, recall and F1 over rows."""
    keys = ("precision", "recall", "f1")
    return {f"{name}_{key}": mean([row[at] for row in rows]) for at, key in enumerate(keys)}


def read_codes(document, fold):
    """Return the set of codes as ``fold`` compares them; of codes with scores, the likely ones."""
    codes = document.get("codes") or ()
    scored = [code for code in codes if isinstance(code, dict)]
    return {
        *(fold(code) for code in codes if code not in scored),
        *(fold(code["code"]) for code in scored if code["score"] > THRESHOLD),
    }


def score_codes(gold, predicted, fold):
    """Return the scores of the sets of codes of documents as JSON Lines contain them."""
    pairs = [
        [read_codes(document, fold) for document in pair]
        for pair in pair_documents(gold, predicted)
    ]
    scores = score_sets(*zip(*pairs, strict=True))
    return {key: float(value) for key, value in scores.items()}


def score_sets(golds, founds):
    """Return the scores of sets of codes; both arguments are lists of sets."""
    both = list(zip(golds, founds, strict=True))
    counts = [(len(g & f), len(f - g), len(g - f)) for g, f in both]
    tp, fp, fn = map(sum, zip(*counts, strict=True))
    codes = set().union(*golds, *founds)
    of_code = {
        code: prf(
            sum(code in g and code in f for g, f in both),
            sum(code in f and code not in g for g, f in both),
            sum(code in g and code not in f for g, f in both),
        )
        for code in codes
    }
    in_gold = set().union(*golds)
    return {
        **means("micro", [prf(tp, fp, fn)]),
        "micro_tp": tp,
        "micro_fp": fp,
        "micro_fn": fn,
        **means("macro", list(of_code.values())),
        **means("macro_gold", [row for code, row in of_code.items() if code in in_gold]),
        **means("document", [prf(*row) for row in counts if any(row)]),
        "exact_match": mean([int(g == f) for g, f in both]),
    }


def orders(scores):
    """Return all orders of codes by score, the best first; equal scores in any order."""
    levels = sorted({*scores.values()}, reverse=True)
    found = [[]]
    for level in levels:
        tied = sorted(code for code in scores if scores[code] == level)
        found = [[*begun, *rest] for begun in found for rest in permutations(tied)]
    return found


def score_list(ranked, gold, cutoffs):
    """Return the scores of one order of codes."""
    hits = [code in gold for code in ranked]
    precisions = [
        Fraction(sum(hits[: at + 1]), at + 1) if hit else 0 for at, hit in enumerate(hits)
    ]
    size = len(gold)
    found = {"map": divide(sum(precisions), size), "r_precision": divide(sum(hits[:size]), size)}
    for k in cutoffs:
        found[f"precision_at_{k}"] = Fraction(sum(hits[:k]), k)
        found[f"recall_at_{k}"] = divide(sum(hits[:k]), size)
        found[f"map_at_{k}"] = divide(sum(precisions[:k]), size)
    return found


def score_ranks(golds, ranked, cutoffs):
    """Return means over documents with a gold code; ``ranked`` has a list of orders for each."""
    rows = []
    for gold, of_document in zip(golds, ranked, strict=True):
        if gold:
            each = [score_list(order, gold, cutoffs) for order in of_document]
            rows.append({key: mean([one[key] for one in each]) for key in each[0]})
    keys = score_list([], set("a"), cutoffs)
    return {key: mean([row[key] for row in rows]) for key in keys}


def area(right, wrong):
    """Return the share of pairs of a right and a wrong score that are in order; ties are half."""
    wins = sum(
        Fraction(1) if r > w else Fraction(1, 2) if r == w else 0 for r in right for w in wrong
    )
    return divide(wins, len(right) * len(wrong))


def score_areas(golds, scores, codes):
    """Return areas under the ROC curve; ``scores`` are dicts, in which a missing code has 0."""
    curves = {}
    for code in codes:
        pairs = [(code in g, s.get(code, 0)) for g, s in zip(golds, scores, strict=True)]
        curves[code] = [[value for gold, value in pairs if gold is side] for side in (True, False)]
    every = [[value for sides in curves.values() for value in sides[at]] for at in (0, 1)]
    return {
        "auc_micro": area(*every),
        "auc_macro": mean([area(*sides) for sides in curves.values() if all(sides)]),
    }
