"""NCBI Disease: mentions of diseases, their concepts, and the concepts of documents.

No program came with the corpus; papers compare the sets that the corpus's article describes (Doğan,
Leaman and Lu, 2014). ``|`` separates the diseases of a composite mention, ``+`` the concepts that
describe a disease together; each concept is an item. The types of mentions do not matter.
"""

from clineval.definitions.concept_sets import score_items

KINDS = ("mentions", "linked", "concepts")


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    return score_items(gold, predicted, KINDS, space="MESH", separators="|+")
