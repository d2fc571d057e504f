"""Read objects and lists of objects, from files or Python, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import IntArray, find_first
from clineval.base.errors import InputError, raise_all, read_each, warn
from clineval.formats.given.forms import Items, judge_ids, open_given
from clineval.formats.record_objects import ObjectFormat, open_content
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import as_columns
from clineval.kinds.records.inferring import infer_schema
from clineval.kinds.records.nested import find_list
from clineval.kinds.records.rows import RowReader, Texts, list_columns
from clineval.kinds.records.schema_tables import read_schema
from clineval.kinds.records.shape import Table
from clineval.kinds.records.values import MOST_BRACKETS, is_too_deep, write_json
from clineval.results.listed import Listed


@dataclass(frozen=True, slots=True, eq=False)
class ShapedSide(Side):
    """One side of a corpus whose records have a shape.

    Args:
        shape: the shape.
    """

    shape: Table | None = None

    def number_items(self) -> IntArray:
        """Return ``[n]``, for each record the number of the document's own record around it."""
        if self.shape is None:
            return Side.number_items(self)
        document, own = self.mentions.document, find_list(self.mentions, self.shape)
        numbers = np.cumsum(own)
        return numbers - numbers[find_first(document, document)]


@dataclass(frozen=True, slots=True)
class _Opened:
    """The documents of a side before their records are read."""

    listed: list[Listed]
    named: bool


def read_objects(given: object, side: str, shape: Table | None) -> ShapedSide:
    """Read one side.

    References that violate the schema are rejected. Invalid values of predictions count as wrong,
    with a warning.

    Args:
        given: the path of files, or their text; a list with an item for each document; or a mapping
            of document names to items. An item is an object, a list of objects, or such a value
            with ``id`` under ``records``. It can also be a string of JSON.
        side: ``predictions`` or ``references``, for messages.
        shape: the shape of the records; None to infer it.

    Raises:
        InputError: a document is invalid; the message names file and line, or the document.

    Examples:
        >>> found = read_objects([{"drug": "aspirin"}, {"drug": None}], "references", None)
        >>> found.mentions.attributes["drug"].values, found.shape.single
        (('aspirin', ''), True)
    """
    if isinstance(given, ShapedSide):
        return given
    form = ObjectFormat((), constants=side != "references")

    def read(listed: Iterable[Listed], *, named: bool = True) -> _Opened:
        return _Opened(list(listed), named)

    def read_items(items: Items) -> _Opened:
        places = (f"{side}, document {at}" for at in range(len(items.values)))
        return read(map(form.open_document, items.values, places), named=items.named)

    opened = open_given(
        given,
        side,
        None,
        read_files=lambda source: read(form.list_files(source)),
        read_items=read_items,
        read_named=lambda held: read(form.open_member(*each, side) for each in held.items()),
        wanted="a list with an object, or a list of objects, for each document",
    )
    return _as_side(opened, side, shape)


def _as_side(opened: _Opened, side: str, shape: Table | None) -> ShapedSide:
    names = judge_ids([each.name for each in opened.listed], side)
    contents = read_each(open_content, ((each,) for each in opened.listed))
    if shape is None:
        read_each(_check_depth, zip(contents, (each.where for each in opened.listed), strict=True))
        shape = _infer(contents)
    readers = [RowReader(shape) for _ in contents]
    rows: list[tuple[int, Texts]] = []
    for at, (reader, content, each) in enumerate(
        zip(readers, contents, opened.listed, strict=True)
    ):
        rows += ((at, texts) for texts in reader.read(content, each.where))
    _judge(readers, opened.listed, side)
    documents = tuple(names) or ("",) * len(opened.listed)
    keys = documents if names or opened.named else None
    texts = tuple(each.open_text() for each in opened.listed)
    return ShapedSide(documents, keys, as_columns(rows, list_columns(shape)), texts, shape=shape)


def _check_depth(content: object, where: str) -> None:
    if not write_json(content) and is_too_deep(content):
        raise InputError(f"expected fewer than {MOST_BRACKETS} brackets", where=where)


def _infer(contents: Sequence[object]) -> Table:
    """Infer the shape of records; without any record, there is one field without values."""
    empty = {"type": "array", "items": {"type": "object", "properties": {"value": {}}}}
    try:
        return read_schema(infer_schema(contents))
    except InputError as error:
        if not any(contents):
            return read_schema(empty)
        remedy = "Describe the records with a schema (schema=, --schema FILE)"
        raise InputError(f"no schema follows from the records: {error}", remedy=remedy) from None


def _judge(readers: list[RowReader], listed: list[Listed], side: str) -> None:
    """Reject invalid references; warn about invalid predictions and unknown properties."""
    if side == "references":
        raise_all([problem for reader in readers for problem in reader.problems])
    invalid = [
        each.name or each.where.rpartition(" ")[2]
        for reader, each in zip(readers, listed, strict=True)
        if reader.problems
    ]
    warn(
        "{n} {document has|documents have} predictions that violate the schema, whose invalid "
        "values count as wrong: {names}",
        invalid,
    )
    warn(
        "{n} {property is|properties are} ignored, because the schema does not describe {it|them}",
        n=sum(reader.unknown for reader in readers),
    )
