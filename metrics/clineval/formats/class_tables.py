"""Tables of classes: CSV and TSV with a row for each document, or for each answer."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, islice

import numpy as np

from clineval.base.errors import InputError, called, listed, shown, warn_of_shared
from clineval.base.packed import bare_name
from clineval.formats.class_shares import Columns, find_columns, read_cells
from clineval.formats.dicts import Cells
from clineval.formats.files import TextFile
from clineval.kinds.classes.columns import NO_ANSWER, UNKNOWN, Draft
from clineval.kinds.classes.found import OpenScheme
from clineval.kinds.classes.scheme import ANSWER, ONE, QUESTION, Scheme, fold
from clineval.results.table_rows import TableRows

IDS = ("id", "document", "document_id", "doc_id", "filename", "file", "note_id", "name")
"""Headings of the column of document names; the first one is written."""
ROWS = TableRows(IDS)
"""How the rows of documents are found."""
TEXT = "text"
BESIDE = ("id", TEXT, "language")
"""Headings and keys that a document can have besides the questions."""
_LONGEST = 2**31 - 1
"""Most characters of a cell, such as a note."""
_AT_ONCE = 256
"""Number of rows that are read together."""
_BREAK = re.compile(r"\r\n|\r|\n")
Row = tuple[int, Cells]
"""The number of the line at which a row ends, and its cells: strings, or values for classes."""


@dataclass(frozen=True, slots=True)
class Headings:
    """The headings of columns, and the keys of objects, that a user names.

    Args:
        id: the column of document names; empty for the usual names.
        answers: the columns of answers, or of the answers in tables with a row for each answer;
            empty for the usual names.
        free: whether the gold standard names the questions, and not a challenge. Other keys of
            objects are then ignored with a warning.
    """

    id: str = ""
    answers: tuple[str, ...] = ()
    free: bool = False

    def say(self, names: Iterable[str]) -> list[str]:
        """Return names for messages; names that the data show could be text of a note."""
        return list(map(called, names)) if self.free else list(names)

    def find_id(self, names: Iterable[str]) -> str | None:
        """Return the folded heading of document names; None if it is missing."""
        wanted = (fold(self.id),) if self.id else IDS
        there = set(names)
        return next((name for name in wanted if name in there), None)

    def choose(self, names: Iterable[str], *, beside: Iterable[str] = BESIDE) -> list[str]:
        """Choose the columns of answers if the questions are not known.

        These are the columns that the user names, or one with a usual name, or else all others.
        """
        others = [name for name in names if fold(name) and fold(name) not in beside]
        if self.answers:
            wanted = set(map(fold, self.answers))
            return [name for name in others if fold(name) in wanted]
        one = [name for usual in ONE for name in others if fold(name) == usual]
        return one[:1] or others


PLAIN = Headings()
"""The usual names of columns and keys."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of a table's columns.

    Args:
        id: the column of document names.
        answers: maps questions to columns, in tables with a row for each document.
        question: the column of questions, in tables with a row for each answer; -1 for none.
        answer: the column of answers, in the same tables; -1 for none.
        text: the column of notes; -1 for none.
        shares: the columns of probabilities.
    """

    id: int
    answers: Mapping[str, int]
    question: int = -1
    answer: int = -1
    text: int = -1
    shares: Columns = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        header: Sequence[str],
        scheme: Scheme | OpenScheme,
        where: str,
        headings: Headings = PLAIN,
    ) -> Layout:
        """Find the columns by their headings, in any case; warn about other columns.

        Raises:
            InputError: a column of names or answers is missing, or a heading occurs twice.
        """
        folded = list(map(fold, header))
        if twice := [name for name, times in Counter(folded).items() if times > 1]:
            problem = f"the column {called(twice[0])} occurs twice"
            raise InputError(problem, where=where, remedy="Give each column its own name")
        places = {name: at for at, name in enumerate(folded)}
        got = listed(list(map(shown, header)))
        key = headings.find_id(places)
        if key is None:
            [name] = headings.say([headings.id or IDS[0]])
            remedy = f"Call the column of document names {name!r}"
            raise InputError(f"expected a column {name}, got {got}", where=where, remedy=remedy)
        found = _find_wide(header, scheme, headings, key)
        if headings.free and QUESTION in places:
            found = {}
        long = None if found else _find_long(places, headings)
        asked, answer = long or (-1, -1)
        layout = cls(places[key], found, asked, answer, places.get(TEXT, -1))
        read = {layout.id, layout.text, asked, answer, *found.values()}
        shares = find_columns(header, read, scheme, where)
        if not found and not long and not shares:
            expected = " or ".join(headings.say(headings.answers or scheme.questions or ONE))
            raise InputError(f"expected a column {expected}, got {got}", where=where)
        read |= {at for of_question in shares.values() for at in of_question.values()}
        others = [shown(name) for at, name in enumerate(header) if at not in read]
        warn_of_shared("{n} {column is|columns are} ignored: {names}", others)
        return replace(layout, shares=shares)


def _find_long(places: Mapping[str, int], headings: Headings) -> tuple[int, int] | None:
    """Find the columns of questions and answers of a table with a row for each answer."""
    names = [fold(name) for name in headings.answers] or [*ONE] * headings.free or [ANSWER]
    answers = [places[name] for name in names if name in places]
    return (places[QUESTION], answers[0]) if answers and QUESTION in places else None


def _find_wide(
    header: Sequence[str], scheme: Scheme | OpenScheme, headings: Headings, key: str
) -> dict[str, int]:
    """Find the column of each question."""
    places = {fold(name): at for at, name in enumerate(header)}
    if isinstance(scheme, OpenScheme) and scheme.asks_anything:
        if QUESTION in places:
            return {}
        chosen = headings.choose(header, beside={*BESIDE, key})
        asked = [(scheme.find_question(name), places[fold(name)]) for name in chosen]
        return {question: place for question, place in asked if question}
    found = {q: places[fold(q)] for q in scheme.questions if fold(q) in places}
    if not found and len(scheme.questions) == 1:
        named = [places[name] for name in ONE if name in places]
        found = dict(zip(scheme.questions, named, strict=False))
    return found


def read_table(
    file: TextFile,
    draft: Draft,
    headings: Headings = PLAIN,
) -> None:
    """Read a table into a draft.

    Raises:
        InputError: the table is invalid; the message names file and line.
    """
    parts = read_parts(file)
    empty, first = next(parts, (0, []))
    line, header = next(number_rows(empty, first), (0, []))
    layout = Layout.of(
        header,
        draft.scheme,
        f"{file.label}:{line}" if header else file.label,
        headings,
    )
    below = next((at for at, cells in enumerate(first, 1) if cells), 0)
    table = Filling(draft, layout, len(header), lambda number: f"{file.label}:{number}")
    for before, rows in chain([(line, first[below:])], parts):
        columns = list(zip(*rows, strict=True)) if table.fits(rows) else []
        if not table.add_columns(columns):
            table.add_rows(number_rows(before, rows))


def read_parts(file: TextFile) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield the rows of a table in groups, each with the number of lines before it.

    Tabs separate the cells of ``.tsv`` files. In other files the first line determines the
    separator: tabs, semicolons or commas.

    Raises:
        InputError: a quotation mark is not closed.
    """
    content = file.content.lstrip(b"\n")  # of a part of a file, many lines can be empty
    empty = len(file.content) - len(content)
    text = content.decode()
    delimiter = find_delimiter(text.partition("\n")[0], bare_name(file.path))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    with long_cells():
        try:
            line = empty
            while rows := list(islice(reader, _AT_ONCE)):
                yield line, rows
                line = empty + reader.line_num
        except csv.Error:
            where = f"{file.label}:{empty + reader.line_num}"
            remedy = "Write quotation marks within a cell twice"
            raise InputError("a cell with unclosed quotes", where=where, remedy=remedy) from None


