"""Score labelled and linked spans as released programs score the rows of tables."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Literal

from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.rows import Pairing
from clineval.programs.pandas_cells import Cell, Frame, is_gap
from clineval.programs.span_rows import (
    ROW_TABLES,
    Keys,
    RowCorpus,
    RowSide,
    RowTables,
    join_rows,
)
from clineval.protocols.linked_spans import LINKED, LinkedSpans
from clineval.results.challenge import Setup

_PLACE = ("filename", "label", "start", "end")


@dataclass(frozen=True)
class RowSpans(LinkedSpans):
    """Score spans as a program that compares rows by keys.

    Args:
        visited: which documents count: all, or only documents with a gold row.
    """

    strict: ClassVar[bool] = False
    _: KW_ONLY
    files: RowTables = ROW_TABLES
    visited: Literal["all", "gold"] = "gold"

    def read_given(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side with its rows."""
        found = super().read_given(given, side, setup)
        return found if isinstance(found, RowSide) else self.files.as_rows(found, self.all_slots)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join the rows that count on both sides."""
        given = {"references": gold, "predictions": predicted}
        golds, found = (
            self.select(side, name, setup)
            for name, side in given.items()
            if isinstance(side, RowSide)
        )
        return join_rows(golds, found, self.all_slots, self.find_keys, self.visited)

    def select(self, side: RowSide, _name: str, _setup: Setup) -> RowSide:
        """Return the rows of ``references`` or ``predictions`` that count: by default, all."""
        return side

    @abstractmethod
    def find_keys(self, rows: Frame) -> Keys:
        """Return the keys of each row for each kind of match of the program."""

    def pair(self, block: Corpus, setup: Setup, /) -> Pairing:
        """Pair by each kind of match; use the program's own pairing for the matches it has."""
        pairing = super().pair(block, setup)
        if not isinstance(block, RowCorpus):
            return pairing
        named = [name for name in ("strict", "lenient", LINKED.name) if name in block.keys]
        return {**pairing, **{name: block.pair(name) for name in named}}


def drop_repeats(side: RowSide) -> RowSide:
    """Keep the first row of each document, label, start and end; gaps equal each other."""
    cells = list(zip(*(side.rows.columns[name] for name in _PLACE), strict=True))
    first: dict[tuple[Cell, ...], int] = {}
    for at, row in sorted(enumerate(side.numbers), key=lambda of: of[1]):
        first.setdefault(tuple(None if is_gap(cell) else cell for cell in cells[row]), at)
    return side.take(sorted(first.values()))
