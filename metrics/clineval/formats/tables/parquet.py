"""Parquet files of documents: columns ``id``, ``mentions``, and optional others.

The optional columns are ``relations``, ``text`` and ``language``. ``mentions`` is
``list<struct<spans: list<list<int32>>, cui: string, <slot>: string>>``; a set of codes is one
string, separated by commas. Mentions that relations connect have an ``id``, and ``cues`` are
``struct<<slot>: list<list<int32>>>``. ``relations`` is ``list<struct<label: string, from: string,
to: string>>``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from clineval.base.errors import InputError, called, listed, located, need, shown_name
from clineval.base.files import half_of_a_pair, name_path, read_bytes, write_file
from clineval.base.progress import track
from clineval.formats.jsonl import as_document
from clineval.kinds.mentions.mention import Document, Mention

if TYPE_CHECKING:  # an extra
    import pyarrow as pa

MENTIONS, RELATIONS = "mentions", "relations"
SUFFIX = ".parquet"
TEXTS = ("string", "large_string")
LISTS = ("list", "large_list", "fixed_size_list")
_BLOCK = 4096


def import_pyarrow() -> ModuleType:
    """Import the package pyarrow; if it is missing, an ``InputError`` says how to install it."""
    for module in ("pyarrow.parquet", "pyarrow"):
        found: ModuleType = need(module, "arrow", "tables need pyarrow")
    return found


def is_one_of(kind: pa.DataType, *names: str) -> bool:
    """Return whether an Arrow type is one of some types, by their names in ``pyarrow.types``."""
    import pyarrow as pa

    return any(getattr(pa.types, f"is_{name}")(kind) for name in names)


def find_null(array: pa.Array) -> int:
    """Find the first null of an array that has one."""
    return int(np.argmax(array.is_null().to_numpy(zero_copy_only=False)))


def fields_of(kind: pa.DataType) -> list[pa.Field]:
    """List the fields of a struct or another nested type; empty for plain types."""
    return [kind.field(at) for at in range(kind.num_fields)] if hasattr(kind, "field") else []


def judge_columns(schema: pa.Schema, names: Sequence[str], where: str) -> None:
    """Reject columns whose name occurs twice, or whose type :func:`judge_fields` rejects."""
    for name in names:
        if schema.names.count(name) > 1:
            raise InputError(f"there are several columns {shown_name(name)}", where=where)
        judge_fields(schema.field(name).type, where)


def judge_fields(kind: pa.DataType, where: str) -> None:
    """Reject structs with two fields of the same name, at any depth of an Arrow type."""
    fields = fields_of(kind)
    names = [each.name for each in fields]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InputError(
            f"a struct has several fields with the same name: {listed(repeated)}", where=where
        )
    held = [getattr(kind, name, None) for name in ("value_type", "key_type", "item_type")]
    for inner in (*(each.type for each in fields), *filter(None, held)):
        judge_fields(inner, where)


@contextmanager
def open_file(path: Path) -> Iterator[Any]:
    """Open a file; convert errors of reading inside to an ``InputError``."""
    pa = import_pyarrow()
    try:
        yield pa.parquet.ParquetFile(BytesIO(read_bytes(path)))
    except (pa.ArrowException, OSError):  # damaged pages raise an OSError
        raise InputError("not a Parquet file", where=name_path(path)) from None


def read_documents(path: Path) -> list[Document]:
    """Read documents as objects.

    Raises:
        InputError: the file is damaged, or is not a table of documents.
    """
    where = name_path(path)
    with open_file(path) as file:
        table = file.read()
        table.validate(full=True)
        if table.num_rows != file.metadata.num_rows:
            raise InputError("the Parquet file is damaged", where=where)
    if not {"id", MENTIONS} <= set(table.column_names):
        raise InputError(f"expected the columns id and {MENTIONS}", where=where)
    judge_columns(table.schema, table.column_names, where)
    return [_as_document(row, where) for row in table.to_pylist()]


def _as_document(row: Mapping[str, object], where: str) -> Document:
    name, held = row["id"], row[MENTIONS]
    place = f"{where}, document {called(str(name))}"
    if not isinstance(name, str) or not isinstance(held, list):
        raise InputError(f"expected a string 'id' and a list {MENTIONS!r}", where=place)
    return located(place, as_document, {**row, MENTIONS: list(map(_without_null, held))})


def _without_null(mention: dict[str, object] | None) -> object:
    """Drop the nulls of a mention and of its cues, except a code that is null."""
    if not isinstance(mention, dict):
        return mention
    cues = mention.get("cues")
    known = {"cues": _without_null(cues)} if isinstance(cues, dict) else {}
    return {k: v for k, v in {**mention, **known}.items() if v is not None or k == "cui"}


def write_documents(documents: Sequence[Document], path: Path) -> None:
    """Write one file.

    Raises:
        InputError: a document has no id, or a string contains half of a surrogate pair.
    """
    try:
        written = _encode(documents)
    except UnicodeEncodeError:
        raise half_of_a_pair("a document holds", name_path(path)) from None
    write_file(path, written)


def _encode(documents: Sequence[Document]) -> bytes:
    pa = import_pyarrow()
    mentions = [mention for document in documents for mention in document.mentions]
    spans = pa.list_(pa.list_(pa.int32()))
    mention = pa.struct([("spans", spans), *_list_fields(mentions, spans)])
    fields = [("id", pa.string()), (MENTIONS, pa.list_(mention))]
    if any(document.relations for document in documents):
        relation = pa.struct([(name, pa.string()) for name in ("label", "from", "to")])
        fields.append((RELATIONS, pa.list_(relation)))
    known = {"text": [d.text for d in documents], "language": [d.language for d in documents]}
    fields += ((name, pa.string()) for name, of in known.items() if set(of) != {None})
    schema = pa.schema(fields)
    file = BytesIO()
    with pa.parquet.ParquetWriter(file, schema) as writer:
        for first in track(range(0, len(documents), _BLOCK), "formatting"):
            rows = list(map(_as_row, documents[first : first + _BLOCK]))
            writer.write_table(pa.Table.from_pylist(rows, schema))
    return file.getvalue()


def _list_fields(mentions: Sequence[Mention], spans: pa.DataType) -> Iterator[pa.Field]:
    """Yield the fields of mentions besides ``spans``; cues have the type ``spans``."""
    import pyarrow as pa

    held = {
        "id": any(mention.id is not None for mention in mentions),
        "cui": any(mention.coded for mention in mentions),
    }
    slots = {name for mention in mentions for name in mention.slots} - {"cui"}
    for name in [*(name for name, there in held.items() if there), *sorted(slots)]:
        yield pa.field(name, pa.string())
    cues = sorted({name for mention in mentions for name in mention.cues})
    if cues:
        yield pa.field("cues", pa.struct([(name, spans) for name in cues]))


def _as_row(document: Document) -> dict[str, object]:
    if document.id is None:
        raise InputError("a document has no id", remedy="Parquet joins two sides by their ids")
    mentions = [
        {
            "id": mention.id,
            "spans": mention.spans,
            "cui": mention.cui,
            "cues": dict(mention.cues) or None,
        }
        | {name: _as_string(value) for name, value in mention.slots.items()}
        for mention in document.mentions
    ]
    relations = [relation.as_dict() for relation in document.relations]
    row = {"id": document.id, MENTIONS: mentions, RELATIONS: relations}
    return row | {"text": document.text, "language": document.language}


def _as_string(value: object) -> object:
    """Convert a set of codes to one string, and a boolean to a word."""
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else value
