"""TREC runs and relevance judgments: files, dicts, and the columns of evaluate's ``trec_eval``.

A run has lines ``topic Q0 document rank score tag``, judgments have lines
``topic 0 document relevance``; columns are separated by blanks. Empty lines and lines that begin
with ``#`` are passed over. The rank, and what stands in the second column, do not matter.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Any, Generic, TypeVar

from clineval.errors import InputError, shown
from clineval.formats.files import is_inline, read_text_files

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]
Value = TypeVar("Value", float, int)


@dataclass(frozen=True, slots=True)
class Layout(Generic[Value]):
    """What tells runs from judgments.

    Args:
        kind: how messages name it.
        columns: the columns of a line, as evaluate's ``trec_eval`` calls them.
        value: the column that is kept.
        parse: reads that column.
        wanted: what the column holds, for messages.
    """

    kind: str
    columns: tuple[str, ...]
    value: str
    parse: Callable[[Any], Value]
    wanted: str

    @property
    def line(self) -> str:
        """The columns as they stand in a line."""
        return " ".join(self.columns)


def _parse_score(value: Any) -> float:
    score = float(value)
    if not math.isfinite(score):
        raise ValueError
    return score


def _parse_relevance(value: Any) -> int:
    return int(value) if isinstance(value, str) else index(value)


RUN: Layout[float] = Layout(
    "run", ("query", "q0", "docid", "rank", "score", "system"), "score", _parse_score, "a number"
)
QRELS: Layout[int] = Layout(
    "judgments", ("query", "q0", "docid", "rel"), "rel", _parse_relevance, "a whole number"
)


def read_run(given: Any) -> Run:
    r"""Read a ranked run: topic to document to score.

    Args:
        given: a path, or lines, of a TREC run; ``{topic: {document: score}}``; a dict of columns
            ``query``, ``docid`` and ``score``, as evaluate's ``trec_eval`` takes it; or a list of
            these, which together are one run.

    Raises:
        InputError: names the file and the line, or the topic and the document.

    Examples:
        >>> read_run("q1 Q0 d1 1 2.5 me\nq1 Q0 d2 2 1.5 me\n")
        {'q1': {'d1': 2.5, 'd2': 1.5}}
        >>> read_run([{"query": [1], "docid": ["d1"], "score": [2.5]}])
        {'1': {'d1': 2.5}}
    """
    return _read(given, RUN)


def read_qrels(given: Any) -> Qrels:
    r"""Read relevance judgments: topic to document to relevance.

    Args:
        given: as in :func:`read_run`, with judgments for scores, and ``rel`` as their column.

    Examples:
        >>> read_qrels("q1 0 d1 1\nq1 0 d2 0\n")
        {'q1': {'d1': 1, 'd2': 0}}
    """
    return _read(given, QRELS)


def split_lines(source: str | os.PathLike[str]) -> Iterator[tuple[str, list[str]]]:
    """Place and columns of each line of a file, or of text, that is not empty and no comment."""
    if not is_inline(source, "\n") and Path(source).is_dir():
        raise InputError("expected a file, got a directory", where=str(source))
    for file in read_text_files(source, pattern="", separator="\n"):
        for number, line in enumerate(file.content.decode().split("\n"), 1):
            if line.strip() and not line.startswith("#"):
                yield f"{file.label}:{number}", line.split()


def _read(given: Any, layout: Layout[Value]) -> dict[str, dict[str, Value]]:
    read: dict[str, dict[str, Value]] = {}
    parts = given if isinstance(given, (list, tuple)) else [given]
    for part in parts:
        for where, topic, document, value in _rows_of(part, layout):
            documents = read.setdefault(topic, {})
            if document in documents:
                raise InputError(
                    f"document {document} stands twice in topic {topic}",
                    where=where,
                    remedy="Keep one of the two",
                )
            try:
                documents[document] = layout.parse(value)
            except (TypeError, ValueError):
                raise InputError(
                    f"{layout.value}: expected {layout.wanted}, got {shown(value)}", where=where
                ) from None
    return read


def _rows_of(part: Any, layout: Layout[Value]) -> Iterator[tuple[str, str, str, Any]]:
    """Place, topic, document and value of each row."""
    if isinstance(part, str) and part.startswith("{"):
        part = _parse_json(part, layout)
    if isinstance(part, (str, os.PathLike)):
        return _rows_of_lines(part, layout)
    if not isinstance(part, Mapping):
        raise InputError(
            f"expected a path, TREC lines, a dict of topics, or a dict of columns, "
            f"got {shown(part)}",
            where=layout.kind,
        )
    if "docid" in part and not isinstance(part["docid"], Mapping):
        return _rows_of_columns(part, layout)
    return _rows_of_topics(part, layout)


def _parse_json(text: str, layout: Layout[Value]) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise InputError("expected JSON, because it begins like it", where=layout.kind) from None


def _rows_of_lines(
    source: str | os.PathLike[str], layout: Layout[Value]
) -> Iterator[tuple[str, str, str, Any]]:
    at = layout.columns.index(layout.value)
    for where, cells in split_lines(source):
        if len(cells) != len(layout.columns):
            raise wrong_width(layout, len(cells), where)
        yield where, cells[0], cells[2], cells[at]


def _rows_of_columns(
    part: Mapping[str, Sequence[Any]], layout: Layout[Value]
) -> Iterator[tuple[str, str, str, Any]]:
    names = ("query", "docid", layout.value)
    missing = [name for name in names if name not in part]
    if missing:
        raise InputError(
            f"column {missing[0]!r} is missing, expected {', '.join(names)}", where=layout.kind
        )
    columns = [part[name] for name in names]
    if len(set(map(len, columns))) > 1:
        sizes = " and ".join(f"{len(part[name])} in {name!r}" for name in names)
        raise InputError(f"expected columns of one length, got {sizes}", where=layout.kind)
    for row, (topic, document, value) in enumerate(zip(*columns, strict=True)):
        yield f"{layout.kind}, row {row}", str(topic), str(document), value


def _rows_of_topics(
    part: Mapping[str, Any], layout: Layout[Value]
) -> Iterator[tuple[str, str, str, Any]]:
    for topic, documents in part.items():
        where = f"{layout.kind}, topic {topic}"
        if not isinstance(documents, Mapping):
            raise InputError(
                f"expected a dict from document to {layout.value}, got {shown(documents)}",
                where=where,
            )
        for document, value in documents.items():
            yield f"{where}, document {document}", str(topic), str(document), value


def wrong_width(layout: Layout[Value], width: int, where: str) -> InputError:
    """A line has another number of columns than its kind."""
    return InputError(
        f"expected {len(layout.columns)} columns ({layout.line}), got {width}", where=where
    )
