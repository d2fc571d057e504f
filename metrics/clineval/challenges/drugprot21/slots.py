"""The slots in which the released library of DrugProt counts pairs of a chemical and a gene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from clineval.challenges.drugprot21.tables import Entity

Pair = tuple[str, str, str]
"""A document, a chemical and a gene."""


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots of the pairs of a corpus.

    Args:
        of: pair to its slots.
        pairs: the number of pairs.
    """

    of: Mapping[Pair, Sequence[int]]
    pairs: int

    @classmethod
    def assign(cls, entities: Sequence[Entity]) -> Slots:
        """Assign slots to the pairs of each document, in the order of names.

        The last pair of a document shares its slot with the first pair of the next document.

        Examples:
            >>> every = [Entity(d, i, t, 0, 1) for d in ("7", "8")
            ...          for i, t in (("T1", "CHEMICAL"), ("T2", "GENE"), ("T3", "GENE"))]
            >>> slots = Slots.assign(every)
            >>> slots.of["7", "T1", "T3"], slots.of["8", "T1", "T2"], slots.pairs
            ([1], [1], 4)
        """
        of: dict[Pair, list[int]] = {}
        first = pairs = 0
        for document, (chemicals, genes) in sorted(_list_last_blocks(entities).items()):
            found = list(product(chemicals, genes))
            for at, (chemical, gene) in enumerate(found, first):
                of.setdefault((document, chemical, gene), []).append(at)
            first += max(len(found) - 1, 0)
            pairs += len(found)
        return cls(of, pairs)


def _list_last_blocks(
    entities: Sequence[Entity],
) -> Mapping[str, tuple[list[str], list[str]]]:
    """Map each document to the chemicals and genes of its last run of lines."""
    blocks: dict[str, tuple[list[str], list[str]]] = {}
    before = ""
    for entity in entities:
        if entity.document != before:
            blocks[entity.document] = ([], [])
        for label, ids in zip(("CHEMICAL", "GENE"), blocks.get(entity.document, ()), strict=False):
            if entity.label == label:
                ids.append(entity.id)
        before = entity.document
    return blocks
