"""Rows of outcomes under one kind of match: counted immediately, listed on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Protocol

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray, find_first
from clineval.base.ratios import Columns
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.pairing import Pairs
from clineval.results.match import NONE, VERDICTS, Match, Values
from clineval.results.protocol import Rows as Listing

CountedVerdicts = Mapping[str, tuple[str, ...]]
"""Name of a count to the verdicts that it counts."""


class Annotations(Protocol):
    """The annotations of one side, in the order of their documents."""

    @property
    def document(self) -> IntArray:
        """``[n]``, the number of each annotation's document."""
        ...

    def __len__(self) -> int: ...


Pairing = Mapping[str, Pairs | Match]
"""Name of a kind of match to the index pairs of a corpus, or of a block of it.

If pairs do not determine the counts, the value is a match with empty columns."""


def columns_of(prefix: str) -> dict[str, tuple[str, ...]]:
    """Name the counts of one kind of match, and the verdicts that each counts.

    Examples:
        >>> columns_of("strict")
        {'strict_tp': ('tp',), 'strict_fp': ('fp',), 'strict_fn': ('fn',)}
    """
    return {f"{prefix}_{verdict}": (verdict,) for verdict in VERDICTS[:3]}


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Parts of rows that are counted separately, such as the rows of each label.

    A row belongs to the parts of its gold annotation, or without one, of its prediction.

    Args:
        gold: ``[g]``, the number of each gold annotation.
        prediction: ``[p]``, the number of each predicted annotation.
        parts: name of a part to the numbers that belong to it.
        name: names the counts of a part.
    """

    gold: IntArray
    prediction: IntArray
    parts: Mapping[str, Sequence[int]]
    name: Callable[[str], CountedVerdicts] = columns_of

    @classmethod
    def by(
        cls,
        columns: Iterable[Coded],
        parts: Mapping[str, str],
        name: Callable[[str], CountedVerdicts] = columns_of,
        fold: Callable[[str], str] = str,
    ) -> Split:
        """Split rows by the values of a slot.

        Args:
            columns: the values of the gold annotations, and of the predictions.
            parts: value to the name of its part; rows with other values are in no part.
            name: names the counts of a part.
            fold: returns the form in which values are compared.
        """
        places = {fold(value): number for number, value in enumerate(parts)}
        gold_numbers, numbers = (
            np.array([places.get(fold(v), len(places)) for v in of.values], np.int64)[of.ids]
            for of in columns
        )
        named = {part: (number,) for number, part in enumerate(parts.values())}
        return cls(gold_numbers, numbers, named, name)

    def count(self, rows: Rows, documents: int) -> dict[str, IntArray]:
        """Count the rows of each part, ``[documents]`` each."""
        width = 1 + max(int(side.max(initial=-1)) for side in (self.gold, self.prediction))
        width = max(width, 1 + max(chain.from_iterable(self.parts.values()), default=-1))
        cells = [
            side.document * np.int64(width) + numbers
            for side, numbers in zip(rows.sides, (self.gold, self.prediction), strict=True)
        ]
        choose, tables = rows.by_verdict(*cells), dict[str, IntArray]()
        columns: dict[str, IntArray] = {}
        for part, numbers in self.parts.items():
            for column, verdicts in self.name(part).items():
                for verdict in {*verdicts} - tables.keys():
                    counts = np.bincount(choose(verdict), minlength=documents * width)
                    tables[verdict] = counts.reshape(documents, width)
                counted = [_add_columns(tables[verdict], numbers) for verdict in verdicts]
                columns[column] = sum(counted[1:], start=counted[0])
        return columns

    def list(self, match: Match) -> dict[str, Match]:
        """List the rows of each part."""
        number = match.choose(self.gold, self.prediction)
        return {
            part: match.take(np.flatnonzero(np.isin(number, numbers)), self.name(part))
            for part, numbers in self.parts.items()
        }


def _add_columns(table: IntArray, numbers: Sequence[int]) -> IntArray:
    """Add up some columns of a table; a single one is not copied."""
    return table[:, numbers[0]] if len(numbers) == 1 else table[:, numbers].sum(axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The outcomes of the annotations of a block of a corpus under one kind of match.

    If they are pairs, unpaired annotations are ``fp`` or ``fn``, and rows are counted without being
    listed.

    Args:
        pairs: pairs; or a match, which provides its sums but not its columns.
        sides: the gold and the predicted annotations to which rows refer.
        columns: name of a count to the verdicts that it counts; empty if nothing is counted.
        compare: returns for pairs the slots in which they agree, ``[p]`` each.
        weigh: returns for pairs names of counts and the value that each pair adds, ``[p]``.
        split: parts that are counted too.
        among: returns the row of each annotation of either side among all listed ones; None if the
            rows are the same.
        recount: returns for a number of documents the counts of a program that does not count odd
            files by verdicts; None if there is no such program.
    """

    pairs: Pairs | Match
    sides: tuple[Annotations, Annotations]
    columns: CountedVerdicts = field(default_factory=dict)
    compare: Callable[[Pairs], Mapping[str, BoolArray]] | None = None
    weigh: Callable[[Pairs], Iterable[tuple[str, Values]]] | None = None
    split: Split | None = None
    among: Callable[[], tuple[IntArray, IntArray]] | None = None
    recount: Callable[[int], Columns] | None = None

    def count(self, documents: int) -> Columns:
        """Count each document, ``[documents]`` each."""
        if self.recount:
            return self.recount(documents)
        of_parts = self.split.count(self, documents) if self.split else {}
        return {**self._count_columns(documents), **of_parts, **self._add_up(documents)}

    def _count_columns(self, documents: int) -> Columns:
        of_verdict = self._count_verdicts(documents) if self.columns else {}
        return {
            column: sum((of_verdict[name] for name in rest), start=of_verdict[first])
            for column, (first, *rest) in self.columns.items()
        }

    def _count_verdicts(self, documents: int) -> Mapping[str, IntArray]:
        if isinstance(self.pairs, Match):
            choose = self.by_verdict(*(side.document for side in self.sides))
            names = {*chain.from_iterable(self.columns.values())}
            return {name: np.bincount(choose(name), minlength=documents) for name in names}
        tp = np.bincount(self.sides[0].document[self.pairs.gold], minlength=documents)
        of_gold, found = (_count_each(side, documents) for side in self.sides)
        return {"tp": tp, "fp": found - tp, "fn": of_gold - tp}

    def by_verdict(self, gold: IntArray, prediction: IntArray) -> Callable[[str], IntArray]:
        """Return a function from a verdict to a value for each row that has it.

        The value belongs to the gold annotation, or without one, to the prediction.
        """
        pairs = self.pairs
        if isinstance(pairs, Match):
            of_row = pairs.choose(gold, prediction)
            return lambda verdict: of_row[pairs.is_among([verdict])]
        values = {
            "tp": lambda: gold[pairs.gold],
            "fp": lambda: prediction[_leave_out(pairs.prediction, np.arange(len(prediction)))],
            "fn": lambda: gold[_leave_out(pairs.gold, np.arange(len(gold)))],
        }
        return lambda verdict: values[verdict]()

    def _add_up(self, documents: int) -> dict[str, FloatArray]:
        """Add up the weights of pairs, in the order of the gold annotations."""
        sums: dict[str, FloatArray] = {}
        if not self.weigh:
            return self._add_up_own(documents)
        pairs = pairs_of(self.pairs)
        ordered = pairs.take(np.argsort(pairs.gold, kind="stable"))
        document = self.sides[0].document[ordered.gold]
        starts = np.flatnonzero(np.diff(document, prepend=-1))
        every = len(starts) == documents  # all documents have pairs
        for column, values in self.weigh(ordered):
            if every:
                sums[column] = np.add.reduceat(values, starts, dtype=np.float64)
                continue
            sums[column] = np.zeros(documents)
            if len(starts):
                of_document = np.add.reduceat(values, starts, dtype=np.float64)
                sums[column][document[starts]] = of_document
        return sums

    def _add_up_own(self, documents: int) -> dict[str, FloatArray]:
        """Add up the sums that a match declares."""
        own = dict(self.pairs.sums()) if isinstance(self.pairs, Match) else {}
        document = self.sides[0].document
        return {
            column: np.bincount(document[self.pairs.gold[: len(values)]], values, documents).astype(
                np.float64
            )
            for column, values in own.items()
        }

    def list(self, name: str) -> dict[str, Match]:
        """List the rows under their name, and the rows of each part under the part's name."""
        pairs, paired = self.pairs, pairs_of(self.pairs)
        if isinstance(pairs, Pairs):
            pairs = list_units(pairs, *(np.arange(len(side)) for side in self.sides))
        match = replace(
            pairs,
            columns=self.columns,
            equal=self.compare(paired) if self.compare else pairs.equal,
            sums=partial(self.weigh, paired) if self.weigh else pairs.sums,
        )
        matches = {name: match, **(self.split.list(match) if self.split else {})}
        return {key: self._put_back(each) for key, each in matches.items()}

    def _put_back(self, match: Match) -> Match:
        """Return the match with row numbers among all annotations."""
        if self.among is None:
            return match
        golds, predictions = (np.append(rows, NONE) for rows in self.among())
        return replace(match, gold=golds[match.gold], prediction=predictions[match.prediction])


