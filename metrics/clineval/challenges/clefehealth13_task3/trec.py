"""TREC runs and relevance judgments: files, dicts, and the columns of evaluate's ``trec_eval``.

A run has lines ``topic Q0 document rank score tag``, judgments have lines
``topic 0 document relevance``. White space as C defines it separates columns: blanks, tabs,
carriage returns and form feeds, but no no-break spaces. The rank, the tag and the second column are
ignored. A relevance lies between -127 and 127, as trec_eval documents it; below 0 the document is
in the pool and was not judged. Ids of topics and documents contain no NUL.

The strict reader accepts lines with exactly these columns that do not begin with ``#``. A score is
a finite decimal number, a relevance a whole number. Empty lines are skipped.

trec_eval 9 reads a line of a run as data if it has six words or more, whatever they are. C's
``atof`` reads scores and ``atol`` reads relevance: both return the number at the beginning of the
word, or else 0. A line of judgments has four words, and no line may be empty.

The values of dicts and columns are read like the values of lines.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import index
from typing import Any, Generic

from clineval.base.arrays import is_iterable
from clineval.base.errors import InputError, shown, warn
from clineval.base.files import Source, find_path, name_path
from clineval.base.strict_json import expect_json
from clineval.challenges.clefehealth13_task3.corpus import Qrels, Rows, Value, index_rows
from clineval.formats.files import TextFile, read_text_files

LARGEST_RELEVANCE = 127
IDS = "expected ids of a topic and a document without NUL and lone surrogates"
_ODD = re.compile(rb"[\x1c-\x1f\x80-\xff]")  # may be white space in Python, but not in C
_OF_WHOLES = "0123456789+-"
_OF_DECIMALS = _OF_WHOLES + ".eE"  # Python takes underscores and the digits of other scripts too
_STRICT = "Correct or remove the line; protocol='official' reads as trec_eval 9 does"
_STOPS = "Correct or remove the line; trec_eval 9 stops here too"
Cell = Any
"""A value as given in a line or in a list."""
Line = tuple[int, list[str]]
"""Number and words of a line."""
Fault = tuple[int, str]
"""Number of a line, and a message about its fault."""


@dataclass(frozen=True, slots=True)
class Layout(Generic[Value]):
    """The format of the lines of runs, or of the lines of judgments.

    Args:
        kind: the name in messages.
        columns: the columns of a line, named as in evaluate's ``trec_eval``.
        value: the column that is kept.
        wanted: a description of the column's values, for messages.
        parse: function that reads that column strictly.
        convert: function that reads other values as trec_eval 9 does; lines are then also read as
            trec_eval reads them. None rejects other values.
        open_ended: whether further words are ignored.
    """

    kind: str
    columns: tuple[str, ...]
    value: str
    wanted: str
    parse: Callable[[Cell], Value]
    convert: Callable[[Cell], Value] | None = None
    open_ended: bool = False

    @property
    def line(self) -> str:
        """The columns in the order of a line."""
        return " ".join(self.columns)

    def find_fault(self, words: Sequence[str]) -> str:
        """Return the reason why the words of a line are not a row; empty if they are a row.

        Examples:
            >>> QRELS.find_fault(["q1", "0", "a"])
            'expected 4 columns (query q0 docid rel), got 3'
        """
        wanted, found = len(self.columns), len(words)
        if not self.convert and words[0][0] == "#":
            return f"expected {wanted} columns ({self.line}), got a line that begins with #"
        if found == wanted or (self.open_ended and found > wanted):
            return ""
        more = " or more" if self.open_ended else ""
        return f"expected {wanted}{more} columns ({self.line}), got {found}"


def _parse_score(value: Cell) -> float:
    score = float(value)
    if not math.isfinite(score) or (isinstance(value, str) and value.strip(_OF_DECIMALS)):
        raise ValueError
    return score


def _parse_relevance(value: Cell) -> int:
    if not isinstance(value, str):
        return within_range(index(value))
    if value.strip(_OF_WHOLES):
        raise ValueError
    return within_range(int(value))


def within_range(relevance: int) -> int:
    """Return a relevance within trec_eval's range; otherwise raise a ``ValueError``."""
    if abs(relevance) > LARGEST_RELEVANCE:
        raise ValueError
    return relevance


RUN: Layout[float] = Layout(
    "run",
    ("query", "q0", "docid", "rank", "score", "system"),
    "score",
    "a finite number",
    _parse_score,
)
QRELS: Layout[int] = Layout(
    "judgments",
    ("query", "q0", "docid", "rel"),
    "rel",
    f"a whole number from -{LARGEST_RELEVANCE} to {LARGEST_RELEVANCE}",
    _parse_relevance,
)


def read_lines(source: Source, layout: Layout[Value]) -> Iterator[tuple[str, list[str]]]:
    """Yield place and words of each line of a file or of text that is data.

    Raises:
        InputError: names the file and the line.
    """
    path = find_path(source, "\n")
    if path is None and not _is_encodable(str(source)):
        raise InputError(IDS, where="<string>")
    if path is not None and path.is_dir():
        raise InputError("expected a file, got a directory", where=name_path(path))
    remedy = _STOPS if layout.convert else _STRICT
    strict = layout.convert is None
    for file in read_text_files(source, pattern="", separator="\n", old_ends=strict):
        file.refuse_returns("" if strict else "trec_eval 9")
        for number, words in _split_lines(file):
            if not words and (layout.open_ended or not layout.convert):
                continue
            if fault := layout.find_fault(words):
                raise InputError(fault, where=f"{file.label}:{number}", remedy=remedy)
            yield f"{file.label}:{number}", words


