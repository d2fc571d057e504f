"""i2b2 2006: the smoking status of a patient, one of five classes for each record.

The rules are those of Uzuner et al. (2008): precision, recall and F1 of each class, and their micro
and macro averages. The overview's abstract does not say which macro average is meant; ``macro_`` is
the mean over the classes that occur.
"""

from clineval.definitions.answers import score
from clineval.definitions.documents import pair_documents


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    statuses = [
        [{"smoking": document.get("smoking") or None} for document in pair]
        for pair in pair_documents(gold, predicted)
    ]
    return score(*zip(*statuses, strict=True))