def _leave_out(taken: IntArray, rows: IntArray) -> IntArray:
    """Return the rows that are not taken, in their order."""
    free = np.ones(1 + max(int(of.max(initial=-1)) for of in (taken, rows)), np.bool_)
    free[taken] = False
    return rows[np.flatnonzero(free[rows])]


def _count_each(side: Annotations, documents: int) -> IntArray:
    """Count the annotations of each document, ``[documents]``."""
    firsts = find_first(side.document, np.arange(documents + 1))
    counts: IntArray = firsts[1:] - firsts[:-1]
    return counts


def list_rows(matches: Mapping[str, Listing]) -> dict[str, Match]:
    """List the rows of every match, and of its parts."""
    listed: dict[str, Match] = {}
    for name, rows in matches.items():
        listed |= rows.list(name)
    return listed


@dataclass(frozen=True, slots=True)
class MatchKind:
    """A kind of match, as a challenge declares it.

    Args:
        columns: name of a count to the verdicts that it counts.
        compare: returns for a corpus and its pairs the slots in which they agree, ``[p]`` each.
        weigh: returns for a corpus and its pairs names of counts and the value that each pair
            adds, ``[p]``.
    """

    columns: CountedVerdicts = field(default_factory=dict)
    compare: Callable[[Corpus, Pairs], Mapping[str, BoolArray]] | None = None
    weigh: Callable[[Corpus, Pairs], Iterable[tuple[str, Values]]] | None = None

    def of(self, corpus: Corpus, pairs: Pairs | Match) -> Rows:
        """Return the rows of a paired corpus."""
        return Rows(
            pairs,
            (corpus.gold.columns, corpus.prediction.columns),
            self.columns,
            partial(self.compare, corpus) if self.compare else None,
            partial(self.weigh, corpus) if self.weigh else None,
        )


def rows_of(corpus: Corpus, pairing: Pairing, kinds: Mapping[str, MatchKind]) -> dict[str, Rows]:
    """Return the rows of a paired corpus under some kinds of match."""
    return {name: kind.of(corpus, pairing[name]) for name, kind in kinds.items()}


def pairs_of(pairs: Pairs | Match) -> Pairs:
    """Return the pairs alone."""
    if isinstance(pairs, Pairs):
        return pairs
    return Pairs(pairs.gold[: pairs.pairs], pairs.prediction[: pairs.pairs])


def list_units(pairs: Pairs, golds: IntArray, predictions: IntArray) -> Match:
    """List pairs, then the unpaired ones among some predicted and some gold rows."""
    alone = _leave_out(pairs.prediction, predictions)
    unfound = _leave_out(pairs.gold, golds)
    verdict = np.repeat(np.arange(3, dtype=np.int8), [len(pairs), len(alone), len(unfound)])
    return Match(
        np.concatenate([pairs.gold, np.full(len(alone), NONE), unfound]),
        np.concatenate([pairs.prediction, alone, np.full(len(unfound), NONE)]),
        verdict,
        VERDICTS,
    )
