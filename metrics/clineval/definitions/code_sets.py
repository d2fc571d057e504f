"""The codes of documents as sets: a code of a document is the unit, and counts once."""

from clineval.definitions.documents import pair_lists
from clineval.definitions.rates import add_rows, compare_sets, name_scores


def codes(gold, found, fold=str.strip):
    """Count the codes of a document; ``fold`` removes what does not matter."""
    return compare_sets(*({fold(code) for code in side} for side in (gold, found)))


def score_codes(gold, predicted, fold=str.strip):
    """Return the micro-averages over the codes of all documents."""
    pairs = pair_lists(gold, predicted, "codes")
    return name_scores("micro", *add_rows([codes(*pair, fold) for pair in pairs]))
