"""ToxHabits 2025: mentions of toxic habits (``toxner``) and of how they are used (``toxuse``).

The rules are those of the sections Evaluation and Subtasks of https://temu.bsc.es/toxhabits/.
StatusTime, a label of the corpus, is not scored.
"""

from clineval.definitions.linked_spans import score_labels, score_spans

HABITS = ("Tobacco", "Alcohol", "Cannabis", "Drug")
USES = ("Amount", "Type", "Frequency", "Duration", "Method", "History")
LABELS = {"default": HABITS + USES, "toxner": HABITS, "toxuse": USES}


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    labels = LABELS[config]
    scores = score_spans(gold, predicted, labels=labels)
    return {**scores, **score_labels(gold, predicted, labels)}
