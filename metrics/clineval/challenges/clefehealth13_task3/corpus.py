"""A run and the judgments of its topics, and the order in which trec_eval 9 ranks documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, warn
from clineval.base.hashing import Hashes, hash_text
from clineval.kinds.documents import Whole

Run = dict[str, dict[str, float]]
"""Scores by topic and document."""
Qrels = dict[str, dict[str, int]]
"""Relevance by topic and document."""
Value = TypeVar("Value", float, int)
Row = tuple[str, str, Value]
"""Place in the input, document, and value."""
Rows = dict[str, list[Row[Value]]]
"""Rows by topic."""


@dataclass(frozen=True, slots=True, eq=False)
class RankingCorpus(Whole):
    """A run and the judgments of its topics, ready to be evaluated.

    Args:
        run: the retrieved documents.
        qrels: the judged documents.
        topics: the topics that count, in the order of the judgments.
        level: the lowest judgment that counts as relevant.
    """

    run: Run
    qrels: Qrels
    topics: tuple[str, ...]
    level: int

    def find_relevant(self, topic: str) -> set[str]:
        """Return the relevant documents of a topic."""
        return {name for name, judgment in self.qrels[topic].items() if judgment >= self.level}

    @property
    def documents(self) -> tuple[str, ...]:
        """The judged topics; they are counted as documents."""
        return tuple(self.qrels)

    @property
    def digests(self) -> Hashes:
        """``[topics]``, a digest of the judgments of each topic."""
        lines = (
            sorted(f"{name} {level}" for name, level in of.items()) for of in self.qrels.values()
        )
        return np.array([hash_text("\n".join(of_topic)) for of_topic in lines], np.uint64)

    @property
    def gold_sizes(self) -> IntArray:
        """``[topics]``, the number of judgments of each topic."""
        return np.array([len(of_topic) for of_topic in self.qrels.values()], np.int64)


def index_rows(topic: str, rows: Sequence[Row[Value]]) -> dict[str, Value]:
    """Map documents to values; raise an ``InputError`` if a document is in two rows."""
    documents: dict[str, Value] = {}
    for where, document, value in rows:
        if document in documents:
            raise InputError(repeated(topic, document), where=where, remedy="Keep one of the two")
        documents[document] = value
    return documents


def repeated(topic: str, document: str) -> str:
    """Return the message for a document that is in two rows of a topic."""
    return f"document {document} occurs twice in topic {topic}"


def choose_topics(run: Run, qrels: Qrels, *, complete: bool) -> tuple[str, ...]:
    """Return the topics that count, in the order of the judgments."""
    unjudged = [topic for topic in run if topic not in qrels]
    problem = "{n} {topic of the run is|topics of the run are} not judged and {does|do} not count"
    warn(f"{problem}: {{names}}", unjudged)
    missing = [topic for topic in qrels if topic not in run]
    effect = "{counts|count} 0" if complete else "{does|do} not count"
    problem = "{n} judged {topic is|topics are} missing from the run and"
    warn(f"{problem} {effect}: {{names}}", missing)
    return tuple(qrels) if complete else tuple(topic for topic in qrels if topic in run)


_Scored = tuple[float, str, int]
"""Score, document and position."""


def rank(documents: Sequence[str], scores: Sequence[float]) -> list[int]:
    """Return the positions of the documents, best first: by score, then by id, both descending.

    Scores are compared as 32-bit numbers, ids byte by byte. NaN ties with every score, so the
    order depends on the sorting algorithm. This is glibc's merge sort, which trec_eval uses; it
    starts from the documents in the order of their ids.

    Examples:
        >>> rank(["a", "b", "c"], [1.0, 1.0 + 1e-9, 2.0])
        [2, 1, 0]
    """
    with np.errstate(over="ignore"):
        values = np.array(scores, np.float64).astype(np.float32)
    scored = list(zip(values.tolist(), documents, range(len(documents)), strict=True))
    if np.isnan(values).any():
        ranked = _merge_sort(sorted(scored, key=lambda item: item[1]))
    else:
        ranked = sorted(scored, reverse=True)
    return [position for *_, position in ranked]


def _merge_sort(scored: Sequence[_Scored]) -> list[_Scored]:
    if len(scored) <= 1:
        return list(scored)
    half = len(scored) // 2
    left, right = _merge_sort(scored[:half]), _merge_sort(scored[half:])
    merged: list[_Scored] = []
    at = 0
    for item in left:
        while at < len(right) and not _may_precede(item, right[at]):
            merged.append(right[at])
            at += 1
        merged.append(item)
    return merged + right[at:]


def _may_precede(one: _Scored, other: _Scored) -> bool:
    if one[0] > other[0]:
        return True
    return not one[0] < other[0] and one[1] >= other[1]
