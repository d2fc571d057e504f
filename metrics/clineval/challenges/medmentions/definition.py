"""MedMentions: mentions of UMLS concepts, their semantic types, and the concepts of documents.

No program came with the corpus; the sets are those of Mohan and Li (2019) and of issue 13 of the
corpus, in which an author describes how to score. ``st21pv`` keeps the mentions with one of 21
types on both sides.
"""

from clineval.definitions.concept_sets import score_items

KINDS = ("mentions", "typed", "linked", "concepts")
ST21PV = (
    "T005 T007 T017 T022 T031 T033 T037 T038 T058 T062 T074 T082 T091 T092 T097 T098 T103 T168 "
    "T170 T201 T204"
)


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    kept = None if config == "default" else set(ST21PV.split())
    return score_items(gold, predicted, KINDS, space="UMLS", separators="|", kept=kept)
