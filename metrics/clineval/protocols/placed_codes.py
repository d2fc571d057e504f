"""Scores by a hierarchy of codes that are at places: of mentions, records and relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from clineval.base.arrays import BoolArray
from clineval.base.subjects import last_references
from clineval.formats.code_places import locate_code
from clineval.kinds.codes.hierarchical import check_known, list_nodes
from clineval.kinds.codes.hierarchy import Fold
from clineval.kinds.codes.near_misses import explain_pairs
from clineval.kinds.codes.placed import PlacedSides
from clineval.kinds.codes.prefixes import AnyHierarchy, WithOthers
from clineval.kinds.mentions.outcomes import NEAR_MISSES
from clineval.kinds.mentions.rows import Rows
from clineval.protocols.hierarchies import find_hierarchy, trace
from clineval.results.challenge import Setup
from clineval.results.match import Match


@dataclass(frozen=True, slots=True)
class HierarchyJudge:
    """Scores codes by a hierarchy.

    Args:
        hierarchy: the hierarchy.
        fold: returns the form in which codes are compared.
    """

    hierarchy: AnyHierarchy
    fold: Fold

    def check(self, sides: PlacedSides, documents: Sequence[str]) -> None:
        """Reject gold codes that are not in the hierarchy; count such predicted codes."""
        locate = partial(locate_code, last_references())
        check_known(sides, documents, self.hierarchy, self.fold, locate)

    def list_matches(self, sides: PlacedSides) -> Mapping[str, Rows]:
        """Return the outcomes of codes and their ancestors."""
        lineage = trace(sides, self.hierarchy, self.fold)
        return list_nodes(sides, lineage, self.hierarchy.levels)

    def explain(
        self, sides: PlacedSides, match: Match, comparable: BoolArray, slot: str = ""
    ) -> Mapping[str, Match]:
        """Return the match that names how codes of pairs are related, for lists of errors.

        Args:
            sides: the codes.
            match: the pairs.
            comparable: ``[p]``, which pairs are at one place.
            slot: the slot of codes, which lists show.
        """
        lineage = trace(sides, self.hierarchy, self.fold)
        named = explain_pairs(sides, lineage, match, comparable)
        return {NEAR_MISSES: replace(named, reason_slot=slot)}


def find_judge(setup: Setup, fold: Fold, *missing: str) -> HierarchyJudge | None:
    """Return the judge of codes, if there is a hierarchy.

    Args:
        setup: the options.
        fold: returns the form in which codes are compared.
        missing: values that stand for a missing code.
    """
    hierarchy = find_hierarchy(setup)
    return HierarchyJudge(WithOthers(hierarchy, frozenset(missing)), fold) if hierarchy else None