def find_delimiter(first: str, name: str) -> str:
    """Return the separator of cells, by the first line of a table and the name of its file."""
    usual = "\t" if name.endswith(".tsv") or "\t" in first else ","
    return ";" if usual == "," and first.count(";") > first.count(",") else usual


@contextmanager
def long_cells() -> Iterator[None]:
    """Read cells of any length inside, such as notes."""
    before = csv.field_size_limit(_LONGEST)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def number_rows(before: int, rows: Iterable[list[str]]) -> Iterator[Row]:
    """Yield the rows that are not empty, each with the number of its last line."""
    line = before
    for cells in rows:
        line += 1 + sum(len(_BREAK.findall(cell)) for cell in cells)
        if cells:
            yield line, cells


class _Answers(dict[object, int]):
    """Maps a cell to the number of its class, or to a number for no class."""

    def __init__(self, scheme: Scheme | OpenScheme, question: str) -> None:
        super().__init__({"": NO_ANSWER, None: NO_ANSWER})
        self.scheme, self.question = scheme, question

    def __missing__(self, cell: object) -> int:
        if isinstance(cell, str) and not cell.strip():
            return NO_ANSWER
        value = self.scheme.find(cell, self.question)
        self[cell] = number = UNKNOWN if value is None else self.scheme.values.index(value)
        return number


