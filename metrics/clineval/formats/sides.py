"""Whatever a user gives as predictions or references of mentions, as one side of a corpus."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from clineval.errors import InputError, listed, shown
from clineval.formats import jsonl, pipe_columns
from clineval.formats.files import Source, is_inline
from clineval.formats.records import read_records
from clineval.mentions.columns import Side
from clineval.mentions.mention import Document
from clineval.mentions.slots import Slot


class TextFormat(Protocol):
    """A module that reads a challenge's own text format."""

    def document_key(self, name: str) -> str:
        """What documents of two sides are paired by, however they are given."""
        ...

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read files, paired by document name."""
        ...

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read one string for each document, paired by position."""
        ...


def read_side(
    given: Any,
    slots: Sequence[Slot],
    *,
    strict: bool,
    side: str,
    text_format: TextFormat = pipe_columns,
) -> Side:
    """Read one side.

    Args:
        given: a path of files in the challenge's format or of JSON Lines; one string in that
            format; or for each document a list of dicts, a :class:`Document`, or a string in
            that format or of JSON; or a side that has been read.
        slots: the slots to read.
        strict: judge text by the format, or take what the released scripts take.
        side: ``predictions`` or ``references``, for messages.
        text_format: reads the challenge's format; the pipe format if nothing else is said.
    """
    if isinstance(given, Side):
        return given
    if isinstance(given, (str, os.PathLike)):
        return _read_files(given, slots, text_format, strict=strict)
    if not isinstance(given, Iterable) or isinstance(given, (dict, bytes)):
        raise InputError(
            f"expected a list with one item for each document, or a path, got {shown(given)}",
            where=side,
        )
    documents = given if isinstance(given, (list, tuple)) else list(given)
    kinds = {_kind(document) for document in documents}
    if len(kinds) > 1:
        raise InputError(
            f"expected documents of one kind, got {' and '.join(sorted(kinds))}", where=side
        )
    if kinds == {"strings"}:
        return _read_strings(documents, slots, text_format, strict=strict, side=side)
    if kinds == {"Document objects"}:
        return _with_keys(_read_documents(documents, slots, side), text_format)
    return read_records(documents, slots, side=side)


def _kind(document: object) -> str:
    if isinstance(document, str):
        return "strings"
    return "Document objects" if isinstance(document, Document) else "lists of dicts"


def _read_files(
    source: Source, slots: Sequence[Slot], text_format: TextFormat, *, strict: bool
) -> Side:
    if not is_inline(source, "|") and is_jsonl(Path(source)):
        return _with_keys(jsonl.read_side(source, slots), text_format)
    return text_format.read_side(source, slots, strict=strict)


def _read_strings(
    documents: Sequence[str],
    slots: Sequence[Slot],
    text_format: TextFormat,
    *,
    strict: bool,
    side: str,
) -> Side:
    """Text in the challenge's format, or the JSON of a list of dicts or of a document."""
    if not any(document.startswith(("[", "{")) for document in documents):
        return text_format.read_strings(documents, slots, strict=strict)
    try:
        parsed = [json.loads(document) for document in documents]
    except ValueError:
        raise InputError(
            "expected every string to be JSON, because one of them begins like it", where=side
        ) from None
    if all(isinstance(document, dict) for document in parsed):
        side_ = jsonl.read_side("".join(f"{document}\n" for document in documents), slots)
        return _with_keys(side_, text_format)
    return read_records(parsed, slots, side=side)


def _with_keys(side: Side, text_format: TextFormat) -> Side:
    """The side, whose documents can be paired with those of the challenge's own format."""
    if side.keys is None:
        return side
    keys = tuple(map(text_format.document_key, side.keys))
    return replace(side, keys=keys) if len(set(keys)) == len(keys) else side


def is_jsonl(path: Path) -> bool:
    """Whether a file, or what a directory holds, is JSON Lines."""
    if path.is_dir():
        return any(path.glob("*.jsonl")) and not any(path.glob("*.pipe*"))
    return path.suffix == ".jsonl"


def _read_documents(documents: Sequence[Document], slots: Sequence[Slot], side: str) -> Side:
    names = [document.id for document in documents if document.id is not None]
    if names and len(names) < len(documents):
        raise InputError(
            f"{len(documents) - len(names)} of {len(documents)} documents have no id",
            where=side,
            remedy="Give an id to all of them, or to none to pair them by position",
        )
    repeated = sorted({name for name in names if names.count(name) > 1}) if names else []
    if repeated:
        raise InputError(f"repeated document ids: {listed(repeated)}", where=side)
    records = [[mention.as_dict() for mention in document.mentions] for document in documents]
    read = read_records(records, slots, names=names, side=side)
    return Side(read.documents, read.keys, read.mentions, tuple(d.text for d in documents))
