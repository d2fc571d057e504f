"""Identify the form in which a user passes a side of a corpus, and call its reader."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from clineval.base.arrays import is_iterable
from clineval.base.errors import InputError, listed, shown
from clineval.base.files import Source, find_path
from clineval.base.strict_json import read_strings as parse_strings
from clineval.formats import jsonl

SideT = TypeVar("SideT")
Lines = Iterable[tuple[str, dict[str, object]]]
"""The place and the content of each line of JSON Lines."""


@runtime_checkable
class AsDocuments(Protocol):
    """An object that converts itself to documents, such as the columns of a table."""

    def as_documents(self) -> Sequence[object]:
        """Return the documents, as dicts or objects."""
        ...


@dataclass(frozen=True, slots=True)
class Items:
    """The items that a user passes, one for each document.

    Args:
        values: the items.
        side: ``predictions`` or ``references``, for messages; empty for files.
        places: the places of items from files, for messages.
        named: whether documents have names; needed if there are no documents.
    """

    values: Sequence[Any]
    side: str
    places: Sequence[str] = ()
    named: bool = False


def open_given(  # noqa: PLR0913 - one reader for each form
    given: object,
    side: str,
    known: type[SideT] | None,
    *,
    read_files: Callable[[Source], SideT],
    read_items: Callable[[Items], SideT],
    read_strings: Callable[[Sequence[str]], SideT] | None = None,
    read_lines: Callable[[Lines], SideT | None] | None = None,
    read_named: Callable[[Mapping[str, object]], SideT] | None = None,
    wanted: str = "a list with one item for each document",
    lines_beside: str | None = None,
    separator: str = "\t",
) -> SideT:
    """Read one side in any form.

    Args:
        given: a side that has been read; a path, or text; a mapping; or a list with an item for
            each document.
        side: ``predictions`` or ``references``, for messages.
        known: the type of sides that have been read; None to reject them.
        read_files: reads a path of files, or text, in the challenge's own format.
        read_items: reads an item for each document; strings of JSON are parsed before.
        read_strings: reads a string in the challenge's own format for each document; None if
            ``read_items`` accepts strings.
        read_lines: reads JSON Lines of the usual form one after the other, for speed; None if
            ``read_items`` reads all of them. Lines for which it returns None are read again.
        read_named: reads a mapping; None to reject it.
        wanted: the expected value, for messages.
        lines_beside: pattern of file names in the challenge's own format, if JSON Lines of
            documents with an ``id`` are also accepted; None if they are not.
        separator: a character that text contains, but paths do not.

    Raises:
        InputError: the value has another form.
    """
    if known and isinstance(given, known):
        return given
    if isinstance(given, (str, os.PathLike)):
        path = None if lines_beside is None else find_path(given, separator)
        if path is None or not jsonl.is_jsonl(given, lines_beside or ""):
            return read_files(given)
        return _read_jsonl(given, read_items, read_lines)
    if read_named and isinstance(given, Mapping):
        for name in given:
            if not isinstance(name, str) or not name.strip():
                problem = f"expected the name of a document, got {shown(name)}"
                raise InputError(problem, where=side)
        return read_named(given)
    items = items_of(given, wanted, side)
    if read_strings and any(isinstance(item, str) for item in items):
        if not all(isinstance(item, str) for item in items):
            problem = "expected documents in one form, got strings and others"
            raise InputError(problem, where=side)
        parsed = parse_strings(items, side)
        if parsed is None:
            return read_strings(items)
        items = parsed
    named = not isinstance(given, (list, tuple)) and isinstance(given, AsDocuments)
    return read_items(Items(items, side, named=named))


def _read_jsonl(
    source: Source,
    read_items: Callable[[Items], SideT],
    read_lines: Callable[[Lines], SideT | None] | None,
) -> SideT:
    files = list(jsonl.open_files(source))
    side = read_lines(jsonl.read_files(files)) if read_lines else None
    if side is not None:
        return side
    lines = list(jsonl.read_files(files))
    places, values = [where for where, _ in lines], [line for _, line in lines]
    return read_items(Items(values, "", places, named=True))


def items_of(given: object, wanted: str, side: str) -> Sequence[Any]:
    """Return the items of a value.

    Raises:
        InputError: the value has no items; the message says that ``wanted`` or a path is expected.
    """
    if isinstance(given, (list, tuple)):
        return given
    if isinstance(given, AsDocuments):
        return given.as_documents()
    columnar = type(given).__module__.partition(".")[0] == "pyarrow"
    if columnar or not is_iterable(given) or isinstance(given, (Mapping, bytes)):
        remedy = "Give clineval.Column(table, name), or array.to_pylist()" if columnar else ""
        problem = f"expected {wanted}, or a path, got {shown(given)}"
        raise InputError(problem, where=side, remedy=remedy)
    return given if isinstance(given, (list, tuple)) else list(given)


def judge_ids(ids: Sequence[str | None], side: str, kind: str = "document") -> list[str]:
    """Check and return the ids of documents; empty if no document has an id.

    Raises:
        InputError: only some documents have an id, or two have the same id.
    """
    given = [name for name in ids if name is not None]
    if given and len(given) < len(ids):
        raise InputError(
            f"{len(ids) - len(given)} of {len(ids)} {kind}s have no id",
            where=side,
            remedy="Give an id to all of them, or to none to pair them by position",
        )
    repeated = sorted(name for name, times in Counter(given).items() if times > 1)
    if repeated:
        raise InputError(f"repeated {kind} ids: {listed(repeated)}", where=side)
    return given
