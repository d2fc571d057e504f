"""Codes at places: codes with the same place are compared with each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray, unite_keys
from clineval.kinds.codes.corpus import CODE
from clineval.kinds.codes.hierarchy import Lists
from clineval.results.columns import MentionColumns
from clineval.results.match import Match

Split = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCodes:
    """The codes of one side, each at a place, such as a document, or a span with a label.

    Args:
        columns: the annotations that have the codes.
        rows: ``[c]``, the annotation of each code.
        place: ``[c]``, the number of the place of each code, the same on both sides.
        codes: ``[c]``, the number of each code.
        values: the distinct codes, the same on both sides.
    """

    columns: MentionColumns
    rows: IntArray
    place: IntArray
    codes: IntArray
    values: tuple[str, ...]

    @classmethod
    def of_documents(cls, columns: MentionColumns) -> Self:
        """Place the codes of documents, one for each annotation."""
        codes = columns.attributes[CODE]
        place = columns.document.astype(np.int64)
        return cls(
            columns, np.arange(len(columns)), place, codes.ids.astype(np.int64), codes.values
        )

    def among(self, annotations: IntArray) -> Self:
        """Return the codes of some annotations."""
        wanted = np.zeros(len(self.columns), np.bool_)
        wanted[annotations] = True
        return self.take(wanted[self.rows])

    def take(self, kept: BoolArray) -> Self:
        """Return some of the codes."""
        at = np.flatnonzero(kept)
        return replace(self, rows=self.rows[at], place=self.place[at], codes=self.codes[at])


PlacedSides = tuple[PlacedCodes, PlacedCodes]
"""The codes of both sides."""


def place_values(
    sides: tuple[MentionColumns, MentionColumns],
    columns: tuple[Coded, Coded],
    places: tuple[IntArray, IntArray],
    split: Split,
) -> PlacedSides:
    """Place the codes that the values of a slot contain.

    Args:
        sides: the annotations.
        columns: the value of each annotation; both sides have the same values.
        places: the number of the place of each annotation.
        split: returns the codes of a value.
    """
    used = unite_keys(columns[0].ids, columns[1].ids)  # a block has few values of a corpus
    codes = [list(split(columns[0].values[at])) for at in used.tolist()]
    values = tuple(dict.fromkeys(chain.from_iterable(codes)))
    numbers = {code: number for number, code in enumerate(values)}
    owner = np.repeat(np.arange(len(codes)), list(map(len, codes)))
    members = np.array([numbers[code] for code in chain.from_iterable(codes)], np.int64)
    lists = Lists.of(owner, members, len(codes))
    gold, prediction = (
        PlacedCodes(side, rows, place[rows], found, values)
        for side, column, place in zip(sides, columns, places, strict=True)
        for rows, found in [lists.spread(np.searchsorted(used, column.ids))]
    )
    return gold, prediction


def are_at_one_place(sides: PlacedSides, match: Match) -> BoolArray:
    """Return ``[p]``, which pairs are at one place; each annotation has codes at one place."""
    pairs = match.pairs
    gold, prediction = (np.full(len(side.columns), -1 - at) for at, side in enumerate(sides))
    gold[sides[0].rows], prediction[sides[1].rows] = sides[0].place, sides[1].place
    same: BoolArray = gold[match.gold[:pairs]] == prediction[match.prediction[:pairs]]
    return same


def join_placed(parts: Sequence[PlacedSides]) -> PlacedSides:
    """Join the codes of several slots of the same annotations."""
    values = tuple(dict.fromkeys(code for sides in parts for code in sides[0].values))
    numbers = {code: number for number, code in enumerate(values)}
    gold, prediction = (
        PlacedCodes(
            parts[0][at].columns,
            np.concatenate([sides[at].rows for sides in parts]),
            np.concatenate([sides[at].place for sides in parts]),
            np.concatenate([_renumber(sides[at], numbers) for sides in parts]),
            values,
        )
        for at in (0, 1)
    )
    return gold, prediction


def _renumber(side: PlacedCodes, numbers: Mapping[str, int]) -> IntArray:
    places = np.array([numbers[code] for code in side.values], np.int64)
    return places[side.codes]
