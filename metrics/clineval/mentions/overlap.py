"""Which gold and predicted mentions overlap, and by how much."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from clineval.arrays import BoolArray, IntArray, expand_ranges, find_first
from clineval.errors import InputError
from clineval.mentions.columns import MentionColumns

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Overlap:
    """How a protocol measures overlap.

    Args:
        reach: characters after the end of a fragment that still belong to it; 0 for exclusive
            ends, 1 for inclusive ones, with which touching spans overlap.
        fragments: ``total``: what all fragments share; ``largest``: the most that one fragment
            of each side shares.
    """

    reach: int
    fragments: Literal["total", "largest"]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Pairs of a gold and a predicted mention that overlap.

    Args:
        gold: ``[c]``, row of the gold mention.
        prediction: ``[c]``, row of the predicted mention.
        shared: ``[c]``, how much they share: characters, or words.
    """

    gold: IntArray
    prediction: IntArray
    shared: IntArray

    def __len__(self) -> int:
        return len(self.gold)

    def take(self, rows: IntArray | BoolArray) -> Candidates:
        """Some of the pairs."""
        return Candidates(self.gold[rows], self.prediction[rows], self.shared[rows])


def find_candidates(
    gold: MentionColumns,
    prediction: MentionColumns,
    gold_rows: IntArray,
    prediction_rows: IntArray,
    overlap: Overlap,
) -> Candidates:
    """All overlapping pairs among some mentions of the two sides.

    Every fragment is compared only with those of its document that begin before it ends and
    that are not all over before it begins.

    Args:
        gold: the gold mentions, documents numbered as in ``prediction``.
        prediction: the predicted mentions.
        gold_rows: which gold mentions to look at.
        prediction_rows: which predicted mentions to look at.
        overlap: the protocol's measure.
    """
    owners, documents, starts, ends = _fragments(gold, gold_rows, overlap)
    others, other_documents, other_starts, other_ends = _fragments(
        prediction, prediction_rows, overlap
    )
    size = np.int64(max(ends.max(initial=0), other_ends.max(initial=0)) + 1)
    begin, end = documents * size + starts, documents * size + ends
    other_begin, other_end = (
        other_documents * size + other_starts,
        other_documents * size + other_ends,
    )
    order = np.argsort(other_begin, kind="stable")
    other_begin, other_end, others = other_begin[order], other_end[order], others[order]
    low = np.searchsorted(np.maximum.accumulate(other_end), begin, side="right")
    high = np.maximum(np.searchsorted(other_begin, end, side="left"), low)
    mine = np.repeat(np.arange(len(begin)), high - low)
    theirs = expand_ranges(low, high)
    shared = np.minimum(end[mine], other_end[theirs]) - np.maximum(begin[mine], other_begin[theirs])
    positive = np.flatnonzero(shared > 0)
    found = Candidates(owners[mine[positive]], others[theirs[positive]], shared[positive])
    return _one_for_each_pair(found, overlap)


def _fragments(
    mentions: MentionColumns, rows: IntArray, overlap: Overlap
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Owner, document, start and end of all fragments of some mentions."""
    low, high = mentions.bounds[rows], mentions.bounds[rows + 1]
    at = expand_ranges(low, high)
    owners = np.repeat(rows, high - low)
    documents = mentions.document[owners].astype(np.int64)
    return owners, documents, mentions.starts[at], mentions.ends[at] + overlap.reach


def _one_for_each_pair(found: Candidates, overlap: Overlap) -> Candidates:
    """Bring the fragment pairs of two mentions together."""
    order = np.lexsort((found.prediction, found.gold))
    found = found.take(order)
    first = np.ones(len(found), np.bool_)
    first[1:] = (np.diff(found.gold) != 0) | (np.diff(found.prediction) != 0)
    if first.all():
        return found
    runs = np.flatnonzero(first)
    combine = np.add if overlap.fragments == "total" else np.maximum
    return Candidates(
        found.gold[runs], found.prediction[runs], combine.reduceat(found.shared, runs)
    )


def overlaps_any(mentions: MentionColumns, others: MentionColumns) -> BoolArray:
    r"""``[n]``, which mentions overlap any of the others: ends exclusive, at any fragment.

    An empty fragment overlaps one that it lies inside of.

    Args:
        mentions: the ``n`` mentions.
        others: mentions of the same documents.

    Examples:
        >>> from clineval.formats.pipe_columns import read_side
        >>> found, gold = (read_side(text, [], strict=False).mentions for text in
        ...                ("d|0-5|C1\nd|10-12|C1\nd|7-7|C1\n", "d|5-10|C1\n"))
        >>> overlaps_any(found, gold).tolist()
        [False, False, True]
    """
    largest = (side.ends.max(initial=0) for side in (mentions, others))
    size = np.int64(max(largest) + 1)
    documents = others.document[others.owners].astype(np.int64) * size
    order = np.argsort(documents + others.starts, kind="stable")
    begin = (documents + others.starts)[order]
    reach = np.maximum.accumulate((documents + others.ends)[order])
    documents = mentions.document[mentions.owners].astype(np.int64) * size
    before = np.searchsorted(begin, documents + mentions.ends, side="left")
    touched = np.zeros(len(documents), np.bool_)
    some = np.flatnonzero(before)
    touched[some] = reach[before[some] - 1] > (documents + mentions.starts)[some]
    overlapping: BoolArray = np.bincount(mentions.owners[touched], minlength=len(mentions)) > 0
    return overlapping


def in_words(
    mentions: MentionColumns, texts: Mapping[int, str], names: Sequence[str]
) -> MentionColumns:
    r"""The same mentions with offsets counted in words of their texts.

    A word is a run of letters, digits and underscores. A fragment holds the words that lie
    wholly inside it; one that holds none becomes empty.

    Args:
        mentions: offsets in characters.
        texts: document number to text.
        names: the documents' names.

    Raises:
        InputError: a document with mentions has no text.

    Examples:
        >>> import numpy as np
        >>> from clineval.formats.pipe_columns import read_side
        >>> words = in_words(read_side("d|0-4,9-14|C1\n", [], strict=True).mentions,
        ...                  {0: "left and right atrium"}, ["d"])
        >>> words.starts.tolist(), words.ends.tolist()
        ([0, 2], [1, 3])
    """
    starts, ends = mentions.starts.copy(), mentions.ends.copy()
    documents = mentions.document[mentions.owners]
    for number in np.unique(documents).tolist():
        if number not in texts:
            raise InputError(
                "overlap='word' needs the text of every document",
                where=f"document {names[number]}",
                remedy="Pass texts=, or use overlap='character'",
            )
        rows = slice(*find_first(documents, [number, number + 1]))
        words = [match.span() for match in _WORD.finditer(texts[number])]
        firsts, lasts = np.array(words, np.int64).reshape(-1, 2).T
        starts[rows] = np.searchsorted(firsts, mentions.starts[rows], side="left")
        ends[rows] = np.searchsorted(lasts, mentions.ends[rows], side="right")
    return replace(mentions, starts=starts, ends=np.maximum(starts, ends))
