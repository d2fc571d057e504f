"""DrugProt as the package's docstring defines it."""

from __future__ import annotations

from clineval.kinds.relations.given import Roles
from clineval.protocols.given_relations import GivenRelations

TYPES = (
    "INDIRECT-DOWNREGULATOR", "INDIRECT-UPREGULATOR", "DIRECT-REGULATOR", "ACTIVATOR", "INHIBITOR",
    "AGONIST", "AGONIST-ACTIVATOR", "AGONIST-INHIBITOR", "ANTAGONIST", "PRODUCT-OF", "SUBSTRATE",
    "SUBSTRATE_PRODUCT-OF", "PART-OF",
)  # fmt: skip
"""The types of relations, in the order of the released library."""
ROLES = Roles(("CHEMICAL",), ("GENE", "GENE-Y", "GENE-N"))
SPEC = GivenRelations(TYPES, roles=ROLES, closed=True, short="dp")
