"""Pair records one to one, then the records inside each pair, independent of their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.hashing import Hashes
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.pairing import NO_PAIRS, Pairs
from clineval.kinds.records.corpus import RecordCorpus
from clineval.kinds.records.fields import Field
from clineval.kinds.records.fitting import Compared, pair_fitting
from clineval.kinds.records.shape import LIST, NESTED, SOURCE, ShapedField, Table
from clineval.results.columns import ABSENT, MentionColumns

_WHOLE = 1_000_000
"""The similarity of equal values, as a sum of integers is exact."""
_NESTED = Field(NESTED, "set")


@dataclass(frozen=True, slots=True, eq=False)
class NestedCorpus(RecordCorpus):
    """Records of both sides, each before the records inside it.

    Args:
        shape: the shape of the records.
    """

    shape: Table = field(kw_only=True)

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of each document's gold records, whatever the schema."""
        own = self.gold.take(np.flatnonzero(find_list(self.gold, self.shape)))
        source = replace(own, attributes={SOURCE: own.attributes[SOURCE]})
        return digest_documents(source, len(self.documents))

    @property
    def fields(self) -> tuple[ShapedField, ...]:
        """The fields of all lists."""
        return self.shape.every_field

    def find_compared(self, each: Field) -> Compared:
        """Prepare a field of both sides, once."""
        if each.name not in self.known:
            self.known[each.name] = Compared.of(self, each)
        found: Compared = self.known[each.name]
        return found

    def find_rows(self, table: Table) -> tuple[IntArray, IntArray]:
        """Return the rows of both sides that belong to a list."""
        gold, predicted = (find_list(side, table) for side in self.sides)
        return np.flatnonzero(gold), np.flatnonzero(predicted)


def find_list(side: MentionColumns, table: Table) -> BoolArray:
    """Return which rows, ``[n]``, belong to a list."""
    column = side.attributes[LIST]
    if table.name not in column.values:
        return np.zeros(len(side), np.bool_)
    return np.asarray(column.ids == column.values.index(table.name))


@dataclass(frozen=True, slots=True)
class NestedPairs:
    """The pairs of all lists.

    Args:
        every: the pairs.
        exact: those that agree in all fields, and inside.
    """

    every: Pairs
    exact: Pairs


def pair_nested(corpus: NestedCorpus) -> NestedPairs:
    """Pair the records of each document, and then the records inside each pair."""
    parents = [_find_parents(corpus, side) for side in corpus.sides]
    pairs = dict(_pair_lists(corpus, parents))
    exact = _find_exact(corpus, pairs, parents)
    return NestedPairs(_join(corpus, pairs.values()), _join(corpus, exact))


def _join(corpus: NestedCorpus, parts: Iterable[Pairs]) -> Pairs:
    """Join pairs in an order that does not depend on the order of records, as sums may do."""
    joined = Pairs.joined(parts)
    texts = [
        side.attributes[SOURCE].ids[rows]
        for side, rows in zip(corpus.sides, (joined.gold, joined.prediction), strict=True)
    ]
    return joined.take(np.lexsort([*texts, corpus.gold.document[joined.gold]]))


def _find_parents(corpus: NestedCorpus, side: MentionColumns) -> IntArray:
    """Return ``[n]``, the row of the record around each record; -1 for records of documents.

    A record follows the record around it, and only records inside that one stand between them.
    """
    depths = np.zeros(len(side), np.int64)
    for depth, table in corpus.shape.walk():
        depths[find_list(side, table)] = depth
    rows, parents = np.arange(len(side)), np.full(len(side), -1)
    for depth in range(1, int(depths.max(initial=0)) + 1):
        last = np.maximum.accumulate(np.where(depths == depth - 1, rows, -1))
        parents[depths == depth] = last[depths == depth]
    return parents


def _pair_lists(corpus: NestedCorpus, parents: Sequence[IntArray]) -> Iterator[tuple[str, Pairs]]:
    """Yield the name and the pairs of each list, outer lists first."""
    partner = [np.full(len(side), -1) for side in corpus.sides]
    """The number of each paired record's pair."""
    names: list[str] = []
    for depth, table in corpus.shape.walk():
        rows = corpus.find_rows(table)
        if depth == 0 and table.single:
            pairs = _pair_single(corpus, rows)
        else:
            groups = [
                side.document[of] if depth == 0 else pair_of[parent[of]]
                for side, of, parent, pair_of in zip(
                    corpus.sides, rows, parents, partner, strict=True
                )
            ]
            pairs = _pair_list(corpus, table, rows, groups, names if depth else corpus.documents)
        numbers = len(names) + np.arange(len(pairs))
        partner[0][pairs.gold], partner[1][pairs.prediction] = numbers, numbers
        names += [corpus.documents[at] for at in corpus.gold.document[pairs.gold].tolist()]
        yield table.name, pairs


