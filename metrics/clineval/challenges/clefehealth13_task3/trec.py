"""The lines of TREC runs and relevance judgments.

A run has lines ``topic Q0 document rank score tag``, judgments have lines
``topic 0 document relevance``. What C calls white space separates columns: blanks, tabs, carriage
returns, form feeds; a no-break space does not. The rank, the tag, and what stands in the second
column, do not matter. A relevance lies between -127 and 127, as trec_eval documents it; below 0
the document is in the pool and was not judged. Neither topics nor documents hold a NUL.

Read strictly, a line has these columns and no others, and does not begin with ``#``; a score is a
finite decimal number, a relevance a whole one. Empty lines are passed over.

Read as trec_eval 9 reads, a line of a run is data if it has six words or more, whatever they say;
a score is what C's ``atof`` makes of it, a relevance what ``atol`` does: the number that the word
begins with, else 0. A line of judgments has four words, and none may be empty.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, Generic

from clineval.base.errors import InputError
from clineval.base.files import find_path, name_path
from clineval.challenges.clefehealth13_task3.c_numbers import atof, atol
from clineval.challenges.clefehealth13_task3.corpus import Value, repeated
from clineval.challenges.clefehealth13_task3.trec_measures import ALL_NEGATIVE
from clineval.formats.files import TextFile, read_text_files

LARGEST_RELEVANCE = 127
IDS = "expected ids of a topic and a document without NUL and lone surrogates"
_ODD = re.compile(rb"[\x1c-\x1f\x80-\xff]")  # may be white space in Python, but not in C
_OF_WHOLES = "0123456789+-"
_OF_DECIMALS = _OF_WHOLES + ".eE"  # Python takes underscores and the digits of other scripts too
_STRICT = "Mend the line or remove it; protocol='official' reads as trec_eval 9 does"
_STOPS = "Mend the line or remove it; trec_eval 9 stops here too"
_WHOLE = re.compile(r"[+-]?\d{1,18}\Z", re.ASCII)
Line = tuple[int, list[str]]
"""The number of a line, and its words."""
Fault = tuple[int, str]
"""The number of a line, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Layout(Generic[Value]):
    """The lines of runs, or those of judgments.

    Args:
        kind: how messages name it.
        columns: the columns of a line, as evaluate's ``trec_eval`` calls them.
        value: the column that is kept.
        parse: reads that column strictly.
        convert: reads it as trec_eval 9 does.
        wanted: what the column holds, for messages.
        open_ended: whether trec_eval 9 passes over empty lines and further words.
    """

    kind: str
    columns: tuple[str, ...]
    value: str
    parse: Callable[[Any], Value]
    convert: Callable[[Any], Value]
    wanted: str
    open_ended: bool

    @property
    def line(self) -> str:
        """The columns as they stand in a line."""
        return " ".join(self.columns)

    def find_fault(self, words: Sequence[str], *, lenient: bool = False) -> str:
        """Say why the words of a line are not a row; empty if they are.

        Examples:
            >>> QRELS.find_fault(["q1", "0", "a"])
            'expected 4 columns (query q0 docid rel), got 3'
        """
        wanted, found = len(self.columns), len(words)
        if not lenient and words[0][0] == "#":
            return f"expected {wanted} columns ({self.line}), got a line that begins with #"
        if found == wanted or (lenient and self.open_ended and found > wanted):
            return ""
        more = " or more" if lenient and self.open_ended else ""
        return f"expected {wanted}{more} columns ({self.line}), got {found}"


def _parse_score(value: Any) -> float:
    score = float(value)
    if not math.isfinite(score) or (isinstance(value, str) and value.strip(_OF_DECIMALS)):
        raise ValueError
    return score


def _parse_relevance(value: Any) -> int:
    if not isinstance(value, str):
        return _within_range(index(value))
    if value.strip(_OF_WHOLES):
        raise ValueError
    return _within_range(int(value))


def _within_range(relevance: int) -> int:
    if abs(relevance) > LARGEST_RELEVANCE:
        raise ValueError
    return relevance


RUN: Layout[float] = Layout(
    "run",
    ("query", "q0", "docid", "rank", "score", "system"),
    "score",
    _parse_score,
    lambda value: atof(value) if isinstance(value, str) else float(value),
    "a number that is finite",
    open_ended=True,
)
QRELS: Layout[int] = Layout(
    "judgments",
    ("query", "q0", "docid", "rel"),
    "rel",
    _parse_relevance,
    lambda value: _within_range(atol(value) if isinstance(value, str) else index(value)),
    f"a whole number from -{LARGEST_RELEVANCE} to {LARGEST_RELEVANCE}",
    open_ended=False,
)


