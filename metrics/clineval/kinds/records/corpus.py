"""Records of both sides, with aligned documents and equal numbers for equal values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.hashing import Hashes
from clineval.kinds.documents import Whole, align_documents
from clineval.kinds.mentions.columns import Intake, Side
from clineval.kinds.mentions.corpus import renumber_intake
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.records.values import INVALID
from clineval.results.columns import MentionColumns

Row = tuple[int, Sequence[str]]
"""Number of the document, and the text of each field."""


def as_columns(rows: Iterable[Row], names: Sequence[str]) -> MentionColumns:
    """Build columns of records, which are mentions without fragments.

    Examples:
        >>> columns = as_columns([(0, ["pain", "5"]), (0, ["pain", "6"])], ["concept", "value"])
        >>> columns.attributes["concept"].values, len(columns)
        (('pain',), 2)
    """
    listed = list(rows)
    texts = zip(*(texts for _, texts in listed), strict=True) if listed else ([] for _ in names)
    attributes = {name: Coded.of(list(of)) for name, of in zip(names, texts, strict=True)}
    return place_nowhere(np.array([at for at, _ in listed], np.int32), attributes)


def place_nowhere(document: IntArray, attributes: Mapping[str, Coded]) -> MentionColumns:
    """Build mentions without fragments."""
    none = np.zeros(0, np.int32)
    return MentionColumns(document, np.zeros(len(document) + 1, np.int64), none, none, attributes)


@dataclass(frozen=True, slots=True, eq=False)
class RecordCorpus(Whole):
    """Gold and predicted records of the same documents.

    Args:
        documents: the names of the documents.
        gold: the gold records, a column for each field, in the order of the input.
        prediction: the predicted records; equal values have equal numbers on both sides.
        texts: document number to text, if texts are known.
        compared: the compared fields; other fields only help to read a record.
        known: a cache of facts about the values, by name.
        intake: facts from reading the predictions, if there are any.
    """

    documents: tuple[str, ...]
    gold: MentionColumns
    prediction: MentionColumns
    texts: Mapping[int, str]
    compared: tuple[str, ...]
    known: dict[str, Any] = field(default_factory=dict)
    intake: Intake | None = None

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of each document's gold records, in the compared fields."""
        said = {name: self.gold.attributes[name] for name in self.compared}
        return digest_documents(replace(self.gold, attributes=said), len(self.documents))

    @property
    def gold_sizes(self) -> IntArray:
        """``[documents]``, the number of each document's gold records."""
        return self.gold.sizes(len(self.documents))

    @property
    def sides(self) -> tuple[MentionColumns, MentionColumns]:
        """Gold and predicted records."""
        return self.gold, self.prediction

    def with_sides(self, sides: Iterable[MentionColumns]) -> RecordCorpus:
        """Return a copy with other records; equal values get equal numbers."""
        gold, prediction = share_values(*sides)
        return replace(self, gold=gold, prediction=prediction, known={})

    def folded(self, fold: Mapping[str, Callable[[str], str]]) -> RecordCorpus:
        """Return a copy with other texts for the values of some fields."""
        return self.with_sides(_fold_fields(side, fold) for side in self.sides)


def _fold_fields(side: MentionColumns, fold: Mapping[str, Callable[[str], str]]) -> MentionColumns:
    folded = {name: _fold(column, fold.get(name)) for name, column in side.attributes.items()}
    return replace(side, attributes=folded)


def _fold(column: Coded, fold: Callable[[str], str] | None) -> Coded:
    if fold is None:
        return column
    folded = Coded.of(list(map(fold, column.values)))
    return Coded(folded.ids.take(column.ids), folded.values)


def share_values(
    gold: MentionColumns, prediction: MentionColumns
) -> tuple[MentionColumns, MentionColumns]:
    """Give equal values of both sides the same number, in their order."""
    columns: dict[str, list[Coded]] = {}
    for name, column in gold.attributes.items():
        pair = [column.compact(), prediction.attributes[name].compact()]
        values = tuple(sorted({value for each in pair for value in each.values}))
        columns[name] = [each.fold(str, values) for each in pair]
    left, right = ({name: pair[at] for name, pair in columns.items()} for at in (0, 1))
    return replace(gold, attributes=left), replace(prediction, attributes=right)


def join_records(
    gold: Side,
    prediction: Side,
    names: Sequence[str],
    compared: Sequence[str],
    *,
    visited: Literal["all", "gold"] = "all",
) -> RecordCorpus:
    """Join both sides.

    Args:
        gold: the gold standard.
        prediction: the predictions.
        names: the fields to keep.
        compared: the fields to compare.
        visited: whether predicted documents without a gold one count.
    """
    documents, golds, predictions = align_documents(gold, prediction, visited=visited)
    if visited == "gold":
        documents = documents[: len(gold.documents)]
    return join_aligned((gold, prediction), (documents, golds, predictions), names, compared)


def join_aligned(
    both: tuple[Side, Side],
    aligned: tuple[tuple[str, ...], IntArray, IntArray],
    names: Sequence[str],
    compared: Sequence[str],
) -> RecordCorpus:
    """Join records as :func:`join_records` does, with the result of ``align_documents``."""
    (gold, prediction), (documents, *numbers) = both, aligned
    sides = [
        _renumber(side.mentions, document_numbers, names, len(documents))
        for side, document_numbers in zip((gold, prediction), numbers, strict=True)
    ]
    texts = {
        int(number): text
        for side, document_numbers in ((prediction, numbers[1]), (gold, numbers[0]))
        for number, text in zip(document_numbers, side.texts, strict=False)
        if text is not None and number < len(documents)
    }
    intake = renumber_intake(prediction.intake, numbers[1], len(documents))
    return RecordCorpus(documents, *share_values(*sides), texts, tuple(compared), intake=intake)


def _renumber(
    columns: MentionColumns, numbers: IntArray, names: Sequence[str], documents: int
) -> MentionColumns:
    document = numbers[columns.document] if len(columns) else columns.document
    kept = {name: columns.attributes[name] for name in names}
    order = np.argsort(document, kind="stable")
    order = order[: np.searchsorted(document[order], documents)]
    return replace(columns, document=document, attributes=kept).take(order)


def is_valid(columns: MentionColumns, names: Iterable[str]) -> BoolArray:
    """Return which records, ``[n]``, have no invalid value in these fields."""
    valid = np.ones(len(columns), np.bool_)
    for name in names:
        column = columns.attributes[name]
        if INVALID in column.values:
            valid &= column.ids != column.values.index(INVALID)
    return valid
