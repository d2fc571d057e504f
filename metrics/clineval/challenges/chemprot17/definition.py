"""ChemProt (BioCreative VI Track 5): groups of relations between given chemicals and genes.

The rules are those of Krallinger et al. (2017) and of the readme of the evaluation kit, which
counts predictions in common with the gold standard. Five of the ten groups are scored.
"""

from clineval.definitions.given_relations import score_relations

GROUPS = ("CPR:3", "CPR:4", "CPR:5", "CPR:6", "CPR:9")
OTHERS = ("CPR:1", "CPR:2", "CPR:7", "CPR:8", "CPR:10")
"""The groups that are left out on both sides."""


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    return score_relations(gold, predicted, GROUPS, OTHERS)
