"""Codes of documents in any coding system, of data that belong to no challenge.

Codes are compared without case and surrounding blanks. Besides sets, the package scores ranked
codes and probabilities (``score_ranks``, ``score_areas``), and codes with their ancestors
(``clineval/definitions/hierarchy.py``).
"""

from clineval.definitions.documents import pair_documents
from clineval.definitions.scored_codes import score_sets

THRESHOLD = 0.5


def fold(code):
    """Return a code as it is compared."""
    return code.strip().lower()


def read_codes(document):
    """Return the set of codes; of codes with scores, those above the threshold."""
    codes = document.get("codes") or ()
    scored = [code for code in codes if isinstance(code, dict)]
    return {
        *(fold(code) for code in codes if code not in scored),
        *(fold(code["code"]) for code in scored if code["score"] > THRESHOLD),
    }


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    pairs = [
        [read_codes(document) for document in pair] for pair in pair_documents(gold, predicted)
    ]
    scores = score_sets(*zip(*pairs, strict=True))
    return {key: float(value) for key, value in scores.items()}
