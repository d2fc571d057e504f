"""Codes with grades: on the gold side also codes that a system need not predict.

The rows of a side have the columns ``code`` and ``grade``. Some grades are scored, as if the other
rows did not exist. Predicted codes get the grade that the gold standard gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.kinds.codes.corpus import CODE, GRADE, Aligned, CodeCorpus, as_side, join_aligned
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import CountedVerdicts, Rows
from clineval.results.columns import MentionColumns


def as_graded(
    names: Sequence[str], codes: Iterable[Mapping[str, str]], *, by_name: bool = True
) -> Side:
    """Build one side of a corpus from the grade of each code of each document.

    Examples:
        >>> side = as_graded(["a"], [{"5": "essential", "6": "supplementary"}])
        >>> side.mentions.attributes["grade"].values
        ('essential', 'supplementary')
    """
    listed = list(codes)
    rows = [(at, code) for at, of in enumerate(listed) for code in of]
    side = as_side(names, [(at, code, ()) for at, code in rows], by_name=by_name)
    grades = Coded.of([listed[at][code] for at, code in rows])
    attributes = {**side.mentions.attributes, GRADE: grades}
    return replace(side, mentions=replace(side.mentions, attributes=attributes))


def has_grade(columns: MentionColumns, grades: Collection[str]) -> BoolArray:
    """Return which rows have one of some grades, ``[n]``."""
    column = columns.attributes[GRADE]
    return np.array([value in grades for value in column.values], np.bool_)[column.ids]


def keep_grades(side: Side, grades: Collection[str]) -> Side:
    """Return the rows of a side that have one of some grades."""
    kept = np.flatnonzero(has_grade(side.mentions, grades)) if len(side.mentions) else ()
    return replace(side, mentions=side.mentions.take(np.asarray(kept, np.int64)))


def join_graded(
    sides: tuple[Side, Side],
    aligned: Aligned,
    scored: Collection[str],
    usual: Callable[[str], str],
    ignored: Collection[str],
) -> CodeCorpus:
    """Join the rows with scored grades of both sides.

    Args:
        sides: the gold standard with all grades, and the predictions.
        aligned: the result of ``align_documents``.
        scored: the grades that count as gold annotation.
        usual: returns the grade of a predicted code that the gold standard does not grade.
        ignored: the grades on which no score depends; digests leave them out.
    """
    gold, predicted = sides[0], keep_grades(sides[1], scored)
    corpus = join_aligned((keep_grades(gold, scored), predicted), aligned, str)
    grades = gold.mentions.attributes[GRADE].values
    given = [usual(code) for code in corpus.prediction.attributes[CODE].values]
    names = tuple(sorted({*grades, *given}))
    of_gold, of_rows = (
        np.array([names.index(grade) for grade in given], np.int64)[side.attributes[CODE].ids]
        for side in (corpus.gold, corpus.prediction)
    )
    documents, numbers, _ = aligned
    for grade in grades:
        part = keep_grades(gold, (grade,))
        own = join_aligned((keep_grades(gold, scored), part), (documents, numbers, numbers), str)
        of_gold[own.find_same().gold] = names.index(grade)
        other = join_aligned((part, predicted), aligned, str)
        of_rows[other.find_same().prediction] = names.index(grade)
    counted = keep_grades(gold, {*grades}.difference(ignored)).mentions
    return replace(
        corpus,
        gold=_add_grades(corpus.gold, Coded(of_gold, names)),
        prediction=_add_grades(corpus.prediction, Coded(of_rows, names)),
        digests=digest_documents(_sort_by_document(counted, numbers), len(documents)),
    )


def _add_grades(columns: MentionColumns, grades: Coded) -> MentionColumns:
    return replace(columns, attributes={**columns.attributes, GRADE: grades})


def _sort_by_document(columns: MentionColumns, numbers: IntArray) -> MentionColumns:
    document = numbers[columns.document] if len(columns) else columns.document
    return replace(columns, document=document).take(np.argsort(document, kind="stable"))


def rows_among(
    corpus: CodeCorpus, pairs: Pairs, kept: tuple[BoolArray, BoolArray], columns: CountedVerdicts
) -> Rows:
    """Return the rows of some codes of each side, as if the others did not exist."""
    golds, predictions = map(np.flatnonzero, kept)
    both = kept[0][pairs.gold] & kept[1][pairs.prediction]
    chosen = pairs.take(np.flatnonzero(both))
    places = [np.cumsum(of) - 1 for of in kept]
    return Rows(
        Pairs(places[0][chosen.gold], places[1][chosen.prediction]),
        (corpus.gold.take(golds), corpus.prediction.take(predictions)),
        columns,
        among=lambda: (golds, predictions),
    )
