"""Convert spans from lists of fragments, ``[[4, 15], [31, 38]]``, to columns."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called, located, shown
from clineval.base.offsets import LARGEST
from clineval.kinds.mentions.mention import sort_fragments

Locate = Callable[[int], str]
"""Returns the name of a mention for messages, by its number."""


@dataclass(slots=True)
class Place:
    """Describes the place of a mention for messages.

    Args:
        side: ``predictions`` or ``references``, if known.
        names: the documents' names, if they have any.
        documents: the word for a document.
        mentions: the word for a mention.
        sizes: the number of mentions of each document.
        places: the places of documents from files.
    """

    side: str
    names: Sequence[str] = ()
    documents: str = "document"
    mentions: str = "mention"
    sizes: list[int] = field(default_factory=list)
    places: Sequence[str] = ()

    def document(self, number: int) -> str:
        """Return the place of a document."""
        if self.places:
            return self.places[number]
        name = f"{self.documents} {called(self.names[number]) if self.names else number}"
        return f"{self.side}, {name}" if self.side else name

    def mention(self, row: int) -> str:
        """Return the place of a mention by its number, counted over all documents."""
        ends = np.cumsum(self.sizes)
        number = int(np.searchsorted(ends, row, side="right"))
        within = row - int(ends[number] - self.sizes[number])
        return f"{self.document(number)}, {self.mentions} {within}"


class SpanColumns:
    """Fragments of mentions, added block by block.

    Args:
        locate: returns the name of a mention for messages.

    Examples:
        >>> spans = SpanColumns(str)
        >>> spans.add([[[4, 15], [31, 38]], [[60, 65]]])
        >>> [column.tolist() for column in spans.finish()]
        [[0, 2, 3], [4, 31, 60], [15, 38, 65]]
    """

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._counts = array("q")
        self._offsets = array("q")

    def add(self, spans: Sequence[object]) -> None:
        """Add the spans of some mentions; each span is a list of fragments."""
        if not self._add_pairs(spans):
            first = len(self._counts)
            read = [_read_span(span, self._locate(first + row)) for row, span in enumerate(spans)]
            self._add_pairs(read)

    def _add_pairs(self, spans: Sequence[Any]) -> bool:
        """Add spans if all are lists of integer pairs, the usual case; return whether they are."""
        try:
            counts = list(map(len, spans))
            fragments = list(chain.from_iterable(spans))
            pairs = set(map(len, fragments)) <= {2}
            offsets = list(chain.from_iterable(fragments))
            numbers = array("q", offsets)  # accepts only integers
        except (TypeError, OverflowError):
            return False
        # in Python, True and False are the integers 1 and 0
        suspicious = (np.array(numbers) <= 1).any() and bool in set(map(type, offsets))
        if not pairs or suspicious or not all(counts):
            return False
        self._offsets += numbers
        self._counts.fromlist(counts)
        return True

    def finish(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return ``[n + 1]``, ``[f]``, ``[f]``: bounds, starts and ends.

        Raises:
            InputError: an offset is negative or too large, or fragments are empty or overlap.
        """
        bounds = np.concatenate([[0], np.cumsum(np.array(self._counts, np.int64))])
        table = np.array(self._offsets, np.int64).reshape(-1, 2)
        return judge_fragments(bounds, table, self._locate)


def judge_fragments(
    bounds: IntArray, table: IntArray, locate: Locate
) -> tuple[IntArray, IntArray, IntArray]:
    """Check fragments, and return their bounds, starts and ends.

    Args:
        bounds: ``[n + 1]``; the fragments of mention ``i`` are ``bounds[i]:bounds[i + 1]``.
        table: ``[f, 2]``, start and end of each fragment.
        locate: returns the name of a mention for messages.

    Raises:
        InputError: a fragment is invalid, or a mention has no fragment.
    """
    if not ((bounds[1:] > bounds[:-1]).all() and _is_sound(bounds, table[:, 0], table[:, 1])):
        for row, (low, high) in enumerate(pairwise(bounds.tolist())):
            _read_span(table[low:high].tolist(), locate(row))
    return bounds, table[:, 0].astype(np.int32), table[:, 1].astype(np.int32)


def _is_sound(bounds: IntArray, starts: IntArray, ends: IntArray) -> bool:
    """Return whether fragments are valid, and sorted and disjoint within each mention."""
    if len(starts) == 0:
        return True
    if starts.min() < 0 or ends.max() > LARGEST or (ends <= starts).any():
        return False
    later = np.ones(len(starts), np.bool_)
    later[bounds[:-1]] = False
    within = np.flatnonzero(later)
    return bool((starts[within] >= ends[within - 1]).all())


def _read_span(span: object, where: str) -> list[tuple[int, int]]:
    """Return one mention's fragments in their order, as Python integers."""
    problem = f"expected spans such as [[10, 20]], got {shown(span)}"
    if not isinstance(span, Iterable) or isinstance(span, (str, Mapping)):
        raise InputError(problem, where=where)
    try:
        given = [tuple(fragment) for fragment in span]
    except TypeError:
        raise InputError(problem, where=where) from None
    located(where, sort_fragments, given)
    return [(int(start), int(end)) for start, end in given]
