"""TREC runs and relevance judgments: files, dicts, and the columns of evaluate's ``trec_eval``.

Lines are read as :mod:`clineval.challenges.clefehealth13_task3.trec` says, and the values of the
other forms like those of lines.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from clineval.base.errors import InputError, shown, warn
from clineval.base.strict_json import expect_json
from clineval.challenges.clefehealth13_task3.corpus import Qrels, Rows, Value, index_rows
from clineval.challenges.clefehealth13_task3.trec import IDS, QRELS, Layout, are_ids, read_lines

_LONGEST = 64
_UNREADABLE = (TypeError, ValueError, OverflowError)


def read_qrels(given: Any, *, lenient: bool = False) -> Qrels:
    r"""Read judgments as :func:`read_rows` does: topic to document to relevance, ``rel``.

    Examples:
        >>> read_qrels("q1 0 d1 1\nq1 0 d2 0\n")
        {'q1': {'d1': 1, 'd2': 0}}
    """
    rows = read_rows(given, QRELS, lenient=lenient)
    return {topic: index_rows(topic, of_topic) for topic, of_topic in rows.items()}


def read_rows(given: Any, layout: Layout[Value], *, lenient: bool = False) -> Rows[Value]:
    r"""Read the rows of each topic, in their order; a document may stand in several.

    Args:
        given: a path, or lines, of a TREC run; ``{topic: {document: score}}``; a dict of columns
            ``query``, ``docid`` and ``score``, as evaluate's ``trec_eval`` takes it; or a list of
            these, which together are one run. A topic without documents is left out.
        layout: ``RUN`` or ``QRELS``.
        lenient: whether to read as trec_eval 9 does.

    Raises:
        InputError: names the file and the line, or the topic and the document.

    Examples:
        >>> from clineval.challenges.clefehealth13_task3.trec import RUN
        >>> read_rows("q1 Q0 d1 1 2.5 me\nq1 Q0 d2 2 1.5 me\n", RUN)
        {'q1': [('<string>:1', 'd1', 2.5), ('<string>:2', 'd2', 1.5)]}
        >>> read_rows([{"query": [1], "docid": ["d1"], "score": [2.5]}], RUN)
        {'1': [('run, row 0', 'd1', 2.5)]}
    """
    read: Rows[Value] = {}
    converted: list[str] = []
    for part in given if isinstance(given, (list, tuple)) else [given]:
        for where, topic, document, cell in _rows_of(part, layout, lenient=lenient):
            if not are_ids(topic, document):
                raise InputError(IDS, where=ascii(where)[1:-1], remedy="Rename them on both sides")
            try:
                value = layout.parse(cell)
            except _UNREADABLE:
                value = _convert(cell, layout, where, lenient=lenient)
                converted.append(where)
            read.setdefault(topic, []).append((where, document, value))
    if converted:
        _warn_of_converted(converted, layout)
    return read


def _convert(cell: Any, layout: Layout[Value], where: str, *, lenient: bool) -> Value:
    """Return what a value that cannot be parsed counts as."""
    if lenient:
        with suppress(*_UNREADABLE):
            return layout.convert(cell)
    huge = isinstance(cell, int) and cell.bit_length() > _LONGEST
    got = f"one of more than {_LONGEST} bits" if huge else shown(cell)
    raise InputError(f"{layout.value}: expected {layout.wanted}, got {got}", where=where) from None


def _warn_of_converted(places: Sequence[str], layout: Layout[Value]) -> None:
    warn(
        f"{layout.value}: in {len(places)} places not {layout.wanted}, the first is {places[0]}; "
        "counts as trec_eval 9 takes it, as the number that it begins with, else 0"
    )


def _rows_of(
    part: Any, layout: Layout[Value], *, lenient: bool
) -> Iterator[tuple[str, str, str, Any]]:
    """Yield place, topic, document and value of each row."""
    if isinstance(part, str) and part.startswith("{"):
        part = expect_json(part, "JSON, because it begins like it", layout.kind)
    if isinstance(part, (str, os.PathLike)):
        return _rows_of_lines(part, layout, lenient=lenient)
    if not isinstance(part, Mapping):
        raise InputError(
            f"expected a path, TREC lines, a dict of topics, or a dict of columns, "
            f"got {shown(part)}",
            where=layout.kind,
        )
    if "docid" in part and not isinstance(part["docid"], Mapping):
        return _rows_of_columns(part, layout)
    return _rows_of_topics(part, layout)


def _rows_of_lines(
    source: str | os.PathLike[str], layout: Layout[Value], *, lenient: bool
) -> Iterator[tuple[str, str, str, Any]]:
    at = layout.columns.index(layout.value)
    for where, words in read_lines(source, layout, lenient=lenient):
        yield where, words[0], words[2], words[at]


def _rows_of_columns(
    part: Mapping[str, Any], layout: Layout[Value]
) -> Iterator[tuple[str, str, str, Any]]:
    names = ("query", "docid", layout.value)
    missing = [name for name in names if name not in part]
    if missing:
        raise InputError(
            f"column {missing[0]!r} is missing, expected {', '.join(names)}", where=layout.kind
        )
    columns = [_as_column(part[name], name, layout) for name in names]
    if len(set(map(len, columns))) > 1:
        sizes = " and ".join(
            f"{len(cells)} in {name!r}" for name, cells in zip(names, columns, strict=True)
        )
        raise InputError(f"expected columns of one length, got {sizes}", where=layout.kind)
    for row, (topic, document, value) in enumerate(zip(*columns, strict=True)):
        yield f"{layout.kind}, row {row}", str(topic), str(document), value


def _as_column(given: Any, name: str, layout: Layout[Value]) -> Sequence[Any]:
    try:
        if not isinstance(given, (str, bytes)):
            return list(given)
    except TypeError:
        pass
    raise InputError(f"column {name!r}: expected a list, got {shown(given)}", where=layout.kind)


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
