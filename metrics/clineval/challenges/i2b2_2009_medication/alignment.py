"""Align system entries with gold entries.

If all medications of a record overlap, every gold entry is a rival of every system entry. So pairs
are found part by part, and only their numbers are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expand_ranges, find_first
from clineval.base.errors import called
from clineval.base.ratios import ratio
from clineval.challenges.i2b2_2009_medication.corpus import Entries, EntryCorpus
from clineval.kinds.entries.entry import FIELDS
from clineval.kinds.mentions.batches import MOST_PAIRS, in_batches, too_many_pairs
from clineval.kinds.mentions.overlap import Candidates, find_candidates
from clineval.kinds.mentions.pairing import Pairs, pair_in_order
from clineval.results.columns import MentionColumns


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """Pairs of entries of two sides whose medications share a token.

    Args:
        left: ``[k]``, the entry of one side, never decreasing.
        right: ``[k]``, the entry of the other side, rising for each ``left``.
        tokens: ``[k]``, the number of tokens that the same fields of both share; at least 1.
    """

    left: IntArray
    right: IntArray
    tokens: IntArray


def find_rivals(corpus: EntryCorpus, left: Entries, right: Entries) -> Rivals:
    """Find all rivals of two sides, by entry of the left side.

    Raises:
        InputError: a record has more than :data:`~clineval.kinds.mentions.batches.MOST_PAIRS`
            rivals.
    """
    meetings = _Meetings.of(left, right)
    found = [Rivals(*(np.zeros(0, np.int32),) * 3)]
    pairs = np.zeros(len(corpus.documents), np.int64)
    for first, last in in_batches(meetings.work):
        found.append(_meet(meetings, first, last))
        pairs += np.bincount(left.record[found[-1].left], minlength=len(pairs))
        if pairs.max(initial=0) > MOST_PAIRS:
            record = called(corpus.documents[int(pairs.argmax())])
            raise too_many_pairs(f"record {record}", "medications")
    return Rivals(
        *(np.concatenate([getattr(part, name) for part in found]) for name in Rivals.__slots__)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Ranges:
    """The ``[f]`` fragments of one side as ranges on one long line, by record and field."""

    begin: IntArray
    end: IntArray
    owner: IntArray
    medication: BoolArray

    @classmethod
    def of(cls, side: Entries, stride: int) -> _Ranges:
        phrase = side.mentions.owners
        document = side.mentions.document[phrase].astype(np.int64)
        return cls(
            document * stride + side.mentions.starts,
            document * stride + side.mentions.ends,
            side.owner[phrase],
            document % len(FIELDS) == 0,
        )

    def take(self, rows: IntArray) -> _Ranges:
        return _Ranges(*(getattr(self, name)[rows] for name in _Ranges.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class _Meetings:
    """Fragments of ``left`` that may overlap ``right[low:high]``; ``shift`` is the first rival."""

    left: _Ranges
    right: _Ranges
    low: IntArray
    high: IntArray
    rivals: IntArray
    shift: IntArray

    @classmethod
    def of(cls, one: Entries, other: Entries) -> _Meetings:
        stride = 1 + max(int(side.mentions.ends.max(initial=0)) for side in (one, other))
        left, right = (_Ranges.of(side, stride) for side in (one, other))
        left = left.take(np.argsort(left.owner, kind="stable"))
        right = right.take(np.argsort(right.begin, kind="stable"))
        low = np.searchsorted(np.maximum.accumulate(right.end), left.begin, side="right")
        high = np.searchsorted(right.begin, left.end, side="left")
        shift, end = (find_first(other.record, one.record + k) for k in (0, 1))
        return cls(left, right, low, np.maximum(high, low), end - shift, shift)

    @property
    def work(self) -> IntArray:
        """``[n]``, the amount of memory, in numbers, that each left entry needs."""
        meetings = np.bincount(self.left.owner, self.high - self.low, len(self.rivals))
        return self.rivals + meetings.astype(np.int64)


def _meet(meetings: _Meetings, first: int, last: int) -> Rivals:
    """Find the rivals of the left entries ``first:last``; every pair of a record has a cell."""
    left, right = meetings.left, meetings.right
    rows = slice(*find_first(left.owner, [first, last]))
    counts = meetings.high[rows] - meetings.low[rows]
    other = expand_ranges(meetings.low[rows], meetings.high[rows])
    shared = np.minimum(np.repeat(left.end[rows], counts), right.end[other])
    shared -= np.maximum(np.repeat(left.begin[rows], counts), right.begin[other])
    np.maximum(shared, 0, out=shared)
    rivals, shift = meetings.rivals[first:last], meetings.shift[first:last]
    base = np.cumsum(rivals) - rivals - shift
    cell = np.repeat(base[left.owner[rows] - first], counts) + right.owner[other]
    medication = np.repeat(left.medication[rows], counts)
    size = int(rivals.sum())
    found = np.flatnonzero(np.bincount(cell[medication], shared[medication], size))
    tokens = np.bincount(cell, shared, size)[found]
    entry = np.repeat(np.arange(last - first), rivals)[found]
    columns = (entry + first, found - base[entry], tokens)
    return Rivals(*(column.astype(np.int32) for column in columns))


def align_in_stages(corpus: EntryCorpus) -> Pairs:
    """Align entries whose medications have the same offsets, then those that share a token.

    In each stage the pair with the best F over the tokens of all fields comes first. Ties go to
    the earlier system entry, then to the earlier gold entry.
    """
    rivals = find_rivals(corpus, corpus.system, corpus.gold)
    system, gold = rivals.left, rivals.right
    same = corpus.system.phrase[system, 0] == corpus.gold.phrase[gold, 0]
    f1 = ratio(2 * rivals.tokens, corpus.gold.sizes[gold] + corpus.system.sizes[system])
    order = np.argsort(-(same + np.asarray(f1)), kind="stable")
    return pair_in_turn(gold[order], system[order])


def pair_in_turn(gold: IntArray, system: IntArray) -> Pairs:
    """Go through pairs in order, and accept each pair whose two entries are both free."""
    accepted = pair_in_order(gold, system)
    return Pairs(gold[accepted], system[accepted])


def find_shared_tokens(corpus: EntryCorpus, pairs: Pairs) -> Candidates:
    """Find phrases of the same field of aligned entries that share tokens, and count these."""
    gold = _number_by_pair(corpus.gold, pairs.gold)
    system = _number_by_pair(corpus.system, pairs.prediction)
    rows, others = (np.flatnonzero(side.document >= 0) for side in (gold, system))
    return find_candidates(gold, system, rows, others)


def _number_by_pair(side: Entries, rows: IntArray) -> MentionColumns:
    """Return phrases whose document is their pair and field; negative without a pair."""
    number = np.full(len(side), -1)
    number[rows] = np.arange(len(rows))
    field = side.mentions.document % len(FIELDS)
    return replace(side.mentions, document=number[side.owner] * len(FIELDS) + field)
