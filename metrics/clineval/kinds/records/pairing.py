"""Pair the records of a document one to one: equal records, or the best fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clineval.base.arrays import IntArray, rank_rows
from clineval.kinds.mentions.pairing import Pairs, pair_equal_keys
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.records.corpus import RecordCorpus, is_valid
from clineval.results.columns import MentionColumns


def number_keys(corpus: RecordCorpus, names: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return ``[n]`` for each side: equal numbers for equal documents and equal fields."""
    columns = [
        np.concatenate([side.document for side in corpus.sides]),
        *(np.concatenate([side.attributes[n].ids for side in corpus.sides]) for n in names),
    ]
    numbers = rank_rows(columns)
    return numbers[: len(corpus.gold)], numbers[len(corpus.gold) :]


def drop_repeats(corpus: RecordCorpus, names: Sequence[str]) -> RecordCorpus:
    """Keep the first of equal records of a document; each invalid record stays."""
    sides = []
    for side, keys in zip(corpus.sides, number_keys(corpus, names), strict=True):
        kept = ~is_valid(side, names)
        kept[np.unique(keys, return_index=True)[1]] = True
        sides.append(side.take(np.flatnonzero(kept)))
    return corpus.with_sides(sides)


def pair_rest(corpus: RecordCorpus, pairs: Pairs, names: Sequence[str]) -> Pairs:
    """Add pairs of unpaired records that agree in some fields, in the order of their values.

    The order of records in the input makes no difference.
    """
    alone = [
        np.setdiff1d(np.arange(len(side)), taken)
        for side, taken in zip(corpus.sides, (pairs.gold, pairs.prediction), strict=True)
    ]
    rows = [_arrange(side, of) for side, of in zip(corpus.sides, alone, strict=True)]
    keys = [of[at] for of, at in zip(number_keys(corpus, names), rows, strict=True)]
    found = pair_equal_keys(*keys)
    return Pairs.joined([pairs, Pairs(rows[0][found.gold], rows[1][found.prediction])])


def _arrange(side: MentionColumns, rows: IntArray) -> IntArray:
    keys = [side.attributes[name].ids[rows] for name in sorted(side.attributes)]
    return rows[np.lexsort([*keys, side.document[rows]])]


def list_records(corpus: RecordCorpus, pairs: Pairs, name: str) -> Rows:
    """Return the rows of all records."""
    return Rows(pairs, corpus.sides, columns_of(name))
