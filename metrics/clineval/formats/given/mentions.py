"""Whatever a user gives as predictions or references of mentions, as one side of a corpus."""

from __future__ import annotations

import os
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from clineval.base.errors import InputError, listed, read_all
from clineval.base.files import Source, find_path, is_directory, name_path
from clineval.base.strict_json import read_strings
from clineval.formats import jsonl, looks
from clineval.formats.delimited import pipe
from clineval.formats.dicts import read_records
from clineval.formats.files import TextFile, names_in, read_text_files
from clineval.formats.given.forms import items_of, judge_ids
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import Document, without_code
from clineval.kinds.mentions.slots import Slot


class TextFormat(Protocol):
    """A module that reads a challenge's own text format."""

    @property
    def FILES(self) -> str:  # noqa: N802 - a constant of the module
        """Regular expression for the names of files in directories."""
        ...

    @property
    def UNREAD(self) -> AbstractSet[str]:  # noqa: N802 - a constant of the module
        """Slots that mentions in other forms can have besides, which are ignored."""
        ...

    def document_key(self, name: str) -> str:
        """Return the key that pairs the documents of two sides, in whatever form they are given."""
        ...

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read files, paired by document name."""
        ...

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read one string for each document, paired by position."""
        ...


class LineFormat(TextFormat, Protocol):
    """A text format whose lines can be checked one by one."""

    def check(self, file: TextFile, slots: Sequence[Slot]) -> None:
        """Refuse a file that is not as it should be submitted."""
        ...


@runtime_checkable
class AsSide(Protocol):
    """Something that becomes a side by itself, such as the answers of a model."""

    def as_side(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> Side:
        """Return the side with these slots; ``unread`` are others that are ignored."""
        ...


def read_side(
    given: object,
    slots: Sequence[Slot],
    *,
    strict: bool,
    side: str,
    text_format: TextFormat = pipe,
) -> Side:
    """Read one side.

    Args:
        given: a path of files in the challenge's format or of JSON Lines; one string in that
            format; or for each document a list of dicts, a :class:`Document`, or a string in
            that format or of JSON; or a side that has been read, or what becomes one.
        slots: the slots to read.
        strict: judge text by the format, or take what the released scripts take.
        side: ``predictions`` or ``references``, for messages.
        text_format: reads the challenge's format; the pipe format if nothing else is said.
    """
    if isinstance(given, Side):
        return given
    if isinstance(given, AsSide):
        return _with_keys(given.as_side(slots, text_format.UNREAD), text_format)
    if isinstance(given, (str, os.PathLike)):
        return _read_files(given, slots, text_format, strict=strict)
    documents = items_of(given, "a list with one item for each document", side)
    kinds = {_kind(document) for document in documents}
    if len(kinds) > 1:
        raise InputError(
            f"expected documents of one kind, got {' and '.join(sorted(kinds))}", where=side
        )
    if kinds == {"strings"}:
        return _read_strings(documents, slots, text_format, strict=strict, side=side)
    if kinds == {"Document objects"}:
        return _read_documents(documents, slots, text_format, side)
    return read_records(documents, slots, side=side, unread=text_format.UNREAD)


def _kind(document: object) -> str:
    if isinstance(document, str):
        return "strings"
    return "Document objects" if isinstance(document, Document) else "lists of dicts"


def _read_files(
    source: Source, slots: Sequence[Slot], text_format: TextFormat, *, strict: bool
) -> Side:
    path = find_path(source, "|")
    if path is not None and jsonl.is_jsonl(source, text_format.FILES):
        return _with_keys(jsonl.read_side(source, slots, text_format.UNREAD), text_format)
    _refuse_unheld(slots, text_format, "" if path is None else path)
    return text_format.read_side(source, slots, strict=strict)


def _refuse_unheld(slots: Sequence[Slot], text_format: TextFormat, path: Path | str) -> None:
    """Refuse text for slots that the usual format does not hold, and the challenge has no other."""
    held = {slot.name for slot in pipe.SLOTS}
    lacking = [slot.name for slot in slots if slot.kind != "code" and slot.name not in held]
    if text_format is pipe and lacking:
        names = names_in(path) if is_directory(path) else [str(path)]
        raise InputError(
            f"expected JSON Lines of documents, as no other format holds {listed(lacking)}",
            where=name_path(path) if path else "",
            remedy=looks.say(looks.by_names(names)),
        )


def _read_strings(
    documents: Sequence[str],
    slots: Sequence[Slot],
    text_format: TextFormat,
    *,
    strict: bool,
    side: str,
) -> Side:
    """Read text in the challenge's format, or the JSON of a list of dicts or of a document."""
    parsed = read_strings(documents, side)
    if parsed is None:
        _refuse_unheld(slots, text_format, "")
        return text_format.read_strings(documents, slots, strict=strict)
    if all(isinstance(document, dict) for document in parsed):
        text = "".join(f"{document}\n" for document in documents)
        return _with_keys(jsonl.read_side(text, slots, text_format.UNREAD), text_format)
    return read_records(parsed, slots, side=side, unread=text_format.UNREAD)


def _with_keys(side: Side, text_format: TextFormat) -> Side:
    """Fold the names of documents as the challenge's own format does, where they stay different."""
    if side.keys is None:
        return side
    keys = tuple(map(text_format.document_key, side.keys))
    return replace(side, keys=keys) if len(set(keys)) == len(keys) else side


def _read_documents(
    documents: Sequence[Document], slots: Sequence[Slot], text_format: TextFormat, side: str
) -> Side:
    names = judge_ids([document.id for document in documents], side)
    codes = any(slot.kind == "code" for slot in slots)
    records = [
        [(m if m.cui or codes else without_code(m)).as_dict() for m in document.mentions]
        for document in documents
    ]
    read = read_records(records, slots, names=names, side=side, unread=text_format.UNREAD)
    texts = tuple(document.text for document in documents)
    languages = tuple(document.language or "" for document in documents)
    return _with_keys(replace(read, texts=texts, languages=languages), text_format)


def check(source: Source, slots: Sequence[Slot], text_format: LineFormat = pipe) -> None:
    """Refuse files of JSON Lines, or of a challenge's own format that are not as submitted."""
    if jsonl.is_jsonl(source, text_format.FILES):
        jsonl.read_side(source, slots, text_format.UNREAD)
        return
    files = read_text_files(source, pattern=text_format.FILES, separator="|")
    read_all(partial(text_format.check, file, slots) for file in files)
