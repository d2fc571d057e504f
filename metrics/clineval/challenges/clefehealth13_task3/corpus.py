"""A run and the judgments of its topics, as the protocols take them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from clineval.base.errors import InputError, warn
from clineval.base.hashing import Hashes, hash_text
from clineval.challenges.clefehealth13_task3.ranking import rank

Run = dict[str, dict[str, float]]
"""Topic to document to score."""
Qrels = dict[str, dict[str, int]]
"""Topic to document to relevance."""
Value = TypeVar("Value", float, int)
Row = tuple[str, str, Value]
"""Place, document and value."""
Rows = dict[str, list[Row[Value]]]
"""Topic to its rows."""


@dataclass(frozen=True, slots=True, eq=False)
class RankingCorpus:
    """A run and the judgments of its topics, ready to be evaluated.

    Args:
        run: what was retrieved.
        qrels: what was judged.
        topics: the topics that count, in the order of the judgments.
        level: the lowest judgment that is relevant.
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
        """The judged topics, which take the place of documents."""
        return tuple(self.qrels)

    @property
    def digests(self) -> Hashes:
        """``[topics]``, a digest of the judgments of each."""
        lines = (
            sorted(f"{name} {level}" for name, level in of.items()) for of in self.qrels.values()
        )
        return np.array([hash_text("\n".join(of_topic)) for of_topic in lines], np.uint64)

    def blocks(self) -> Iterator[RankingCorpus]:
        """Yield the whole, as topics are evaluated together."""
        yield self


@dataclass(frozen=True, slots=True)
class Reading:
    """How a protocol reads.

    Args:
        lenient: whether to read as trec_eval 9 does, and to stop where it does.
        depth: how many documents of a topic count, as with ``trec_eval -M``; None for all.
    """

    lenient: bool
    depth: int | None


def join_run(
    rows: Rows[float], qrels: Qrels, reading: Reading, *, complete: bool, level: int
) -> RankingCorpus:
    """Put a run beside the judgments; an ``InputError`` for what the protocol refuses.

    If it is ``complete``, judged topics that the run lacks count too; ``level`` is the lowest
    judgment that is relevant.
    """
    run = _index_run(rows, qrels, reading)
    return RankingCorpus(run, qrels, _choose_topics(run, qrels, complete=complete), level)


def index_rows(topic: str, rows: Sequence[Row[Value]]) -> dict[str, Value]:
    """Map documents to values; an ``InputError`` if a document stands in two rows."""
    documents: dict[str, Value] = {}
    for where, document, value in rows:
        if document in documents:
            raise InputError(repeated(topic, document), where=where, remedy="Keep one of the two")
        documents[document] = value
    return documents


def repeated(topic: str, document: str) -> str:
    """Say that a document stands in two rows of a topic."""
    return f"document {document} is listed twice in topic {topic}"


def _index_run(rows: Rows[float], qrels: Qrels, reading: Reading) -> Run:
    if not reading.lenient:
        return {topic: index_rows(topic, of_topic) for topic, of_topic in rows.items()}
    if not rows.keys() & qrels.keys():
        raise InputError(
            f"expected topics that have results and judgments, got {len(rows)} topics of the run, "
            f"{len(qrels)} of the judgments and none of both",
            remedy="Give the judgments of the run's topics; trec_eval 9 stops here too",
        )
    depth = reading.depth
    if depth is not None:
        deep = [topic for topic, found in rows.items() if topic in qrels and len(found) > depth]
        warn(f"only the best {depth} documents count of the topics with more: {{names}}", deep)
    return {topic: _index_best(topic, rows[topic], qrels, depth) for topic in rows}


def _index_best(
    topic: str, rows: Sequence[Row[float]], qrels: Qrels, depth: int | None
) -> dict[str, float]:
    """Return the best documents; those that trec_eval does not look at may be listed twice."""
    if topic not in qrels:
        return {document: score for _, document, score in rows}
    order = rank([document for _, document, _ in rows], [score for *_, score in rows])
    return index_rows(topic, [rows[at] for at in sorted(order[:depth])])


def _choose_topics(run: Run, qrels: Qrels, *, complete: bool) -> tuple[str, ...]:
    """Return the topics that count, in the order of the judgments."""
    unjudged = [topic for topic in run if topic not in qrels]
    problem = "{n} {topic of the run is|topics of the run are} not judged and {does|do} not count"
    warn(f"{problem}: {{names}}", unjudged)
    missing = [topic for topic in qrels if topic not in run]
    effect = "{counts|count} 0" if complete else "{does|do} not count"
    problem = "{n} judged {topic is|topics are} missing from the run and"
    warn(f"{problem} {effect}: {{names}}", missing)
    return tuple(qrels) if complete else tuple(topic for topic in qrels if topic in run)
