"""Annotations of one side as flat NumPy columns, on which the engine works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from clineval.base.arrays import Coded, IntArray, expand_ranges, find_first

if TYPE_CHECKING:  # columns are not items
    from clineval.results.item import Span

ABSENT = "(no\u00a0such field)"
"""The value of an annotation in a slot that only other annotations can have."""
USUAL = Coded(np.zeros(0, np.int8), ("",))
"""The spelling of mentions whose spans are written the usual way."""


@dataclass(frozen=True, slots=True, eq=False)
class MentionColumns:
    """The mentions of one side of a corpus: ``n`` mentions with ``f`` fragments in all.

    Args:
        document: ``[n]``, index of the mention's document, never decreasing.
        bounds: ``[n + 1]``; the fragments of mention ``i`` are ``bounds[i]:bounds[i + 1]``.
        starts: ``[f]``, first character of each fragment.
        ends: ``[f]``, the character after the last one.
        attributes: slot name to column.
        spelling: how each span was written, if that matters; empty, the default, for the usual
            way.
    """

    document: IntArray
    bounds: IntArray
    starts: IntArray
    ends: IntArray
    attributes: Mapping[str, Coded]
    spelling: Coded = USUAL

    def __post_init__(self) -> None:
        if self.spelling is USUAL:
            usual = Coded(np.zeros(len(self.document), np.int8), USUAL.values)
            object.__setattr__(self, "spelling", usual)

    @classmethod
    def of(
        cls,
        documents: ArrayLike,
        spans: Sequence[Sequence[Span]],
        attributes: Mapping[str, Coded],
    ) -> MentionColumns:
        """Build columns from the document and the fragments of each mention.

        Examples:
            >>> columns = MentionColumns.of([0, 0], [[(4, 15), (31, 38)], [(60, 65)]], {})
            >>> columns.bounds.tolist(), columns.starts.tolist()
            ([0, 2, 3], [4, 31, 60])
        """
        bounds = np.cumsum([0, *map(len, spans)])
        offsets = chain.from_iterable(chain.from_iterable(spans))
        table = np.fromiter(offsets, np.int64, 2 * bounds[-1])
        starts, ends = table.reshape(-1, 2).T.copy()
        return cls(np.asarray(documents, np.int32), bounds, starts, ends, attributes)

    @classmethod
    def labelled(cls, rows: Sequence[tuple[int, str, int, int]], slot: str) -> MentionColumns:
        """Build columns from document, label, start and end of mentions with one fragment."""
        documents, labels, starts, ends = zip(*rows, strict=True) if rows else ((), (), (), ())
        ids, first, last = (np.array(column, np.int64) for column in (documents, starts, ends))
        bounds = np.arange(len(rows) + 1)
        return cls(ids.astype(np.int32), bounds, first, last, {slot: Coded.of(labels)})

    def __len__(self) -> int:
        return len(self.document)

    @property
    def fragment_counts(self) -> IntArray:
        """``[n]``, the number of fragments of each mention."""
        counts: IntArray = self.bounds[1:] - self.bounds[:-1]  # faster than np.diff for few
        return counts

    @property
    def owners(self) -> IntArray:
        """``[f]``, the mention of each fragment."""
        return np.repeat(np.arange(len(self)), self.fragment_counts)

    def lengths(self, rows: IntArray) -> IntArray:
        """Count the characters, or tokens, of the mentions at ``rows``."""
        low, high = self.bounds[rows], self.bounds[rows + 1]
        fragments = expand_ranges(low, high)
        first = np.cumsum(high - low) - (high - low)
        sizes: IntArray = self.ends[fragments] - self.starts[fragments]
        return np.add.reduceat(sizes, first, dtype=np.int64) if len(rows) else sizes

    def sizes(self, documents: int) -> IntArray:
        """Count the mentions of each document, ``[documents]``."""
        firsts = find_first(self.document, np.arange(documents + 1))
        sizes: IntArray = firsts[1:] - firsts[:-1]
        return sizes

    def take(self, rows: IntArray) -> MentionColumns:
        """Return the mentions at ``rows``, in that order."""
        fragments = expand_ranges(self.bounds[rows], self.bounds[rows + 1])
        counts = self.fragment_counts[rows]
        return MentionColumns(
            self.document[rows],
            np.concatenate([[0], np.cumsum(counts)]),
            self.starts[fragments],
            self.ends[fragments],
            {name: Coded(c.ids.take(rows), c.values) for name, c in self.attributes.items()},
            Coded(self.spelling.ids.take(rows), self.spelling.values),
        )

    def without_gaps(self) -> MentionColumns:
        """Return mentions with one fragment, each from the first start to the last end."""
        firsts, lasts = self.bounds[:-1], self.bounds[1:] - 1
        bounds = np.arange(len(self) + 1)
        return replace(self, bounds=bounds, starts=self.starts[firsts], ends=self.ends[lasts])

    def compact(self) -> MentionColumns:
        """Return a copy without values that no mention has."""
        values = {name: column.compact() for name, column in self.attributes.items()}
        return replace(self, attributes=values)

    def of_documents(self, first: int, last: int) -> MentionColumns:
        """Return the mentions of the documents ``first:last``, renumbered from 0; no copy."""
        low, high = find_first(self.document, [first, last])
        bounds = self.bounds[low : high + 1]
        return MentionColumns(
            self.document[low:high] - first,
            bounds - bounds[0],
            self.starts[bounds[0] : bounds[-1]],
            self.ends[bounds[0] : bounds[-1]],
            {name: Coded(c.ids[low:high], c.values) for name, c in self.attributes.items()},
            Coded(self.spelling.ids[low:high], self.spelling.values),
        )

    def fragments_of(self, row: int) -> tuple[Span, ...]:
        """Return the fragments of one mention."""
        fragments = slice(self.bounds[row], self.bounds[row + 1])
        return tuple(
            zip(self.starts[fragments].tolist(), self.ends[fragments].tolist(), strict=True)
        )

    def text_of_spans(self, row: int) -> str:
        r"""Return the span of one mention as it was written, or as the pipe format writes it.

        Examples:
            >>> from clineval.formats.delimited.pipe import read_side
            >>> side = read_side("d.txt|4-15,31-38|C0344720|\n", [], strict=True)
            >>> side.mentions.text_of_spans(0)
            '4-15,31-38'
        """
        written = self.spelling.values[self.spelling.ids[row]]
        low, high = self.bounds[row], self.bounds[row + 1]
        fragments = zip(self.starts[low:high].tolist(), self.ends[low:high].tolist(), strict=True)
        return written or ",".join(f"{start}-{end}" for start, end in fragments)


Sides = tuple[MentionColumns, MentionColumns]
"""The gold and the predicted mentions."""
