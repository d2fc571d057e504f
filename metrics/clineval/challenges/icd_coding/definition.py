"""ICD codes of discharge summaries, as in MIMIC.

The definition is that of ``clinical_codes``: the codes of documents as sets, besides ranks and
areas (``score_ranks``, ``score_areas``). Papers report the numbers of two training codes instead,
whose rules are the protocols ``caml`` and ``edin``. A code without a point is a diagnosis: 4019 is
401.9.
"""

from clineval.definitions.scored_codes import score_codes


def fold(code):
    """Return a code in upper case; its point follows three characters, or E and three digits."""
    code = code.strip().upper()
    place = 4 if code.startswith("E") else 3
    return code if "." in code or len(code) <= place else f"{code[:place]}.{code[place:]}"


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    return score_codes(gold, predicted, fold)
