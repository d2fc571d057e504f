"""Codes of documents: one row for each time that a document was given a code.

The codes of a document are ranked, the best first. A code may have spans in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from clineval.base.arrays import Coded, IntArray, expand_ranges
from clineval.base.hashing import Hashes
from clineval.kinds.documents import Whole, align_documents
from clineval.kinds.mentions.columns import Intake, Side, join_texts
from clineval.kinds.mentions.corpus import renumber_intake
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import CountedVerdicts, Rows
from clineval.results.columns import MentionColumns

CODE, CHAPTER, GRADE, SCORE = "code", "chapter", "grade", "score"
Spans = Sequence[tuple[int, int]]
Row = tuple[int, str, Spans]
"""Number of the document, code, and its spans, if any."""
Aligned = tuple[tuple[str, ...], IntArray, IntArray]
"""The names of all documents, and the numbers of each side's documents."""


def is_code(text: str) -> bool:
    """Return whether a string can be a code: printable, and one word.

    Examples:
        >>> is_code(" E11.9"), is_code("no fever"), is_code("")
        (True, False, False)
    """
    return len(text.split()) == 1 and text.strip().isprintable()


def is_phrase(text: str) -> bool:
    """Return whether a string can be a code of several words: printable, and not blank.

    Examples:
        >>> is_phrase("skin rash"), is_phrase(" ")
        (True, False)
    """
    return bool(text.strip()) and text.isprintable()


def as_side(names: Sequence[str], rows: Iterable[Row], *, by_name: bool = True) -> Side:
    """Build one side of a corpus; the rows of a document keep their order.

    Args:
        names: the names of the documents.
        rows: for each code the number of its document, the code, and its spans in the text.
        by_name: whether documents are paired by name; otherwise by position.

    Examples:
        >>> side = as_side(["a", "b"], [(1, "I10", []), (0, "E11.9", [(4, 12)]), (1, "J45", [])])
        >>> side.mentions.document.tolist(), side.mentions.attributes["code"].values
        ([0, 1, 1], ('E11.9', 'I10', 'J45'))
    """
    ordered = sorted(rows, key=lambda row: row[0])
    spans = [span for *_, code_spans in ordered for span in code_spans]
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    columns = MentionColumns(
        np.array([document for document, *_ in ordered], np.int32),
        np.cumsum([0, *(len(code_spans) for *_, code_spans in ordered)]),
        starts,
        ends,
        {CODE: Coded.of([code for _, code, _ in ordered])},
    )
    return Side(tuple(names), tuple(names) if by_name else None, columns)


def codes_of(columns: MentionColumns) -> list[str]:
    """List the code of each row."""
    column = columns.attributes[CODE]
    return [column.values[at] for at in column.ids.tolist()]


def number(documents: Sequence[str]) -> tuple[tuple[str, ...], list[int]]:
    """Return the distinct names in the order of their first appearance, and each name's number."""
    numbers = {name: at for at, name in enumerate(dict.fromkeys(documents))}
    return tuple(numbers), [numbers[name] for name in documents]


