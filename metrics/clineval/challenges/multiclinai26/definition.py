"""MultiClinAI 2026: mentions of diseases, symptoms and procedures in seven languages.

The rules are those of the section Evaluation of https://temu.bsc.es/multiclinai/: strict matches,
also for each label, and ``char_``, the mean over mentions of the best overlap with a mention of the
other side.

    likeness of two mentions = 2 shared characters / sum of their lengths, 0 if the labels differ
"""

from clineval.definitions.documents import pair_lists
from clineval.definitions.linked_spans import read_mentions, score_labels, score_spans
from clineval.definitions.rates import divide, mean, name_rates

LABELS = ("DISEASE", "SYMPTOM", "PROCEDURE")


def likeness(one, other):
    """Return the share of characters that two mentions have in common."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    if one[2] != other[2] or shared <= 0:
        return 0
    return 2 * shared / (one[1] - one[0] + other[1] - other[0])


def characters(documents):
    """Return precision, recall and F1 of characters; equal predictions are one."""
    best_of_gold, best_of_predicted = [], []
    for gold, repeated in documents:
        predicted = list(dict.fromkeys(repeated))
        for mentions, others, best in (
            (gold, predicted, best_of_gold),
            (predicted, gold, best_of_predicted),
        ):
            best += [max((likeness(one, o) for o in others), default=0) for one in mentions]
    precision, recall = mean(best_of_predicted), mean(best_of_gold)
    return precision, recall, divide(2 * precision * recall, precision + recall)


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    documents = [
        [sorted(set(read_mentions(side))) for side in pair] for pair in pair_lists(gold, predicted)
    ]
    return {
        **score_spans(gold, predicted),
        **score_labels(gold, predicted, LABELS),
        **name_rates("char", characters(documents)),
    }
