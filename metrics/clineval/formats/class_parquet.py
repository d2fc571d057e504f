"""Parquet files of classes, with the columns that other tables of classes have.

Answers are strings, whole numbers, truth values, or lists of these if a question can have several.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from clineval.base.errors import InputError, called
from clineval.base.files import Source, name_path
from clineval.formats.class_tables import PLAIN, Filling, Headings, Layout
from clineval.formats.dicts import Cells
from clineval.formats.tables.arrow import open_parquet, read_groups, schema_of, unbroken
from clineval.formats.tables.parquet import LISTS, TEXTS, import_pyarrow, is_one_of
from clineval.kinds.classes.columns import Draft
from clineval.kinds.classes.found import OpenScheme

if TYPE_CHECKING:  # an extra
    import pyarrow as pa

_AT_ONCE = 4096
"""Number of rows that are read together."""
_INDEX = re.compile(r"__index_level_\d+__")
"""The names of columns in which pandas keeps row labels."""
_NAMES = (*TEXTS, "integer")
_ANSWERS = (*_NAMES, "boolean")
_SHARES = (*_NAMES, "floating", "decimal")
_WORDS = {
    TEXTS: "strings",
    _NAMES: "strings or integers",
    _ANSWERS: "strings, integers, truth values or lists of these",
    _SHARES: "numbers",
}


def read_parquet(path: Source, draft: Draft, headings: Headings = PLAIN) -> None:
    """Read a Parquet file into a draft.

    Raises:
        InputError: pyarrow is not installed, the file is no Parquet file, or a column is missing
            or has another type. The draft collects the problems of rows.
    """
    import_pyarrow()
    label = name_path(path)
    source = open_parquet(Path(path))
    schema = schema_of(source)
    header = [name for name in schema.names if not _INDEX.fullmatch(name)]
    layout = Layout.of(header, draft.scheme, label, headings)
    kinds = _list_kinds(layout)
    lists = [_judge(schema.field(header[at]), kind, label) for at, kind in kinds.items()]
    if any(lists) and isinstance(draft.scheme, OpenScheme):
        draft.scheme.several = True
    table = Filling(draft, layout, len(header), lambda number: f"{label}, row {number}")
    first = 0
    with unbroken(label):
        groups, names = range(source.num_row_groups), [header[at] for at in kinds]
        for batch in read_groups(source, groups, names, _AT_ONCE):
            columns: list[Cells] = [[""] * len(batch)] * len(header)
            for at, kind in kinds.items():
                columns[at] = _as_cells(batch.column(header[at]), kind)
            if any(lists) or not table.add_columns(columns):
                table.add_rows(enumerate(zip(*columns, strict=True), first))
            first += len(batch)


def _list_kinds(layout: Layout) -> Mapping[int, tuple[str, ...]]:
    """Map the columns to read to the types that they can have."""
    shares = (at for of_question in layout.shares.values() for at in of_question.values())
    kinds = {
        layout.id: _NAMES,
        layout.text: TEXTS,
        layout.question: _NAMES,
        layout.answer: _ANSWERS,
        **dict.fromkeys(layout.answers.values(), _ANSWERS),
        **dict.fromkeys(shares, _SHARES),
    }
    return {at: kind for at, kind in kinds.items() if at >= 0}


def _judge(column: pa.Field, kind: tuple[str, ...], label: str) -> bool:
    """Check the type of a column; return whether it has lists."""
    own = found = _without_codes(column.type)
    lists = kind == _ANSWERS and is_one_of(own, *LISTS)
    if lists:
        own = _without_codes(own.value_type)
    if is_one_of(own, *kind, "null"):
        return lists
    whole = kind == _ANSWERS and is_one_of(own, "floating")
    raise InputError(
        f"{called(column.name)}: expected {_WORDS[kind]}, got a column of {found}",
        where=label,
        remedy="Write whole numbers as integers" if whole else "",
    )


def _without_codes(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if is_one_of(kind, "dictionary") else kind


def _as_cells(column: pa.Array, kind: tuple[str, ...]) -> Cells:
    """Return values as cells: answers unchanged, anything else as strings."""
    values: list[object] = column.to_pylist()
    if kind == _ANSWERS:
        return values
    return ["" if value is None else str(value) for value in values]