@dataclass(frozen=True, slots=True, eq=False)
class CodeCorpus(Whole):
    """Gold and predicted codes of the same documents.

    Args:
        documents: the names of the documents.
        gold: the distinct gold codes of each document; a code has all spans of its repeats.
        prediction: the predicted codes, best first.
        digests: ``[documents]``, a digest of each document's gold codes.
        texts: document number to text, if texts are known.
        intake: facts from reading the predictions, if there are any.
    """

    documents: tuple[str, ...]
    gold: MentionColumns
    prediction: MentionColumns
    digests: Hashes
    texts: Mapping[int, str] = field(default_factory=dict)
    intake: Intake | None = None

    @property
    def gold_sizes(self) -> IntArray:
        """``[documents]``, how many gold codes each has."""
        return self.gold.sizes(len(self.documents))

    @property
    def rank(self) -> IntArray:
        """``[p]``, the rank of each predicted code in its document's list, from 1."""
        document = self.prediction.document
        return np.arange(len(document)) - np.searchsorted(document, document) + 1

    def find_same(self) -> Pairs:
        """Pair the codes that both sides have for a document."""
        golds, predictions = (
            side.document.astype(np.int64) * len(codes.values) + codes.ids
            for side in (self.gold, self.prediction)
            for codes in [side.attributes[CODE]]
        )
        _, gold, prediction = np.intersect1d(
            golds, predictions, assume_unique=True, return_indices=True
        )
        order = np.argsort(gold)
        return Pairs(gold[order], prediction[order])

    def rows_of(self, pairs: Pairs, columns: CountedVerdicts) -> Rows:
        """Return the rows of all codes, paired or not."""
        return Rows(pairs, (self.gold, self.prediction), columns)

    def labelled(self, name: str, label: Callable[[str], str]) -> Self:
        """Return a copy with one more column, such as chapters, computed from each code."""
        codes = self.gold.attributes[CODE]
        of_code = Coded.of([label(code) for code in codes.values])
        gold, prediction = (
            replace(side, attributes={**side.attributes, name: Coded(ids, of_code.values)})
            for side in (self.gold, self.prediction)
            for ids in [of_code.ids[side.attributes[CODE].ids]]
        )
        return replace(self, gold=gold, prediction=prediction)

    def with_values(self, codes: Iterable[str]) -> Self:
        """Return a copy whose columns of codes also know other codes, which no document has."""
        values = self.gold.attributes[CODE].values
        every = (*values, *sorted(set(codes).difference(values)))
        gold, prediction = (
            replace(side, attributes={**side.attributes, CODE: Coded(of.ids, every)})
            for side in (self.gold, self.prediction)
            for of in [side.attributes[CODE]]
        )
        return replace(self, gold=gold, prediction=prediction)


def join_codes(gold: Side, prediction: Side, fold: Callable[[str], str]) -> CodeCorpus:
    """Join gold and predicted codes, the best of a document first.

    ``fold`` returns the form in which codes are compared.
    """
    return join_aligned((gold, prediction), align_documents(gold, prediction), fold)


def join_aligned(
    sides: tuple[Side, Side], aligned: Aligned, fold: Callable[[str], str]
) -> CodeCorpus:
    """Join codes as :func:`join_codes` does, with the result of ``align_documents``."""
    (gold, prediction), (documents, *numbers) = sides, aligned
    columns = list(map(_renumber, (gold.mentions, prediction.mentions), numbers))
    values = [tuple(map(fold, side.attributes[CODE].values)) for side in columns]
    known = tuple(sorted({value for of in values for value in of}))
    golds, predictions = (
        _unite_repeats(replace(side, attributes={CODE: side.attributes[CODE].fold(fold, known)}))
        for side in columns
    )
    return CodeCorpus(
        documents,
        golds,
        predictions,
        digest_documents(golds, len(documents)),
        join_texts(gold, prediction, (numbers[0], numbers[1])),
        renumber_intake(prediction.intake, numbers[1], len(documents)),
    )


def _renumber(columns: MentionColumns, numbers: IntArray) -> MentionColumns:
    document = numbers[columns.document] if len(columns) else columns.document
    return replace(columns, document=document).take(np.argsort(document, kind="stable"))


def _unite_repeats(columns: MentionColumns) -> MentionColumns:
    """List each code of a document once, at its first position, with all its spans."""
    codes = columns.attributes[CODE]
    key = columns.document.astype(np.int64) * max(len(codes.values), 1) + codes.ids
    _, first, unit = np.unique(key, return_index=True, return_inverse=True)
    if len(first) == len(columns):
        return columns
    place = np.empty(len(first), np.int64)  # units in the order of their first rows
    place[np.argsort(first)] = np.arange(len(first))
    order = np.argsort(place[unit], kind="stable")
    fragments = expand_ranges(columns.bounds[order], columns.bounds[order + 1])
    counts = np.bincount(place[unit], columns.fragment_counts, len(first)).astype(np.int64)
    return replace(
        columns.take(np.sort(first)),
        bounds=np.concatenate([[0], np.cumsum(counts)]),
        starts=columns.starts[fragments],
        ends=columns.ends[fragments],
    )
