"""Find gold and predicted mentions that overlap, and measure the overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges, find_first
from clineval.base.errors import InputError, called
from clineval.kinds.mentions.batches import AT_ONCE, count_by_document, in_batches
from clineval.results.columns import MentionColumns
from clineval.results.settings import Setting

_WORD = re.compile(r"\w+")


OVERLAP_SETTING = Setting(
    "overlap",
    "what overlapping mentions must share: a character, a word, or a character of their hulls",
    option="--overlap",
)
"""The field of signatures for what mentions must share."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Pairs of a gold and a predicted mention that overlap.

    Args:
        gold: ``[c]``, row of the gold mention.
        prediction: ``[c]``, row of the predicted mention.
        shared: ``[c]``, the number of shared characters, or words.
    """

    gold: IntArray
    prediction: IntArray
    shared: IntArray

    def __len__(self) -> int:
        return len(self.gold)

    def take(self, rows: IntArray | BoolArray) -> Candidates:
        """Return some of the pairs."""
        at = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows  # much faster for many
        return Candidates(self.gold.take(at), self.prediction.take(at), self.shared.take(at))

    @classmethod
    def joined(cls, parts: Iterable[Candidates]) -> Candidates:
        """Join the pairs of all parts, one part after the other."""
        columns = [(part.gold, part.prediction, part.shared) for part in parts]
        return cls(*map(np.concatenate, zip(*columns, strict=True)))


NO_CANDIDATES = Candidates(*np.zeros((3, 0), np.int32))


@dataclass(frozen=True, slots=True, eq=False)
class _Fragments:
    """Nonempty fragments of mentions, on one line for all documents."""

    owners: IntArray
    begins: IntArray
    ends: IntArray

    @classmethod
    def of(cls, mentions: MentionColumns, rows: IntArray, reach: int, size: int) -> _Fragments:
        """Take the fragments of the mentions at ``rows``, documents ``size`` characters apart."""
        low, high = mentions.bounds[rows], mentions.bounds[rows + 1]
        fragment_rows = expand_ranges(low, high)
        owners = np.repeat(rows.astype(np.int32), high - low)
        documents = mentions.document.take(owners) * np.int64(size)
        begins, ends = (
            mentions.starts.take(fragment_rows) + documents,
            mentions.ends.take(fragment_rows) + documents,
        )
        ends += reach
        fragments = cls(owners, begins, ends)
        filled = ends > begins
        return fragments if filled.all() else fragments.take(np.flatnonzero(filled))

    def take(self, rows: IntArray | slice) -> _Fragments:
        return _Fragments(self.owners[rows], self.begins[rows], self.ends[rows])

    def in_order(self) -> _Fragments:
        """Sort the fragments by their starts."""
        if (self.begins[1:] >= self.begins[:-1]).all():
            return self
        return self.take(np.argsort(self.begins, kind="stable"))


def find_candidates(
    gold: MentionColumns,
    prediction: MentionColumns,
    gold_rows: IntArray,
    prediction_rows: IntArray,
) -> Candidates:
    """Find all overlapping pairs among some mentions of the two sides, gold row by gold row.

    Args:
        gold: the gold mentions.
        prediction: the predicted mentions, with the same numbers of documents.
        gold_rows: ``[g]``, the gold mentions to compare, ascending.
        prediction_rows: ``[p]``, the predicted mentions to compare, ascending.
    """
    mine, theirs, size = _lay_out(gold, prediction, gold_rows, prediction_rows, 0)
    return _measure(mine, theirs, *_expand(*_find_ranges(mine, theirs)), size)


def find_candidates_in_parts(  # noqa: PLR0913 - as find_candidates
    gold: MentionColumns,
    prediction: MentionColumns,
    gold_rows: IntArray,
    prediction_rows: IntArray,
    names: Sequence[str],
    *,
    reach: int = 0,
) -> Iterator[Candidates]:
    """Yield what :func:`find_candidates` finds, in parts of whole documents.

    Ordinary documents come together; documents with very many pairs come in small parts to save
    memory.

    Args:
        gold: as in :func:`find_candidates`, like the next three.
        prediction: the predicted mentions.
        gold_rows: the gold mentions to compare.
        prediction_rows: the predicted mentions to compare.
        names: the names of the documents, for messages.
        reach: 1 if ends are inclusive, so that touching spans overlap; otherwise 0.

    Raises:
        InputError: a document with more pairs of overlapping fragments than
            :data:`~clineval.kinds.mentions.batches.MOST_PAIRS`.
    """
    if not len(gold_rows) or not len(prediction_rows):
        yield NO_CANDIDATES
        return
    mine, theirs, size = _lay_out(gold, prediction, gold_rows, prediction_rows, reach)
    low, high = _find_ranges(mine, theirs)
    if (high - low).sum() <= AT_ONCE:
        yield _measure(mine, theirs, *_expand(low, high), size)
        return
    begun = np.searchsorted(theirs.begins, mine.ends, side="left")
    over = np.searchsorted(np.sort(theirs.ends), mine.begins, side="right")
    counts = count_by_document(gold.document[mine.owners], begun - over, names)
    for documents in in_batches(counts):
        golds, others = (
            side.take(slice(*np.searchsorted(side.begins // size, documents)))
            for side in (mine, theirs)
        )
        golds = golds.in_order()
        yield _measure(golds, others, *_find_exactly(golds, others), size)


def _lay_out(
    gold: MentionColumns,
    prediction: MentionColumns,
    gold_rows: IntArray,
    prediction_rows: IntArray,
    reach: int,
) -> tuple[_Fragments, _Fragments, int]:
    """Lay the fragments of both sides on one line; return also the characters per document."""
    size = max(int(side.ends.max(initial=0)) for side in (gold, prediction)) + reach + 1
    mine = _Fragments.of(gold, gold_rows, reach, size)
    theirs = _Fragments.of(prediction, prediction_rows, reach, size)
    return mine, theirs.in_order(), size


def _find_ranges(mine: _Fragments, theirs: _Fragments) -> tuple[IntArray, IntArray]:
    """Find the range of ``theirs`` that each fragment of ``mine`` may overlap.

    All fragments of a range begin before the fragment of ``mine`` ends; the first one also ends
    after its beginning. A range can contain fragments that do not overlap: very many of them if
    one of ``theirs`` is very long.
    """
    reach = np.maximum.accumulate(theirs.ends)
    low = np.searchsorted(reach, mine.begins, side="right")
    high = np.searchsorted(theirs.begins, mine.ends, side="left")
    return low, np.maximum(high, low)


def _expand(low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
    return np.repeat(np.arange(len(low)), high - low), expand_ranges(low, high)


def _find_exactly(mine: _Fragments, theirs: _Fragments) -> tuple[IntArray, IntArray]:
    """Find the overlapping pairs of fragments in order: one begins inside the other."""
    inside = _expand(*(np.searchsorted(theirs.begins, at) for at in (mine.begins, mine.ends)))
    around = _expand(
        np.searchsorted(mine.begins, theirs.begins, side="right"),
        np.searchsorted(mine.begins, theirs.ends, side="left"),
    )
    return np.append(inside[0], around[1]), np.append(inside[1], around[0])


def _measure(
    mine: _Fragments, theirs: _Fragments, left: IntArray, right: IntArray, size: int
) -> Candidates:
    """Measure the overlap of pairs of fragments, and add it up for pairs of mentions."""
    shared = np.minimum(mine.ends.take(left), theirs.ends.take(right))
    shared -= np.maximum(mine.begins.take(left), theirs.begins.take(right))
    some = np.flatnonzero(shared > 0)
    shared = shared.take(some).astype(np.min_scalar_type(-size))
    owners = mine.owners.take(left.take(some)), theirs.owners.take(right.take(some))
    return _one_for_each_pair(Candidates(*owners, shared))


def _one_for_each_pair(candidates: Candidates) -> Candidates:
    pairs = (candidates.gold.astype(np.int64) << 32) | candidates.prediction
    order = np.argsort(pairs)
    candidates, pairs = candidates.take(order), pairs.take(order)
    first = np.append([True], pairs[1:] != pairs[:-1])[: len(candidates)]
    if first.all():
        return candidates
    runs = np.flatnonzero(first)
    shared = np.add.reduceat(candidates.shared, runs, dtype=np.int64)
    return Candidates(candidates.gold[runs], candidates.prediction[runs], shared)


def overlaps_any(mentions: MentionColumns, others: MentionColumns) -> BoolArray:
    r"""Return which mentions, ``[n]``, overlap any of the others in any fragment; ends exclusive.

    An empty fragment overlaps a fragment around it.

    Examples:
        >>> from clineval.formats.delimited.pipe import read_side
        >>> found, gold = (read_side(text, [], strict=False).mentions for text in
        ...                ("d|0-5|C1\nd|10-12|C1\nd|7-7|C1\n", "d|5-10|C1\n"))
        >>> overlaps_any(found, gold).tolist()
        [False, False, True]
    """
    size = np.int64(max(int(side.ends.max(initial=0)) for side in (mentions, others)) + 1)
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
    mentions: MentionColumns,
    texts: Mapping[int, str],
    names: Sequence[str],
    *,
    needed: str = "overlap='word'",
    instead: str = "use overlap='character'",
) -> MentionColumns:
    r"""Return a copy of the mentions with offsets that count words.

    A word is a run of letters, digits and underscores. A fragment contains the words that lie
    completely inside it; without such a word it becomes empty.

    Args:
        mentions: mentions with offsets in characters.
        texts: document number to text.
        names: the names of the documents, for messages.
        needed: the option that needs texts, for the message.
        instead: what to do without texts, for the message.

    Raises:
        InputError: a document with mentions has no text.

    Examples:
        >>> import numpy as np
        >>> from clineval.formats.delimited.pipe import read_side
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
                f"{needed} needs the text of every document",
                where=f"document {called(names[number])}",
                remedy=f"Pass texts=, or {instead}",
            )
        rows = slice(*find_first(documents, [number, number + 1]))
        words = [match.span() for match in _WORD.finditer(texts[number])]
        firsts, lasts = np.array(words, np.int64).reshape(-1, 2).T
        starts[rows] = np.searchsorted(firsts, mentions.starts[rows], side="left")
        ends[rows] = np.searchsorted(lasts, mentions.ends[rows], side="right")
    return replace(mentions, starts=starts, ends=np.maximum(starts, ends))
