"""Whatever a user gives as predictions or references of codes, as one side of a corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from clineval.base.errors import InputError, named, shown
from clineval.base.files import Source
from clineval.base.offsets import LARGEST
from clineval.base.strict_json import expect_json
from clineval.formats.given.forms import items_of
from clineval.kinds.codes import Row, Spans, as_side, is_code
from clineval.kinds.mentions.columns import Side

ReadFiles = Callable[[Source], Side]


def read_codes(given: Any, side: str, read_files: ReadFiles, *, places: bool) -> Side:
    """Read one side.

    Args:
        given: a path, or text in the challenge's format; or for each document a list of codes,
            the best first, or such a list as a string of JSON; or a mapping of documents' names
            to such lists. A code is a string, or a dict with ``code`` and ``spans``, where the
            text says so: ``[[start, end], ...]`` in characters.
        side: ``predictions`` or ``references``, for messages.
        read_files: reads the challenge's format.
        places: whether every code must have spans.

    Raises:
        InputError: names the side, the document and the code.

    Examples:
        >>> side = read_codes([["I10", "E11.9"], []], "predictions", ..., places=False)
        >>> side.mentions.document.tolist(), side.documents
        ([0, 0], ('', ''))
    """
    if isinstance(given, Side):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_files(given)
    if isinstance(given, Mapping):
        for name in given:
            if not isinstance(name, str) or not name.strip():
                problem = f"expected the name of a document, got {shown(name)}"
                raise InputError(problem, where=side)
        names = list(given)
        return as_side(names, _read_lists(zip(names, given.values(), strict=True), side, places))
    items = items_of(given, "a list of codes for each document", side)
    lists = ((str(at), item) for at, item in enumerate(items))
    return as_side([""] * len(items), _read_lists(lists, side, places), by_name=False)


def _read_lists(
    lists: Iterable[tuple[str, Any]],
    side: str,
    places: bool,  # noqa: FBT001
) -> Iterator[Row]:
    for at, (name, given) in enumerate(lists):
        where = f"{side}, document {named(name) or at}"  # a name may be a note by mistake
        for number, code in enumerate(_as_list(given, where)):
            yield at, *_read_code(code, f"{where}, code {number}", places=places)


def _as_list(given: Any, where: str) -> Any:
    if isinstance(given, str):
        given = expect_json(given, "a list of codes in a string of JSON", where)
    if not isinstance(given, (list, tuple)):
        raise InputError(f"expected a list of codes, got {shown(given)}", where=where)
    return given


def _read_code(given: Any, where: str, *, places: bool) -> tuple[str, Spans]:
    code = given.get("code") if isinstance(given, Mapping) else given
    if not isinstance(code, str) or not is_code(code):
        raise InputError(f"expected a code without blanks, got {shown(code)}", where=where)
    spans = given.get("spans", ()) if isinstance(given, Mapping) else ()
    if places and not spans:
        raise InputError(
            "'spans' are missing", where=where, remedy="Give code and spans of each code"
        )
    if not isinstance(spans, (list, tuple)):
        raise InputError(f"spans: expected a list, got {shown(spans)}", where=where)
    return code.strip(), [_read_span(span, where) for span in spans]


def _read_span(span: Any, where: str) -> tuple[int, int]:
    ends = span if isinstance(span, (list, tuple)) else ()
    if [type(end) for end in ends] != [int, int] or not 0 <= ends[0] < ends[1] <= LARGEST:
        raise InputError(
            "spans: expected whole numbers [start, end], 0 <= start < end", where=where
        )
    return ends[0], ends[1]
