"""The scores of ChEMU 2020: entities and relations, each under three kinds of match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clineval.kinds.mentions.measures import Spans
from clineval.protocols.mentions_and_relations import RELATIONS

ENTITIES = "entities"
KINDS = (ENTITIES, RELATIONS)
EXACT, OVERLAP, APPROX = MODES = ("exact", "overlap", "approx")
LABELS = {
    ENTITIES: (
    "EXAMPLE_LABEL", "REACTION_PRODUCT", "STARTING_MATERIAL", "REAGENT_CATALYST", "SOLVENT",
    "OTHER_COMPOUND", "TIME", "TEMPERATURE", "YIELD_OTHER", "YIELD_PERCENT", "REACTION_STEP",
    "WORKUP",
    ),
    RELATIONS: ("ARG1", "ARGM"),
}  # fmt: skip
"""The labels that are scored separately; all labels count together."""
_PLACES = {EXACT: "exact/both", OVERLAP: "overlap/both"}


@dataclass(frozen=True)
class KindSpans(Spans):
    """Precision, recall and F1 of entities, or of relations.

    Args:
        kind: one of :data:`KINDS`.
    """

    kind: str = ENTITIES

    @property
    def keys(self) -> Mapping[str, str]:
        """The beginning of the names of the counts of each label."""
        return self.name_labels(self.labels)


def declare(kinds: tuple[str, ...]) -> dict[str, KindSpans]:
    """Declare the scores of some kinds by the name of their pairing.

    The keys of a single kind begin with the kind of match, such as ``exact_f1``.
    """
    alone = len(kinds) == 1
    return {
        f"{kind}_{mode}": KindSpans(
            mode if alone else f"{kind}_{mode}",
            kind.capitalize() if alone else "Entities and relations",
            heading=mode if alone else f"{kind}, {mode}",
            short=mode if alone else f"{kind[:3]}_{mode[:2]}",
            place=_PLACES.get(mode, "") if alone else "",
            preset=mode if alone and mode in _PLACES else "",
            labels=LABELS[kind],
            ending=mode,
            labels_title=f"{kind.capitalize()}, {mode}",
            all_heading="",
            means_title=f"{kind.capitalize()}{'' if alone else ', both kinds'}: mean of the labels",
            kind=kind,
        )
        for kind in kinds
        for mode in MODES
    }