@dataclass(slots=True)
class Filling:
    """Add the rows of a table to a draft, group by group.

    Args:
        draft: the draft.
        layout: the columns of the table.
        width: the number of columns.
        place: returns the place of a row, by its number.
    """

    draft: Draft
    layout: Layout
    width: int
    place: Callable[[int], str]
    _known: dict[str, _Answers] = field(init=False)
    _numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        asked = self.layout.answers
        self._known = {question: _Answers(self.draft.scheme, question) for question in asked}

    def fits(self, rows: Iterable[Cells]) -> bool:
        """Return whether all rows have the width of the table."""
        return set(map(len, rows)) == {self.width}

    def add_columns(self, columns: Sequence[Cells]) -> bool:
        """Add rows by their columns if each row has a name and known answers.

        Returns:
            Whether they were added; if not, :meth:`add_rows` adds them or names the problem.
        """
        draft, layout = self.draft, self.layout
        one_row_each = layout.answers and not draft.scheme.several and not layout.shares
        if not (columns and one_row_each):
            return False
        names = list(map(str.strip, columns[layout.id]))
        answers = {
            question: np.fromiter(
                map(self._known[question].__getitem__, columns[at]), np.int32, len(names)
            )
            for question, at in layout.answers.items()
        }
        if not all(names) or any((found == UNKNOWN).any() for found in answers.values()):
            return False
        first = len(draft.names)
        draft.names += names
        noted = columns[layout.text] if layout.text >= 0 else ()
        draft.texts += [text or None for text in noted] if noted else [None] * len(names)
        for question, of_question in answers.items():
            draft.add_column(first, question, of_question)
        return True

    def add_rows(self, rows: Iterable[Row]) -> None:
        """Add rows one by one.

        If a question can have several answers, a document can have several rows.
        """
        several = self.draft.scheme.several or self.layout.question >= 0
        for number, cells in rows:
            try:
                self._add_row(cells, self.place(number), several=several)
            except InputError as error:
                self.draft.problems.append(error)

    def _add_row(self, cells: Cells, where: str, *, several: bool) -> None:
        draft, layout = self.draft, self.layout
        if len(cells) != self.width:
            problem = f"expected {self.width} cells, as in the first line, got {len(cells)}"
            raise InputError(problem, where=where)
        name = cells[layout.id].strip()
        if not name:
            raise InputError("the name of the document is missing", where=where)
        document = self._numbers.get(name) if several else None
        if document is None:
            text = cells[layout.text] if layout.text >= 0 else ""
            document = self._numbers[name] = draft.add_document(name, text or None)
        for question, answer in _answers_in(cells, layout, draft.scheme, where):
            draft.add(document, question, answer, where)
        for question, shares in read_cells(cells, layout.shares, draft.scheme, where):
            draft.add_shares(document, question, shares, where)


def _answers_in(
    cells: Cells, layout: Layout, scheme: Scheme | OpenScheme, where: str
) -> Iterator[tuple[str, object]]:
    if layout.question < 0:
        yield from ((question, cells[at]) for question, at in layout.answers.items())
        return
    question = scheme.find_question(cells[layout.question]) if cells[layout.question] else None
    if question is None:
        expected = ", ".join(map(called, scheme.questions) if scheme.word else scheme.questions)
        problem = f"question: expected one of {expected}, got {shown(cells[layout.question])}"
        raise InputError(problem, where=where)
    yield question, cells[layout.answer]
