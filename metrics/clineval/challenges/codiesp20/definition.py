"""CodiEsp 2020: ranked codes of Spanish cases (``D``, ``P``), and codes with positions (``X``).

The rules are those of Miranda-Escalada et al. (2020) and of https://temu.bsc.es/codiesp/,
Evaluation. The unit is a code of a document. In X, a code is right if a prediction of the code
points to one of its references: both ends may be off by ten characters.
"""

from clineval.definitions.documents import hull_of, pair_lists
from clineval.definitions.ranked_codes import fold, ranked
from clineval.definitions.rates import add_rows, name_scores

TOLERANCE = 10


def is_near(gold, found):
    """Check that a predicted span points to a gold one."""
    return all(abs(one - other) <= TOLERANCE for one, other in zip(gold, found, strict=True))


def gather(codes):
    """Return code to its spans; codes that are spelt alike are one."""
    spans = {}
    for code, places in codes:
        spans.setdefault(fold(code), []).extend(places)
    return spans


def read_code(unit, *, places):
    """Return a code with its spans; only in X it has some."""
    return (unit["code"], [hull_of(unit)]) if places else (unit, [])


def count(gold, found, *, places, near=is_near):
    """Count the codes of a document: (code, [(start, end), ...])."""
    golds, founds = gather(gold), gather(found)
    right = [
        code
        for code in golds.keys() & founds.keys()
        if not places or any(near(g, p) for g in golds[code] for p in founds[code])
    ]
    return len(right), len(founds) - len(right), len(golds) - len(right)


def score_documents(gold, predicted, config="default", valid=None):
    """Return the scores of documents; ``valid`` are the valid codes of the task's list."""
    places = config == "X"
    sides = [
        [[read_code(code, places=places) for code in side] for side in pair]
        for pair in pair_lists(gold, predicted, "mentions" if places else "codes")
    ]
    allowed = None if valid is None else {fold(code) for code in valid}
    kept = [
        (golds, [unit for unit in found if allowed is None or fold(unit[0]) in allowed])
        for golds, found in sides
    ]
    scores = name_scores("micro", *add_rows([count(*pair, places=places) for pair in kept]))
    codes = [[[code for code, _ in side] for side in pair] for pair in kept]
    return scores if places else {**scores, "map": ranked(codes)}