def _pair_single(corpus: NestedCorpus, rows: tuple[IntArray, IntArray]) -> Pairs:
    """Pair the only record of each document."""
    left, right = (side.document[of] for side, of in zip(corpus.sides, rows, strict=True))
    _, gold, predicted = np.intersect1d(left, right, return_indices=True)
    return Pairs(rows[0][gold], rows[1][predicted])


def _pair_list(
    corpus: NestedCorpus,
    table: Table,
    rows: tuple[IntArray, IntArray],
    groups: Sequence[IntArray],
    names: Sequence[str],
) -> Pairs:
    """Pair the records of a list within groups, -1 for records that cannot be paired."""
    if not min(map(len, rows)):
        return NO_PAIRS
    able = [np.zeros(len(side), np.bool_) for side in corpus.sides]
    sides = []
    for side, of, group, of_side in zip(corpus.sides, rows, groups, able, strict=True):
        of_side[of] = group >= 0
        document = np.zeros(len(side), np.int64)
        document[of] = np.maximum(group, 0)
        own = {name: side.attributes[name] for name in (*(f.name for f in table.fields), NESTED)}
        sides.append(replace(side, document=document, attributes=own))
    grouped = RecordCorpus(tuple(names), sides[0], sides[1], {}, ())
    return pair_fitting(grouped, _list_levels(corpus, table), able)


def _list_levels(corpus: NestedCorpus, table: Table) -> list[Similarity]:
    """Return the keys, then all fields together with what is inside."""
    fields = {each: corpus.find_compared(each) for each in table.fields}
    keys = [Similarity((of,)) for each, of in fields.items() if each.paired]
    inside = [corpus.find_compared(_NESTED)] if table.tables else []
    return [*keys, Similarity((*fields.values(), *inside))]


@dataclass(frozen=True, slots=True)
class Similarity:
    """The sum of the F1 of some fields; fields without a value on one side add nothing.

    Args:
        fields: the fields of both sides.
    """

    fields: Sequence[Compared]

    def compare(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        """Return the sum in millionths, rounded down for each field, and a million, ``[p]``."""
        total = np.zeros(len(pairs), np.int64)
        for each in self.fields:
            filled = each.has(0)[pairs.gold] & each.has(1)[pairs.prediction]
            above, below = each.compare(pairs)
            total += np.where(filled, above * _WHOLE // below, 0)
        return total, np.full(len(pairs), _WHOLE)


def _find_exact(
    corpus: NestedCorpus, pairs: Mapping[str, Pairs], parents: Sequence[IntArray]
) -> Iterator[Pairs]:
    """Yield the pairs of each list that agree in all fields and inside, inner lists first."""
    inside = [
        np.bincount(parent[parent >= 0], minlength=len(parent)).astype(np.int64)
        for parent in parents
    ]
    right = np.zeros(len(corpus.gold), np.int64)
    """For each gold record the number of exact pairs inside its pair."""
    for _, table in reversed([*corpus.shape.walk()]):
        found = pairs[table.name]
        same = are_equal(corpus, table, found)
        for number, of in zip(inside, (found.gold, found.prediction), strict=True):
            same &= number[of] == right[found.gold]
        exact = found.take(np.flatnonzero(same))
        above = parents[0][exact.gold]
        np.add.at(right, above[above >= 0], 1)
        yield exact


def are_equal(corpus: NestedCorpus, table: Table, pairs: Pairs) -> BoolArray:
    """Return which pairs, ``[p]``, agree in all fields of the record itself."""
    same = np.ones(len(pairs), np.bool_)
    for each in table.fields:
        compared = corpus.find_compared(each)
        empty = ~compared.has(0)[pairs.gold] & ~compared.has(1)[pairs.prediction]
        same &= compared.are_equal(pairs) | empty
    return same


def describe_rows(corpus: NestedCorpus, side: MentionColumns, name: str) -> MentionColumns:
    """Return a side with the names of lists, the fields, and whole records as another column.

    Args:
        corpus: the corpus of the side.
        side: the records.
        name: the name of the added column.
    """
    shown, whole = {LIST: side.attributes[LIST]}, [""] * len(side)
    for _, table in corpus.shape.walk():
        rows = np.flatnonzero(find_list(side, table))
        texts = {each: _list_texts(side, each.name, rows) for each in table.fields}
        for each, own in texts.items():
            column = [ABSENT] * len(side)
            for row, text in zip(rows.tolist(), own, strict=True):
                column[row] = text
            shown[each.name] = Coded.of(column)
        head = f"{table.name}: " if table.path else ""
        for at, row in enumerate(rows.tolist()):
            told = (f"{'.'.join(each.path)} {own[at]}" for each, own in texts.items() if own[at])
            whole[row] = head + ", ".join(told)
    return replace(side, attributes={**shown, name: Coded.of(whole)})


def _list_texts(side: MentionColumns, name: str, rows: IntArray) -> list[str]:
    column = side.attributes[name]
    return [column.values[at] for at in column.ids[rows].tolist()]
