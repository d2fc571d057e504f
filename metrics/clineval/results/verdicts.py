"""Verdicts: what one annotator decided about each document, question by question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.results.columns import MentionColumns

ABSENT, PRESENT = "absent", "present"
"""The answers to the question whether a document has a code, or one of several classes."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """The verdicts of one annotator, ``n`` in all.

    Args:
        document: ``[n]``, the number of the document.
        question: ``[n]``, the question.
        answer: ``[n]``, the answer; None if a question is whether a document has a code. Then
            each verdict is a code that a document has, and documents do not have the other codes.
        answers: maps questions to their possible answers, if these are known.
        whole: a name for all questions together.
    """

    document: IntArray
    question: Coded
    answer: Coded | None
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    whole: str = "all"

    @classmethod
    def presence(cls, side: MentionColumns, *slots: str, whole: str) -> Verdicts:
        """Return the codes that documents have; a code is the values of one or several slots.

        Examples:
            >>> side = MentionColumns.of([0, 1], [[], []], {"code": Coded.of(["I10", "E11"])})
            >>> Verdicts.presence(side, "code", whole="all codes").question.values
            ('I10', 'E11')
        """
        columns = [side.attributes[slot] for slot in slots]
        numbers = np.stack([column.ids.astype(np.int64) for column in columns])
        distinct, ids = np.unique(numbers, axis=1, return_inverse=True)
        names = (
            " ".join(column.values[at] for column, at in zip(columns, row, strict=True))
            for row in distinct.T.tolist()
        )
        return cls(side.document, Coded(ids.ravel(), tuple(names)), None, whole=whole)
