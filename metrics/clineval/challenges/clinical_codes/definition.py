"""Codes of documents in any coding system, of data that belong to no challenge.

Codes are compared without case and surrounding blanks. Besides sets, the package scores ranked
codes and probabilities (``score_ranks``, ``score_areas``), and codes with their ancestors
(``clineval/definitions/hierarchy.py``).
"""

from clineval.definitions.scored_codes import score_codes


def fold(code):
    """Return a code as it is compared."""
    return code.strip().lower()


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    return score_codes(gold, predicted, fold)
