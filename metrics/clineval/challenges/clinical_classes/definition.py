"""Classes of documents of any scheme, of data that belong to no challenge.

A document has an answer to each question, one class or several. The scores are precision, recall
and F1 of each class, over all answers (``micro_``) and as means over classes (``macro_``,
``weighted_``), accuracy, and Cohen's kappa. ``clineval/definitions`` also has the scores of
options: ``class_evidence`` (spans of the text) and ``class_probabilities``.
"""

from clineval.definitions.answers import score
from clineval.definitions.documents import pair_documents

OTHER = ("id", "text")
"""Keys of a document that are no questions."""


def read_answers(document):
    """Return question to answer; an empty answer is none, and several answers are a set."""
    return {
        question: set(answer) if isinstance(answer, list) else answer or None
        for question, answer in document.items()
        if question not in OTHER
    }


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    pairs = [
        [read_answers(document) for document in pair] for pair in pair_documents(gold, predicted)
    ]
    golds, found = zip(*pairs, strict=True)
    several = any(isinstance(answer, set) for document in golds for answer in document.values())
    return score(golds, found, several=several)
