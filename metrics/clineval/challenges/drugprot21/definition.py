"""DrugProt (BioCreative VII Track 1): relations between given chemicals and genes or proteins.

The rules are those of Miranda-Escalada et al. (2023) and of the readme of the evaluation library: a
relation is right if its abstract, type, chemical and gene are.
"""

from clineval.definitions.given_relations import score_relations

TYPES = (
    "INDIRECT-DOWNREGULATOR",
    "INDIRECT-UPREGULATOR",
    "DIRECT-REGULATOR",
    "ACTIVATOR",
    "INHIBITOR",
    "AGONIST",
    "AGONIST-ACTIVATOR",
    "AGONIST-INHIBITOR",
    "ANTAGONIST",
    "PRODUCT-OF",
    "SUBSTRATE",
    "SUBSTRATE_PRODUCT-OF",
    "PART-OF",
)


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    return score_relations(gold, predicted, TYPES)
