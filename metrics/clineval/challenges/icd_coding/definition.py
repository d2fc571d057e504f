"""ICD codes of discharge summaries, as in MIMIC.

The definition is that of ``clinical_codes``: the codes of documents as sets, besides ranks and
areas (``score_ranks``, ``score_areas``). Papers report the numbers of two training codes instead,
whose rules are the protocols ``caml`` and ``edin``. A code without a point is a diagnosis: 4019 is
401.9.
"""

from clineval.definitions.documents import pair_documents
from clineval.definitions.scored_codes import score_sets

THRESHOLD = 0.5


def fold(code):
    """Return a code in upper case; its point follows three characters, or E and three digits."""
    code = code.strip().upper()
    place = 4 if code.startswith("E") else 3
    return code if "." in code or len(code) <= place else f"{code[:place]}.{code[place:]}"


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