def split_file(file: TextFile) -> list[Line]:
    """Return the lines that are not blank, each with its number."""
    return [(number, words) for number, words in _split_lines(file) if words]


def _split_lines(file: TextFile) -> Iterator[Line]:
    split = split_words if _ODD.search(file.content) else str.split
    return enumerate(map(split, file.content.decode().removesuffix("\n").split("\n")), 1)


def split_words(line: str) -> list[str]:
    r"""Split a line into words at C's white space, as Python splits bytes.

    Examples:
        >>> split_words("q1\tQ0 a\u00a0b")
        ['q1', 'Q0', 'a\xa0b']
    """
    return [word.decode() for word in line.encode().split()]


def are_ids(topic: str, document: str) -> bool:
    r"""Return whether trec_eval, a program in C, can represent both ids.

    Examples:
        >>> are_ids("q1", "a"), are_ids("q1", "a\0b"), are_ids("q1", "\ud800")
        (True, False, False)
    """
    ids = topic + document
    return "\0" not in ids and (ids.isascii() or _is_encodable(ids))


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


Cells = tuple[str, str, str, Cell]
"""Place, topic, document and value of a row."""
_LONGEST = 64
_UNREADABLE = (TypeError, ValueError, OverflowError)


def read_qrels(given: object, layout: Layout[int] = QRELS) -> Qrels:
    r"""Read judgments as :func:`read_rows` does; return relevance by topic and document.

    Examples:
        >>> read_qrels("q1 0 d1 1\nq1 0 d2 0\n")
        {'q1': {'d1': 1, 'd2': 0}}
    """
    rows = read_rows(given, layout)
    return {topic: index_rows(topic, of_topic) for topic, of_topic in rows.items()}


def read_rows(given: object, layout: Layout[Value]) -> Rows[Value]:
    r"""Read the rows of each topic, in their order; a document may be in several rows.

    Args:
        given: a path, or lines, of a TREC run; ``{topic: {document: score}}``; a dict of columns
            ``query``, ``docid`` and ``score``, the input of evaluate's ``trec_eval``; or a list of
            these, which together form one run. A topic without documents is left out.
        layout: ``RUN`` or ``QRELS``, or a variant with the rules of trec_eval 9.

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
        for where, topic, document, cell in _rows_of(part, layout):
            if not are_ids(topic, document):
                raise InputError(IDS, where=ascii(where)[1:-1], remedy="Rename them on both sides")
            try:
                value = layout.parse(cell)
            except _UNREADABLE:
                value = _convert(cell, layout, where)
                converted.append(where)
            read.setdefault(topic, []).append((where, document, value))
    if converted:
        warn(
            f"{layout.value}: expected {layout.wanted}, got other values in {{n}} {{row|rows}}, "
            "the first at {place}. As in trec_eval 9, the number at the beginning of the value "
            "counts, or 0 if there is none",
            n=len(converted),
            place=converted[0],
        )
    return read


def _convert(cell: Cell, layout: Layout[Value], where: str) -> Value:
    """Return the number that counts for a value that cannot be parsed."""
    if layout.convert:
        with suppress(*_UNREADABLE):
            return layout.convert(cell)
    huge = isinstance(cell, int) and cell.bit_length() > _LONGEST
    got = f"an integer of more than {_LONGEST} bits" if huge else shown(cell)
    raise InputError(f"{layout.value}: expected {layout.wanted}, got {got}", where=where) from None


def _rows_of(part: object, layout: Layout[Value]) -> Iterator[Cells]:
    if isinstance(part, str) and part.startswith("{"):
        part = expect_json(part, "JSON, because the text begins like JSON", layout.kind)
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


def _rows_of_lines(source: Source, layout: Layout[Value]) -> Iterator[Cells]:
    at = layout.columns.index(layout.value)
    for where, words in read_lines(source, layout):
        yield where, words[0], words[2], words[at]


def _rows_of_columns(part: Mapping[str, object], layout: Layout[Value]) -> Iterator[Cells]:
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


def _as_column(given: object, name: str, layout: Layout[Value]) -> Sequence[Cell]:
    if is_iterable(given) and not isinstance(given, (str, bytes)):
        return list(given)
    raise InputError(f"column {name!r}: expected a list, got {shown(given)}", where=layout.kind)


def _rows_of_topics(part: Mapping[str, object], layout: Layout[Value]) -> Iterator[Cells]:
    for topic, documents in part.items():
        where = f"{layout.kind}, topic {topic}"
        if not isinstance(documents, Mapping):
            raise InputError(
                f"expected a dict from document to {layout.value}, got {shown(documents)}",
                where=where,
            )
        for document, value in documents.items():
            yield f"{where}, document {document}", str(topic), str(document), value
