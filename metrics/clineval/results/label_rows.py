"""Labels of documents, for scores that are not computed from sums over documents.

A macro-average over thousands of codes, or an area under a curve, needs more than a row of counts
for each document. :class:`LabelRows` keeps a row for each label that a document has, or that a
system scored. Rows of parts are concatenated. All other labels of a document are absent, so memory
grows with the labels that are there, and not with documents times labels.

To resample documents, scores take the number of times that each document was drawn: its weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self, TypeVar

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.base.errors import InputError
from clineval.base.hashing import ODD, Hashes, hash_text, mix

RowsT = TypeVar("RowsT", bound="LabelRows")
SCORES, ORDER, SETS = "scores", "order", "sets"
RANKINGS = (SCORES, ORDER, SETS, "")
_ABSENT, _PREDICTED, _GOLD, _BOTH = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class LabelRows:
    """The labels of documents, ``n`` rows: one for each label that a document has on either side.

    Args:
        place: ``[d]``, the number of each document's weight.
        width: the number of weights; more than ``d`` if two systems share them.
        row: ``[n]``, the number of the weight of each row, never decreasing.
        label: ``[n]``, the label of each row; all possible labels, sorted.
        gold: ``[n]``, whether the gold standard has the label.
        predicted: ``[n]``, whether the system has the label.
        score: ``[n]``, the score of the label, the higher the better; NaN if it has none.
        ranking: what ranks the labels of a document: ``scores``, the ``order`` of the labels, or
            nothing (``sets``); empty if there is no prediction.
        cutoffs: the values of k of scores at k.
        marks: what is known of all documents together, such as the labels that any of them has. It
            decides which scores exist, so that documents that are drawn keep them.
    """

    place: IntArray
    width: int
    row: IntArray
    label: Coded
    gold: BoolArray
    predicted: BoolArray
    score: FloatArray
    ranking: str = SETS
    cutoffs: tuple[int, ...] = ()
    marks: tuple[str, ...] = ()

    @classmethod
    def of(  # noqa: PLR0913 - one for each column
        cls,
        documents: int,
        row: IntArray,
        label: Coded,
        sides: tuple[BoolArray, BoolArray],
        score: FloatArray | None = None,
        *,
        ranking: str = SETS,
        cutoffs: tuple[int, ...] = (),
        marks: Iterable[str] = (),
    ) -> Self:
        """Build rows of documents, each with a weight of its own; ``row`` need not be sorted."""
        label = _sort_values(label)
        order = np.lexsort((label.ids, row))
        kept = np.full(len(row), np.nan) if score is None else score
        return cls(
            np.arange(documents),
            documents,
            np.asarray(row, np.int64)[order],
            Coded(label.ids[order], label.values),
            sides[0][order],
            sides[1][order],
            kept[order],
            ranking,
            cutoffs,
            tuple(sorted(set(marks))),
        )

    def eye(self) -> FloatArray:
        """Return ``[d, width]``, the weights of each document alone."""
        weights = np.zeros((len(self.place), self.width))
        weights[np.arange(len(self.place)), self.place] = 1
        return weights

    def score_as(self, ranking: str) -> FloatArray:
        """Return the scores, for rows that are joined with others."""
        if ranking != SCORES or self.ranking == SCORES:
            return self.score
        scores: FloatArray = np.where(self.predicted, 1.0, np.nan)
        return scores

    def weigh_all(self) -> FloatArray:
        """Return ``[1, width]``, the weights of all documents together."""
        weights = np.zeros((1, self.width))
        weights[0, self.place] = 1
        return weights

    def take(self, rows: Sequence[int]) -> Self:
        """Return the labels of some documents."""
        chosen = np.asarray(rows, np.int64)
        edges = np.searchsorted(self.row, np.arange(len(self.place) + 1))
        sizes = np.diff(edges)[chosen]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return self.choose(
            np.repeat(edges[:-1][chosen], sizes) + within,
            np.repeat(np.arange(len(chosen)), sizes),
            len(chosen),
        )

    def spread(self, rows: Sequence[int], documents: int) -> Self:
        """Return the labels of as many documents; ``rows`` are the new numbers of the old ones."""
        moved = np.asarray(rows, np.int64)[self.row]
        order = np.argsort(moved, kind="stable")
        return self.choose(order, moved[order], documents)

    def narrow(self, weights: FloatArray) -> tuple[Self, FloatArray]:
        """Leave out the labels of documents whose weights are all 0, and these weights."""
        kept = np.asarray(weights.any(axis=0))
        rows = np.flatnonzero(kept[self.row])
        number = np.cumsum(kept) - 1
        return self.choose(rows, number[self.row[rows]], int(kept.sum())), weights[:, kept]

    def empty(self) -> Self:
        """Return no labels, of as many documents."""
        none = np.zeros(0, np.int64)
        return self.choose(none, none, self.width)

    def choose(self, rows: IntArray, document: IntArray, documents: int) -> Self:
        """Return some rows, with other numbers of weights; each document has its own weight."""
        return replace(
            self,
            place=np.arange(documents),
            width=documents,
            row=document,
            label=Coded(self.label.ids[rows], self.label.values),
            gold=self.gold[rows],
            predicted=self.predicted[rows],
            score=self.score[rows],
        )

    @property
    def verdicts(self) -> IntArray:
        """``[n]``, the number of a verdict: predicted only, gold only, both, or neither."""
        found: IntArray = 2 * self.gold.astype(np.int8) + self.predicted
        return found

    @property
    def digests(self) -> Hashes:
        """``[width]``, a digest of the rows of each weight, whatever their order."""
        values = np.array([hash_text(value) for value in self.label.values], np.uint64)
        words = values[self.label.ids] if len(self.row) else np.zeros(0, np.uint64)
        bits = (np.where(np.isnan(self.score), -1.0, self.score) + 0.0).view(np.uint64)
        words = mix(mix(words * ODD + bits) * ODD + self.verdicts.astype(np.uint64))
        sums = np.zeros(self.width, np.uint64)
        np.add.at(sums, self.row, words)
        return sums

    def share(self, other: Self) -> tuple[Self, Self]:
        """Return the rows of two systems on the same documents with shared weights.

        Both results have the rows of both systems. A document has a weight for each system, or a
        single one if the rows of both systems are the same. So the totals of mixed systems, whose
        outputs are swapped document by document, are sums of weights too.
        """
        size, same = self.width, self.digests == other.digests
        both = join_rows([self, other]) or self
        kept = np.flatnonzero((both.row < size) | ~np.concatenate([same, same])[both.row])
        whole = both.choose(kept, both.row[kept], both.width)
        second = np.where(same, np.arange(size), np.arange(size, 2 * size))
        return replace(whole, place=np.arange(size)), replace(whole, place=second)

    def as_dict(self) -> dict[str, object]:
        """Return the rows as lists, for JSON."""
        marked = {"marks": list(self.marks)} if self.marks else {}
        return marked | {
            "row": self.row.tolist(),
            "label": self.label.ids.tolist(),
            "labels": list(self.label.values),
            "verdict": self.verdicts.tolist(),
            "score": [None if score != score else score for score in self.score.tolist()],  # noqa: PLR0124
            "ranking": self.ranking,
            "cutoffs": list(self.cutoffs),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LabelRows):
            return NotImplemented
        return self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]


def _sort_values(column: Coded) -> Coded:
    """Return a column with sorted values."""
    order = sorted(range(len(column.values)), key=column.values.__getitem__)
    numbers = np.argsort(np.array(order, np.int64))
    ids = numbers[column.ids] if len(column.ids) else column.ids
    return Coded(ids, tuple(column.values[at] for at in order))


def read_rows(given: object, documents: int) -> LabelRows:
    """Check and read the result of :meth:`LabelRows.as_dict`.

    Raises:
        InputError: it is not such a result.
    """
    held = given if isinstance(given, dict) else {}
    columns = [held.get(name) for name in ("row", "label", "verdict", "score")]
    labels, cutoffs = held.get("labels"), held.get("cutoffs")
    marks = held.get("marks", [])
    lists = [*columns, labels, cutoffs, marks]
    if not all(isinstance(each, list) for each in lists) or len({*map(len, columns)}) > 1:  # type: ignore[arg-type]
        raise _refuse()
    row, label, verdict, score = (list(each or ()) for each in columns)
    names, depths, marked = list(labels or ()), list(cutoffs or ()), list(marks)
    if not (
        _are_numbers(row, documents)
        and _are_numbers(label, len(names))
        and _are_numbers(verdict, _BOTH + 1)
        and row == sorted(row)
        and all(type(k) is int and k > 0 for k in depths)
        and all(isinstance(name, str) for name in (*names, *marked))
        and names == sorted(set(names))
        and all(s is None or (type(s) in {int, float} and abs(s) <= 2**53) for s in score)
        and held.get("ranking") in RANKINGS
    ):
        raise _refuse()
    kinds = np.array(verdict, np.int8)
    return LabelRows.of(
        documents,
        np.array(row, np.int64),
        Coded(np.array(label, np.int64), tuple(names)),
        (np.isin(kinds, (_GOLD, _BOTH)), np.isin(kinds, (_PREDICTED, _BOTH))),
        np.array([np.nan if s is None else s for s in score], np.float64),
        ranking=held["ranking"],
        cutoffs=tuple(depths),
        marks=marked,
    )


def _are_numbers(values: Sequence[object], below: int) -> bool:
    return all(type(value) is int and 0 <= value < below for value in values)


def _refuse() -> InputError:
    return InputError("labels: expected rows of labels, as clineval writes them")


def join_rows(parts: Sequence[RowsT | None]) -> RowsT | None:
    """Concatenate the rows of parts, document after document; None if the parts have none.

    If some parts have scores, the labels of other parts have the score 1, as in a single part.
    """
    every = [part for part in parts if part is not None]
    if not every:
        return None
    ranking = next(known for known in RANKINGS if known in {part.ranking for part in every})
    values = tuple(sorted({value for part in every for value in part.label.values}))
    number = {value: at for at, value in enumerate(values)}
    sizes = [len(part.place) for part in every]
    before = np.cumsum([0, *sizes])
    ids = [
        np.array([number[value] for value in part.label.values], np.int64)[part.label.ids]
        if len(part.row)
        else np.zeros(0, np.int64)
        for part in every
    ]
    return replace(
        every[0],
        place=np.arange(before[-1]),
        width=int(before[-1]),
        row=np.concatenate([part.row + at for part, at in zip(every, before, strict=False)]),
        label=Coded(np.concatenate(ids), values),
        gold=np.concatenate([part.gold for part in every]),
        predicted=np.concatenate([part.predicted for part in every]),
        score=np.concatenate([part.score_as(ranking) for part in every]),
        ranking=ranking,
        cutoffs=tuple(dict.fromkeys(chain.from_iterable(part.cutoffs for part in every))),
        marks=tuple(sorted({mark for part in every for mark in part.marks})),
    )
