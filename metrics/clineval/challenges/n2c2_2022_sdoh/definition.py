"""n2c2 2022 Track 2: social determinants of health, events of triggers with arguments.

The rules are those of Lybarger, Yetisgen and Uzuner (2023) and of docs/sdoh_scoring.pdf of the
track's package. The document says that events are "aligned", but not how; here the best alignment
counts. The names of roles do not matter.
"""

from clineval.definitions.documents import pair_documents
from clineval.definitions.events import count_events, read_events
from clineval.definitions.rates import name_scores

EVENTS = ("Alcohol", "Drug", "Tobacco", "Employment", "LivingStatus")
VALUED = ("StatusTime", "StatusEmploy", "TypeLiving")
"""Labelled arguments, which count by their values."""
SPANS = ("Amount", "Duration", "Frequency", "History", "Method", "Type")
"""Span-only arguments."""


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    documents = [
        [read_events(document, EVENTS, roles=False) for document in pair]
        for pair in pair_documents(gold, predicted)
    ]
    scores = {}
    for row, counts in count_events(documents, VALUED).items():
        scores |= name_scores(row, *counts)
    return scores
