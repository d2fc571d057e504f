"""The one way in: whatever a user gives for a side of a corpus goes to what reads its form."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from clineval.base.arrays import is_iterable
from clineval.base.errors import InputError, listed, shown
from clineval.base.files import Source, find_path
from clineval.base.strict_json import read_strings as parse_strings
from clineval.formats import jsonl

SideT = TypeVar("SideT")


@runtime_checkable
class AsDocuments(Protocol):
    """Something that becomes documents by itself, such as the columns of a table."""

    def as_documents(self) -> list[dict[str, object]]:
        """Return the documents as dicts."""
        ...


@dataclass(frozen=True, slots=True)
class Items:
    """What was given for each document.

    Args:
        values: the items.
        side: ``predictions`` or ``references``, for messages; empty for files.
        places: how messages name the items of files.
        named: whether documents have names, even where there are no documents.
    """

    values: Sequence[Any]
    side: str
    places: Sequence[str] = ()
    named: bool = False


def open_given(  # noqa: PLR0913 - the forms that there are
    given: object,
    side: str,
    known: type[SideT] | None,
    *,
    read_files: Callable[[Source], SideT],
    read_items: Callable[[Items], SideT],
    read_strings: Callable[[Sequence[str]], SideT] | None = None,
    read_named: Callable[[Mapping[str, object]], SideT] | None = None,
    wanted: str = "a list with one item for each document",
    lines_beside: str | None = None,
    separator: str = "\t",
) -> SideT:
    """Read one side, in whatever form it is given.

    Args:
        given: a side that has been read; a path, or text; a mapping; or an item for each document.
        side: ``predictions`` or ``references``, for messages.
        known: the type of sides that were read; None if these are not taken.
        read_files: reads the path of files in the challenge's own format, or such a text.
        read_items: reads an item for each document; strings of JSON are parsed.
        read_strings: reads a string in the challenge's own format for each document; None where
            ``read_items`` takes strings too.
        read_named: reads a mapping; None to refuse it.
        wanted: what is expected, for messages.
        lines_beside: the names of files in the challenge's own format, where JSON Lines of
            documents, each with an ``id``, are read besides; None where they are not.
        separator: what only text has, and no path.

    Raises:
        InputError: something else.
    """
    if known and isinstance(given, known):
        return given
    if isinstance(given, (str, os.PathLike)):
        path = None if lines_beside is None else find_path(given, separator)
        if path is None or not jsonl.is_jsonl(given, lines_beside or ""):
            return read_files(given)
        lines = list(jsonl.read_lines(given))
        places, values = [where for where, _ in lines], [line for _, line in lines]
        return read_items(Items(values, "", places, named=True))
    if read_named and isinstance(given, Mapping):
        for name in given:
            if not isinstance(name, str) or not name.strip():
                problem = f"expected the name of a document, got {shown(name)}"
                raise InputError(problem, where=side)
        return read_named(given)
    items = items_of(given, wanted, side)
    if read_strings and any(isinstance(item, str) for item in items):
        if not all(isinstance(item, str) for item in items):
            problem = "expected documents of one kind, got strings and others"
            raise InputError(problem, where=side)
        parsed = parse_strings(items, side)
        if parsed is None:
            return read_strings(items)
        items = parsed
    return read_items(Items(items, side, named=isinstance(given, AsDocuments)))


def items_of(given: object, wanted: str, side: str) -> Sequence[Any]:
    """Return the given value item by item.

    Raises:
        InputError: it is not; says that ``wanted`` or a path was expected.
    """
    if isinstance(given, AsDocuments):
        return given.as_documents()
    columnar = type(given).__module__.partition(".")[0] == "pyarrow"
    if columnar or not is_iterable(given) or isinstance(given, (Mapping, bytes)):
        remedy = "Give clineval.Column(table, name), or array.to_pylist()" if columnar else ""
        problem = f"expected {wanted}, or a path, got {shown(given)}"
        raise InputError(problem, where=side, remedy=remedy)
    return given if isinstance(given, (list, tuple)) else list(given)


def judge_ids(ids: Sequence[str | None], side: str, kind: str = "document") -> list[str]:
    """Judge the ids of documents; empty if none has one.

    Raises:
        InputError: only some have one, or two have the same.
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
