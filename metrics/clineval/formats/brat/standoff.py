r"""The lines of brat's standoff files straight into columns, with all that is wrong in them.

``T1<tab>Disorder 4 15;31 38<tab>left atrium dilated`` is a mention with two fragments, ends
exclusive; ``R1<tab>Cause Arg1:T2 Arg2:T1`` a relation from T2 to T1, whichever stands first. Lines
that begin with A, E, M, N, ``#`` or ``*`` are kept as they are; no others may be there. Blanks at
the ends of lines do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.errors import InputError, raise_all, warn
from clineval.base.files import is_file
from clineval.formats.delimited import cells
from clineval.formats.delimited.cells import Cells, Table
from clineval.formats.delimited.spans import find_unread, read_numbers
from clineval.formats.files import TextFile, read_text
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.relations.columns import RelationColumns

FILES = r"\.ann$"
_MENTION = "expected T1<tab>Type 4 15;31 38<tab>text, with blanks and semicolons between offsets"
_RELATION = "expected R1<tab>Type Arg1:T1 Arg2:T2, with single blanks"
_OTHERS = b"AEMN#*"
_REMEDY = "Do the two files belong together, with the same line ends?"
_T, _R, _BLANK, _SEMICOLON = b"TR ;"
_SPACED = (b" \n", b"\t\n", b"\n ", b"\n\t", b" \t")
_SPACED_ID = re.compile(rb"\A([^\t]*?) +\t")
_ROLES = ("Arg1:T", "Arg2:T")


@dataclass(frozen=True, slots=True, eq=False)
class Standoff:
    """What some files hold; documents are numbered as the files.

    Args:
        table: their lines, with tabs between cells.
        mentions: the ``n`` mentions, fragments in the order of the line, types as the slot
            ``label``; those of malformed lines have no use.
        lines: ``[n]``, the line of each.
        ids: ``[n]``, the number in its id, as 12 of ``T12``.
        relations: the relations, from Arg1 to Arg2.
        others: the lines of other kinds.
        problems: what is wrong: lines of the table, and what to say of them. What is found later
            is added.
    """

    table: Table
    mentions: MentionColumns
    lines: IntArray
    ids: IntArray
    relations: RelationColumns
    others: IntArray
    problems: list[tuple[IntArray, str]]

    def refuse(self) -> None:
        """Refuse what is wrong: the first problem by line, with the others."""
        found = sorted((line, text) for lines, text in self.problems for line in lines.tolist())
        places = self.table.places(np.array([line for line, _ in found], np.int64))
        raise_all([InputError(text, where=at) for (_, text), at in zip(found, places, strict=True)])

    def count(self, kind: bytes) -> int:
        """Count the other lines that begin with a letter or sign."""
        first = np.frombuffer(self.table.text, np.uint8)[self.table.line_starts[self.others]]
        return int(np.count_nonzero(first == ord(kind)))

    def warn_of_links(self) -> None:
        """Warn of relations and equivalences, where only mentions and events are read."""
        message = "{n} {relation or equivalence|relations or equivalences} in brat's files "
        warn(message + "{is|are} not read", n=len(self.relations) + self.count(b"*"))

    def check_offsets(self, texts: Sequence[str | None]) -> None:
        """Note mentions that the text of their file, None where there is none, does not reach."""
        mentions = self.mentions
        sizes = np.array([-1 if text is None else len(text) for text in texts], np.int64)
        owners = mentions.owners
        known = sizes[mentions.document[owners]]
        beyond = np.flatnonzero((mentions.ends > known) & (known >= 0))
        last: dict[int, int] = {}
        for row, end in zip(owners[beyond].tolist(), mentions.ends[beyond].tolist(), strict=True):
            last[row] = max(end, last.get(row, 0))
        for row, end in last.items():
            size = sizes[mentions.document[row]]
            problem = f"offset {end} is outside the text, which has {size} characters"
            self.problems.append((self.lines[[row]], f"{problem}. {_REMEDY}"))


def tidy(file: TextFile) -> TextFile:
    """Return the file with one kind of line end, and no blanks at the ends of lines and of ids."""
    content = file.content
    if b"\r" in content:
        content = content.replace(b"\r", b"\n")
    if any(map(content.__contains__, _SPACED)) or content[:1] in (b" ", b"\t"):
        lines = (line.strip(b" \t") for line in content.split(b"\n"))
        content = b"\n".join(_SPACED_ID.sub(rb"\1\t", line) for line in lines)
    return file if content is file.content else replace(file, content=content)


def find_text(file: TextFile) -> str | None:
    """Return the text beside a file, if it is there."""
    beside = Path(file.path).with_suffix(".txt") if file.path else None
    return read_text(beside) if beside is not None and is_file(beside) else None


def chunks_of(files: Iterable[TextFile]) -> Iterator[list[TextFile]]:
    """Yield the files, tidied up, in groups of a few megabytes."""
    return cells.chunks_of(map(tidy, files))


def parse(
    files: Sequence[TextFile],
    *,
    labels: Sequence[str] = (),
    relations: Sequence[str] = (),
    bare: bool = False,
    loops: bool = False,
) -> Standoff:
    """Take files of :func:`chunks_of` apart; without types mentions or relations can have any.

    ``bare`` mentions may lack their words; with ``loops`` a mention can be related with itself.
    """
    return _Parser(Table.of(files, "\t"), loops=loops).parse(labels, relations, bare=bare)


class _Parser:
    """Takes a table of lines apart, and remembers what is wrong in it."""

    def __init__(self, table: Table, *, loops: bool) -> None:
        self._table = table
        self._loops = loops
        self._problems: list[tuple[IntArray, str]] = []

    def parse(self, labels: Sequence[str], relations: Sequence[str], *, bare: bool) -> Standoff:
        first = np.frombuffer(self._table.text, np.uint8)[self._table.line_starts]
        other = np.isin(first, np.frombuffer(_OTHERS, np.uint8))
        self._refuse(
            np.flatnonzero(~other & (first != _T) & (first != _R)), "not a line of brat's format"
        )
        lines, ids, mentions = self._read_mentions(np.flatnonzero(first == _T), labels, bare=bare)
        keys = _key(mentions.document, ids)
        found = self._read_relations(np.flatnonzero(first == _R), keys, relations)
        others = np.flatnonzero(other)
        return Standoff(self._table, mentions, lines, ids, found, others, self._problems)

    def _refuse(self, lines: IntArray, problem: str) -> None:
        if len(lines):
            self._problems.append((np.unique(lines), problem))

    def _read_label(self, lines: IntArray, cells: Cells, known: Sequence[str]) -> Coded:
        label = cells.code()
        for number, value in enumerate(label.values):
            if known and value not in known:
                wanted = f"unknown type, expected one of {', '.join(known)}"
                self._refuse(lines[label.ids == number], wanted)
        return label

    def _read_mentions(
        self, lines: IntArray, labels: Sequence[str], *, bare: bool
    ) -> tuple[IntArray, IntArray, MentionColumns]:
        """Return also the line and the number of the id of each mention."""
        widths = self._table.widths[lines]
        lines = self._keep(lines, (widths == 3) | ((widths == 2) & bare), _MENTION)  # noqa: PLR2004
        (label, offsets), whole = _split(self._table.take(lines).column(1), 1)
        lines = self._keep(lines, whole, _MENTION)
        bounds, starts, ends, wrong = _read_offsets(offsets)
        self._refuse(lines[wrong], _MENTION)
        ids = self._read_ids(lines, "T1")
        slots = {"label": self._read_label(lines, label, labels)}
        mentions = MentionColumns(self._table.file[lines], bounds, starts, ends, slots)
        self._check_fragments(lines, mentions)
        return lines, ids, mentions

    def _keep(self, lines: IntArray, good: BoolArray, problem: str) -> IntArray:
        self._refuse(lines[~good], problem)
        return lines[good]

    def _read_ids(self, lines: IntArray, example: str) -> IntArray:
        """Read the numbers in the ids of some lines, which are all different in a file."""
        cells = self._table.take(lines).column(0)
        starts = np.minimum(cells.starts + 1, cells.ends)
        ids, wrong = _read_numbers(Cells(cells.text, starts, cells.ends))
        self._refuse(lines[wrong], f"expected an id such as {example}")
        keys = _key(self._table.file[lines], ids)
        if not (keys[1:] > keys[:-1]).all():
            order = np.argsort(keys, kind="stable")
            again = order[1:][keys[order][1:] == keys[order][:-1]]
            self._refuse(lines[again[~wrong[again]]], "the id is there twice in the file")
        return ids

    def _check_fragments(self, lines: IntArray, mentions: MentionColumns) -> None:
        owners, starts, ends = mentions.owners, mentions.starts, mentions.ends
        self._refuse(lines[owners[ends <= starts]], "the end is not after the start")
        if len(owners) == len(lines):
            return
        order = np.lexsort((starts, owners))
        left, right = order[:-1], order[1:]
        clash = (owners[left] == owners[right]) & (starts[right] < ends[left])
        self._refuse(lines[owners[left[clash]]], "fragments of one mention overlap")

    def _read_relations(
        self, lines: IntArray, keys: IntArray, labels: Sequence[str]
    ) -> RelationColumns:
        """Read the relations between mentions, of which each has a key."""
        lines = self._keep(lines, self._table.widths[lines] == 2, _RELATION)  # noqa: PLR2004
        (label, *arguments), whole = _split(self._table.take(lines).column(1), 2)
        lines = self._keep(lines, whole, _RELATION)
        (role, one, wrong), (other_role, other, other_wrong) = map(_read_argument, arguments)
        sound = (role + other_role == 1) & ~wrong & ~other_wrong
        self._refuse(lines[~sound], _RELATION)
        self._read_ids(lines, "R1")
        file = self._table.file[lines]
        ends = np.where(role == 0, one, other), np.where(role == 0, other, one)
        source, target = (_find(keys, _key(file, end)) for end in ends)
        known = sound & (source >= 0) & (target >= 0)
        self._refuse(lines[sound & ~known], "there is no mention of one of these ids")
        if not self._loops:
            self._refuse(lines[known & (source == target)], "a relation of a mention with itself")
        return RelationColumns(file, self._read_label(lines, label, labels), source, target)


def _find(keys: IntArray, wanted: IntArray) -> IntArray:
    """Find the row of the first of each of some keys; -1 if there is none."""
    order = np.arange(len(keys))
    if not (keys[1:] >= keys[:-1]).all():
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    at = np.searchsorted(keys, wanted)
    found: IntArray = np.where(np.append(keys, -1)[at] == wanted, np.append(order, -1)[at], -1)
    return found


def _key(file: IntArray, ids: IntArray) -> IntArray:
    return (file.astype(np.int64) << 32) | ids


def _split(cells: Cells, blanks: int) -> tuple[list[Cells], BoolArray]:
    """Split cells at the first ``blanks`` blanks; return also which cells have that many."""
    marks = np.flatnonzero(np.frombuffer(cells.text, np.uint8) == _BLANK)
    first = np.searchsorted(marks, cells.starts)
    cuts = [np.append(marks, [len(cells.text)] * blanks)[first + k] for k in range(blanks)]
    begins, stops = [cells.starts, *(cut + 1 for cut in cuts)], [*cuts, cells.ends]
    whole = cuts[-1] < cells.ends
    for begin, stop in zip(begins[:-1], stops[:-1], strict=True):
        whole &= stop > begin
    parts = zip(begins, stops, strict=True)
    return [Cells(cells.text, begin[whole], stop[whole]) for begin, stop in parts], whole


def _read_offsets(cells: Cells) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
    """Read bounds, starts and ends of cells such as ``4 15;31 38``, and which are malformed."""
    text, lines = cells.joined(_SEMICOLON)
    marks = np.flatnonzero((text == _BLANK) | (text == _SEMICOLON))
    first = np.searchsorted(lines[marks], np.arange(len(cells.starts)))
    place = np.arange(len(marks)) - first[lines[marks]]
    expected = np.where(place % 2, _SEMICOLON, _BLANK)
    wrong = _mark(find_unread(text, lines, marks, text[marks] != expected), len(cells.starts))
    if wrong.any():
        good = np.flatnonzero(~wrong)
        bounds, starts, ends, _ = _read_offsets(cells.take(good))
        counts = np.zeros(len(wrong), np.int64)
        counts[good] = np.diff(bounds)
        return np.append(0, np.cumsum(counts)), starts, ends, wrong
    numbers, _ = read_numbers(text, marks)
    bounds = np.append(first, len(marks)) // 2
    return bounds, numbers[0::2], numbers[1::2], wrong


def _read_numbers(cells: Cells) -> tuple[IntArray, BoolArray]:
    """Read the number in each cell, -1 if it is not a number; and which are not."""
    text, lines = cells.joined(_SEMICOLON)
    marks = np.flatnonzero(text == _SEMICOLON)
    extra = np.diff(lines[marks], prepend=-1) == 0
    wrong = _mark(find_unread(text, lines, marks, extra), len(cells.starts))
    if not wrong.any():
        found, padded = read_numbers(text, marks)
        return np.where(padded, -1, found).astype(np.int64), padded
    good = np.flatnonzero(~wrong)
    numbers = np.full(len(wrong), -1)
    numbers[good], wrong[good] = _read_numbers(cells.take(good))
    return numbers, wrong


def _mark(rows: IntArray, size: int) -> BoolArray:
    marked = np.zeros(size, np.bool_)
    marked[rows] = True
    return marked


def _read_argument(cells: Cells) -> tuple[IntArray, IntArray, BoolArray]:
    """Read arguments such as ``Arg1:T12``: role (0, 1, or more), number, which are malformed."""
    stops = np.minimum(cells.starts + len(_ROLES[0]), cells.ends)
    roles = Cells(cells.text, cells.starts, stops).code_closed(_ROLES).ids.astype(np.int64)
    ends, wrong = _read_numbers(Cells(cells.text, stops, cells.ends))
    return roles, ends, wrong
