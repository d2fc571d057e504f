"""Read codes of documents, from files or Python, as one side of a corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from clineval.base.errors import InputError, named, shown
from clineval.base.offsets import LARGEST
from clineval.base.strict_json import expect_json
from clineval.formats.code_forms import read_lines
from clineval.formats.given.forms import Items, open_given
from clineval.formats.jsonl import OTHERS, is_jsonl
from clineval.kinds.codes.corpus import Row, Spans, as_side, is_code, is_phrase
from clineval.kinds.mentions.columns import Side

Judge = Callable[[str], str]
"""Returns the problem of a code; empty if there is none."""
ReadFiles = Callable[..., Side]
"""Reads a source; if codes are checked, it also accepts ``judge``."""


def take(_code: str) -> str:
    """Accept any code."""
    return ""


def read_codes(  # noqa: PLR0913 - one for each rule
    given: object,
    side: str,
    read_files: ReadFiles,
    *,
    places: bool,
    judge: Judge = take,
    phrases: bool = False,
) -> Side:
    """Read one side.

    Args:
        given: a path, or text in the challenge's format; a list with the codes of each document,
            best first; or a mapping of document names to such lists. The codes of a document can
            also be a string of JSON. A code is a string, or a dict with ``code`` and ``spans``:
            ``[[start, end], ...]``, the evidence in the text, in characters.
        side: ``predictions`` or ``references``, for messages.
        read_files: reads the challenge's format.
        places: whether every code must have spans.
        judge: returns the problem of a code.
        phrases: whether a code may have several words.

    Raises:
        InputError: the value is invalid; the message names the side, the document and the code.

    Examples:
        >>> side = read_codes([["I10", "E11.9"], []], "predictions", ..., places=False)
        >>> side.mentions.document.tolist(), side.documents
        ([0, 0], ('', ''))
    """
    if isinstance(given, (str, os.PathLike)) and is_jsonl(given, OTHERS):
        given = {line.name: line.content for line in read_lines(given)}
    read = partial(_read_lists, side=side, judge=judge, places=places, phrases=phrases)

    def read_items(items: Items) -> Side:
        lists = ((str(at), item) for at, item in enumerate(items.values))
        return as_side([""] * len(items.values), read(lists), by_name=False)

    return open_given(
        given,
        side,
        Side,
        read_files=read_files if judge is take else partial(read_files, judge=judge),
        read_items=read_items,
        read_named=lambda codes: as_side([*codes], read(codes.items())),
        wanted="a list of codes for each document",
    )


def _read_lists(
    lists: Iterable[tuple[str, object]], *, side: str, judge: Judge, places: bool, phrases: bool
) -> Iterator[Row]:
    for at, (name, given) in enumerate(lists):
        where = f"{side}, document {named(name) or at}"  # a name could be the text of a note
        codes = given
        if isinstance(given, str):
            codes = expect_json(given, "a list of codes in a string of JSON", where)
        if not isinstance(codes, (list, tuple)):
            raise InputError(f"expected a list of codes, got {shown(codes)}", where=where)
        for number, code in enumerate(codes):
            yield (
                at,
                *_read_code(code, f"{where}, code {number}", judge, places=places, phrases=phrases),
            )


def _read_code(
    given: object, where: str, judge: Judge, *, places: bool, phrases: bool
) -> tuple[str, Spans]:
    held = given if isinstance(given, Mapping) else {"code": given}
    code, spans = held.get("code"), held.get("spans", ())
    if not isinstance(code, str) or not (is_phrase if phrases else is_code)(code):
        wanted = "a string that is not blank" if phrases else "a code without blanks"
        raise InputError(f"expected {wanted}, got {shown(code)}", where=where)
    if wrong := judge(code):
        raise InputError(wrong, where=where)
    if places and not spans:
        raise InputError(
            "'spans' are missing", where=where, remedy="Give code and spans of each code"
        )
    if not isinstance(spans, (list, tuple)):
        raise InputError(f"spans: expected a list, got {shown(spans)}", where=where)
    return code.strip(), [_read_span(span, where) for span in spans]


def _read_span(span: object, where: str) -> tuple[int, int]:
    ends = span if isinstance(span, (list, tuple)) else ()
    if [type(end) for end in ends] != [int, int] or not 0 <= ends[0] < ends[1] <= LARGEST:
        raise InputError(
            "spans: expected whole numbers [start, end], 0 <= start < end", where=where
        )
    return ends[0], ends[1]
