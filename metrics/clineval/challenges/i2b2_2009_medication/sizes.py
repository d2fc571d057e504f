"""What two sides of a corpus have and share: D, S and N of each record and field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, cover
from clineval.challenges.i2b2_2009_medication.alignment import find_shared_tokens
from clineval.challenges.i2b2_2009_medication.corpus import Entries, EntryCorpus
from clineval.challenges.i2b2_2009_medication.entry import FIELDS
from clineval.kinds.mentions.pairing import Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """D, S and N: ``[records, 6]``, of each record and field, or ``[records]``."""

    shared: IntArray
    gold: IntArray
    system: IntArray

    @property
    def either(self) -> BoolArray:
        """Where one of the sides has something."""
        either: BoolArray = (self.gold > 0) | (self.system > 0)
        return either

    def of_field(self, number: int) -> Sizes:
        """Return the sizes of one field, ``[records]``."""
        return Sizes(self.shared[:, number], self.gold[:, number], self.system[:, number])

    def sum(self) -> Sizes:
        """Add up all fields, ``[records]``."""
        return Sizes(self.shared.sum(axis=1), self.gold.sum(axis=1), self.system.sum(axis=1))


def phrases_of_aligned(corpus: EntryCorpus, pairs: Pairs) -> Sizes:
    """Count the phrases of all entries, and those that aligned entries agree on (exact)."""
    gold, system = corpus.gold, corpus.system
    size = len(corpus.documents)
    phrase = gold.phrase[pairs.gold]
    equal = (phrase == system.phrase[pairs.prediction]) & (phrase > 0)
    return Sizes(
        _add_up(gold.record[pairs.gold], equal, size),
        _add_up(gold.record, gold.phrase > 0, size),
        _add_up(system.record, system.phrase > 0, size),
    )


def tokens_of_aligned(corpus: EntryCorpus, pairs: Pairs) -> Sizes:
    """Count the tokens of all phrases, and those that aligned entries share (inexact)."""
    found = find_shared_tokens(corpus, pairs)
    return Sizes(
        _by_field(corpus.gold.mentions.document[found.gold], found.shared, corpus),
        _by_field(corpus.gold.mentions.document, corpus.gold.lengths, corpus),
        _by_field(corpus.system.mentions.document, corpus.system.lengths, corpus),
    )


def phrases_of_lists(corpus: EntryCorpus, _: Pairs) -> Sizes:
    """Count the different phrases of each record and field (exact)."""
    stride = 1 + max(int(side.phrase.max(initial=0)) for side in (corpus.gold, corpus.system))
    lists = []
    for side in (corpus.gold, corpus.system):
        document = side.record[:, None].astype(np.int64) * len(FIELDS) + np.arange(len(FIELDS))
        lists.append(np.unique((document * stride + side.phrase)[side.phrase > 0]))
    gold, system = lists
    shared = np.intersect1d(gold, system, assume_unique=True)
    return Sizes(
        *(_by_field(keys // stride, np.ones(len(keys)), corpus) for keys in (shared, gold, system))
    )


def tokens_of_lists(corpus: EntryCorpus, _: Pairs) -> Sizes:
    """Count the tokens that the phrases of each record and field cover (inexact)."""
    sides = (corpus.gold, corpus.system)
    gold, system, either = (_covered(chosen, corpus) for chosen in (sides[:1], sides[1:], sides))
    return Sizes(gold + system - either, gold, system)


def _covered(sides: Sequence[Entries], corpus: EntryCorpus) -> IntArray:
    """Count the tokens that some sides' phrases cover, each once: ``[records, 6]``."""
    mentions = [side.mentions for side in sides]
    document, starts, ends = cover(
        np.concatenate([side.document[side.owners] for side in mentions]),
        np.concatenate([side.starts for side in mentions]),
        np.concatenate([side.ends for side in mentions]),
    )
    return _by_field(document, ends - starts, corpus)


def _by_field(document: IntArray, weights: Any, corpus: EntryCorpus) -> IntArray:
    """Add up by the number of the record times 6 plus that of the field: ``[records, 6]``."""
    size = len(corpus.documents) * len(FIELDS)
    return np.bincount(document, weights, size).astype(np.int64).reshape(-1, len(FIELDS))


def _add_up(record: IntArray, table: Any, size: int) -> IntArray:
    """Add up the rows of a table record by record: ``[size, 6]``."""
    columns = [np.bincount(record, column, size) for column in table.T]
    return np.stack(columns, axis=1).astype(np.int64)
