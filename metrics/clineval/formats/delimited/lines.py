"""Read lines of several documents as one side of a corpus, and assign each to its document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, repeat
from typing import TypeVar
from warnings import catch_warnings, simplefilter

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, listed, read_all, warn
from clineval.formats.delimited.cells import Table, chunks_of
from clineval.formats.files import TextFile, from_string
from clineval.kinds.mentions.columns import Side, concatenate
from clineval.kinds.mentions.mention import Mention
from clineval.results.columns import MentionColumns

T = TypeVar("T")
Fold = Callable[[str], str]
"""Returns the form in which names are compared."""
Numbering = Callable[[Table], IntArray]
"""Returns ``[lines]``, the number of each line's document; the first column has its name."""
Read = Callable[[Sequence[TextFile], Numbering], MentionColumns]
_BLOCK = 256
"""The number of files that are checked at once."""
ReadMentions = Callable[[Sequence[TextFile], Numbering], tuple[Sequence[int], Sequence[Mention]]]


class Names:
    """Document names, numbered in order of appearance, and compared by their folded forms."""

    def __init__(self, fold: Fold) -> None:
        self._fold = fold
        self._numbers: dict[str, int] = {}
        self.known: list[str] = []
        self.other: list[str] = []

    @property
    def keys(self) -> tuple[str, ...]:
        """The folded names."""
        return tuple(self._numbers)

    def add(self, name: str) -> int:
        """Return the number of a document; add it if it is new."""
        number = self._numbers.setdefault(self._fold(name), len(self.known))
        if number == len(self.known):
            self.known.append(name)
        elif name != self.known[number]:
            self.other.append(name)
        return number

    def number(self, table: Table) -> IntArray:
        """Return ``[lines]``, the number of each line's document."""
        coded = table.column(0).code()
        first = np.full(len(coded.values), len(table))
        np.minimum.at(first, coded.ids, np.arange(len(table)))
        numbers = np.zeros(len(coded.values), np.int32)
        for value in np.argsort(first).tolist():
            numbers[value] = self.add(coded.values[value])
        return numbers[coded.ids]


def read_files(
    files: Iterable[TextFile], read: Read, fold: Fold, name_empty: Callable[[TextFile], str]
) -> Side:
    """Read files as one side; documents are paired by their folded names.

    Args:
        files: the files.
        read: reads mentions from files.
        fold: returns the form in which names are compared.
        name_empty: returns the name of the document for a file without lines; empty for none.
    """
    names = Names(fold)
    parts = []
    empty = []
    for chunk in chunks_of(files):
        parts.append(read(chunk, names.number))
        empty += [name_empty(file) for file in chunk if not file.content.strip()]
    for name in filter(None, empty):
        names.add(name)
    if names.other:
        warn(
            "names of documents that differ only in case count as one: "
            f"{listed(sorted(set(names.other)))}"
        )
    return Side(tuple(names.known), names.keys, _in_order(parts))


def read_objects(
    files: Iterable[TextFile], read: ReadMentions, fold: Fold, name_empty: Callable[[TextFile], str]
) -> Iterator[tuple[str, list[Mention]]]:
    """Yield names and mentions of documents; arguments as for :func:`read_files`."""
    names = Names(fold)
    found: dict[int, list[Mention]] = {}
    for chunk in chunks_of(files, until_empty=True):
        for number, mention in zip(*read(chunk, names.number), strict=True):
            found.setdefault(number, []).append(mention)
        for file in chunk[-1:]:
            if not file.content.strip() and (name := name_empty(file)):
                names.add(name)
    yield from ((name, found.get(number, [])) for number, name in enumerate(names.known))


def read_strings(
    strings: Sequence[str],
    read: Read,
    fold: Fold,
    *,
    as_written: bool = False,
    old_ends: bool = True,
) -> Side:
    """Read one string for each document as one side, paired by position."""
    files = [
        from_string(f"document {at}", text, as_written=as_written, old_ends=old_ends)
        for at, text in enumerate(strings)
    ]
    names = [""] * len(files)
    part = read(files, lambda table: _number_by_file(table, names, fold))
    return Side(tuple(names), None, part)


def _number_by_file(table: Table, names: list[str], fold: Fold) -> IntArray:
    """Return ``[lines]``, the number of each line's string; fill in the name of each document."""
    cells = table.column(0)
    coded = cells.code()
    named = coded.fold(fold, tuple(dict.fromkeys(map(fold, coded.values)))).ids
    changes = np.flatnonzero((table.file[1:] == table.file[:-1]) & (named[1:] != named[:-1])) + 1
    if len(changes):
        raise InputError(
            "this line names a different document than the lines before it",
            where=table.where(int(changes[0])),
            remedy="Give one string for each document",
        )
    for line in np.unique(table.file, return_index=True)[1].tolist():
        names[int(table.file[line])] = cells.string(line)
    return table.file.astype(np.int32)


def check_together(
    files: Iterable[TextFile], check: Callable[[Sequence[TextFile]], object]
) -> None:
    """Check files in blocks, because a file alone takes almost as long as a hundred.

    The files of a block with an error or a warning are checked again one by one, so that the
    errors and warnings are those of each file alone, in the order of the files.

    Args:
        files: the files.
        check: checks some files. It finds each problem that it finds in one of them alone.

    Raises:
        InputError: the first error; its ``others`` are the errors after it.
    """
    remaining = iter(files)
    blocks = iter(lambda: list(islice(remaining, _BLOCK)), [])
    read_all(partial(_check_block, block, check) for block in blocks)


def _check_block(files: Sequence[TextFile], check: Callable[[Sequence[TextFile]], object]) -> None:
    try:
        with catch_warnings():
            simplefilter("error")
            check(files)
    except (InputError, Warning):
        read_all(partial(check, [file]) for file in files)


def refuse_unnamed(table: Table) -> None:
    """Reject lines whose first column is blank."""
    unnamed = [line for line, name in enumerate(table.column(0).strings()) if not name.strip()]
    problem = repeat("expected the name of a document")
    in_column(0, partial(table.refuse, np.array(unnamed, np.int64), problem))


def in_column(column: int, read: Callable[[], T], *, of: str = "") -> T:
    """Call ``read`` and return its result; add the column, from 0, to the place of its errors.

    The word ``of`` at the beginning of a message, and the column at its end, are removed.
    """
    try:
        return read()
    except InputError as error:
        errors = [error, *error.others]
    first, *others = (
        InputError(
            each.problem.removeprefix(f"{of}: ").removesuffix(f" in column {column + 1}"),
            where=f"{each.where}, column {column + 1}",
        )
        for each in errors
    )
    first.others = tuple(others)
    raise first


def _in_order(parts: Sequence[MentionColumns]) -> MentionColumns:
    """Join the mentions of all parts, document by document."""
    mentions = concatenate(parts)
    if (mentions.document[1:] >= mentions.document[:-1]).all():
        return mentions
    return mentions.take(np.argsort(mentions.document, kind="stable"))