def read_lines(
    source: str | os.PathLike[str], layout: Layout[Value], *, lenient: bool = False
) -> Iterator[tuple[str, list[str]]]:
    """Yield place and words of each line, of a file or of text, that is data.

    If it is ``lenient`` they are read as trec_eval 9 does. An ``InputError`` names the file and the
    line.
    """
    path = find_path(source, "\n")
    if path is None and not _is_encodable(str(source)):
        raise InputError(IDS, where="<string>")
    if path is not None and path.is_dir():
        raise InputError("expected a file, got a directory", where=name_path(path))
    remedy = _STOPS if lenient else _STRICT
    for file in read_text_files(source, pattern="", separator="\n"):
        for number, words in _split_lines(file):
            if not words and (layout.open_ended or not lenient):
                continue
            if fault := layout.find_fault(words, lenient=lenient):
                raise InputError(fault, where=f"{file.label}:{number}", remedy=remedy)
            yield f"{file.label}:{number}", words


def split_file(file: TextFile) -> list[Line]:
    """Return the lines that are not blank, each with its number."""
    return [(number, words) for number, words in _split_lines(file) if words]


def _split_lines(file: TextFile) -> Iterator[Line]:
    split = split_words if _ODD.search(file.content) else str.split
    return enumerate(map(split, file.content.decode().removesuffix("\n").split("\n")), 1)


def split_words(line: str) -> list[str]:
    r"""Split a line into words at C's white space, as bytes are split.

    Examples:
        >>> split_words("q1\tQ0 a\u00a0b")
        ['q1', 'Q0', 'a\xa0b']
    """
    return [word.decode() for word in line.encode().split()]


def are_ids(topic: str, document: str) -> bool:
    r"""Tell whether trec_eval, a program in C, can hold them.

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


def first_result(lines: Sequence[Line]) -> Sequence[str]:
    """Return the words of the first line that does not begin with ``#``, else of the first."""
    return next((words for _, words in lines if not words[0].startswith("#")), lines[0][1])


@dataclass(slots=True)
class _Seen:
    """What has been read of a file so far."""

    documents: dict[str, set[str]] = field(default_factory=dict)
    last: dict[str, tuple[int, float]] = field(default_factory=dict)
    tag: str = ""


def check_run(lines: Sequence[Line]) -> Iterator[Fault]:
    """Yield all faults of the lines of a run.

    They are what the strict reader refuses, and also a second column that is not ``Q0``, a rank
    that is not a whole number, another tag than that of the first result, and ranks that are not
    in the order of the scores.
    """
    seen = _Seen(tag=first_result(lines)[-1])
    for number, words in lines:
        fault = RUN.find_fault(words)
        for message in [fault] if fault else _check_run_line(words, seen):
            yield number, message


def _check_run_line(words: Sequence[str], seen: _Seen) -> Iterator[str]:
    topic, literal, document, rank, cell, tag = words
    if literal.upper() != "Q0":
        yield "column 2: expected Q0"
    yield from _check_ids(topic, document, seen)
    ranked = _WHOLE.match(rank)
    if not ranked:
        yield "column 4: expected the rank, a whole number"
    score = _value(RUN, cell)
    if score is None:
        yield f"column 5: expected the score, {RUN.wanted}"
    if tag != seen.tag:
        yield "column 6: expected the tag of the first line"
    if ranked and score is not None:
        yield from _check_order(topic, int(rank), score, seen)


def _check_order(topic: str, rank: int, score: float, seen: _Seen) -> Iterator[str]:
    last_rank, last_score = seen.last.get(topic, (rank, score))
    if rank > last_rank and score > last_score:
        yield "the score is higher than at the rank before; trec_eval ranks by score"
    seen.last[topic] = rank, score


def check_qrels(lines: Sequence[Line]) -> Iterator[Fault]:
    """Yield all faults of the lines of judgments, and those of topics, which have no line."""
    seen = _Seen()
    highest: dict[str, int] = {}
    for number, words in lines:
        fault = QRELS.find_fault(words)
        if fault:
            yield number, fault
            continue
        for message in _check_ids(words[0], words[2], seen):
            yield number, message
        relevance = _value(QRELS, words[3])
        if relevance is None:
            yield number, f"column 4: expected the relevance, {QRELS.wanted}"
        else:
            highest[words[0]] = max(relevance, highest.get(words[0], relevance))
    for topic in (topic for topic, relevance in highest.items() if relevance < 0):
        yield 0, f"topic {topic}: {ALL_NEGATIVE}"


def _check_ids(topic: str, document: str, seen: _Seen) -> Iterator[str]:
    if not are_ids(topic, document):
        yield IDS
    documents = seen.documents.setdefault(topic, set())
    if document in documents:
        yield repeated(topic, document)
    documents.add(document)


def _value(layout: Layout[Value], cell: str) -> Value | None:
    try:
        return layout.parse(cell)
    except ValueError:
        return None
