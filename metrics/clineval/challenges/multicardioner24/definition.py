"""MultiCardioNER 2024: mentions of diseases (track 1) or of drugs (track 2) in cardiology.

The rules are those of Lima-López et al. (2024) and https://temu.bsc.es/multicardioner/. All tracks
have the same score.
"""

from clineval.definitions.linked_spans import score_spans


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - the same for all tracks
    """Return the scores of documents as JSON Lines contain them."""
    return score_spans(gold, predicted)
