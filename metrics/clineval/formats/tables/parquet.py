"""Parquet files of documents: the columns ``id``, ``mentions``, and ``text`` where it is known.

``mentions`` is ``list<struct<spans: list<list<int32>>, cui: string, <slot>: string>>``; a set of
codes is one string with commas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError, called, listed, need, shown_name
from clineval.base.files import name_path, read_bytes, write_file
from clineval.kinds.mentions.mention import Document, Mention

MENTIONS = "mentions"
SUFFIX = ".parquet"
_BLOCK = 4096


def import_pyarrow() -> Any:
    """Import the package pyarrow; an ``InputError`` says how to install it."""
    for module in ("pyarrow.parquet", "pyarrow"):
        found = need(module, "arrow", "tables need pyarrow")
    return found


def judge_columns(schema: Any, names: Sequence[str], where: str) -> None:
    """Refuse columns of a table whose names stand twice, and as :func:`judge_fields` does."""
    for name in names:
        if schema.names.count(name) > 1:
            raise InputError(f"there are several columns {shown_name(name)}", where=where)
        judge_fields(schema.field(name).type, where)


def judge_fields(kind: Any, where: str) -> None:
    """Refuse structs, at any depth of an Arrow type, of which two fields have the same name."""
    fields = [kind.field(at) for at in range(kind.num_fields)] if hasattr(kind, "field") else []
    names = [each.name for each in fields]
    if len(set(names)) < len(names):
        repeated = sorted({name for name in names if names.count(name) > 1})
        raise InputError(
            f"a struct has several fields of one name: {listed(repeated)}", where=where
        )
    held = [getattr(kind, name, None) for name in ("value_type", "key_type", "item_type")]
    for inner in (*(each.type for each in fields), *filter(None, held)):
        judge_fields(inner, where)


def read_documents(path: Path) -> list[Document]:
    """Read documents as objects; an ``InputError`` where the file is not a table of them."""
    pa = import_pyarrow()
    where = name_path(path)
    try:
        file = pa.parquet.ParquetFile(BytesIO(read_bytes(path)))
        table = file.read()
        table.validate(full=True)
        if table.num_rows != file.metadata.num_rows:
            raise InputError("the Parquet file is damaged", where=where)
    except (pa.ArrowException, OSError):  # pages that are broken are an error of input and output
        raise InputError("no Parquet file", where=where) from None
    if not {"id", MENTIONS} <= set(table.column_names):
        raise InputError(f"expected the columns id and {MENTIONS}", where=where)
    judge_columns(table.schema, table.column_names, where)
    return [_as_document(row, where) for row in table.to_pylist()]


def _as_document(row: dict[str, Any], where: str) -> Document:
    place = f"{where}, document {called(str(row['id']))}"
    if not isinstance(row["id"], str) or not isinstance(row[MENTIONS], list):
        raise InputError(f"expected a string 'id' and a list {MENTIONS!r}", where=place)
    try:
        mentions = [Mention.from_dict(_without_null(each)) for each in row[MENTIONS]]
    except InputError as error:
        raise InputError(str(error), where=place) from None
    return Document(row["id"], mentions, row.get("text"))


def _without_null(mention: Any) -> Any:
    """Drop a mention's nulls, which mean nothing except for a code."""
    if not isinstance(mention, dict):
        return mention
    return {key: value for key, value in mention.items() if value is not None or key == "cui"}


def write_documents(documents: Sequence[Document], path: Path) -> None:
    """Write one file; a document without an id is refused."""
    pa = import_pyarrow()
    names = _slot_names(documents)
    spans = pa.list_(pa.list_(pa.int32()))
    mention = pa.struct([("spans", spans), *((name, pa.string()) for name in names)])
    fields = [("id", pa.string()), (MENTIONS, pa.list_(mention))]
    if any(document.text is not None for document in documents):
        fields.append(("text", pa.string()))
    schema = pa.schema(fields)
    file = BytesIO()
    with pa.parquet.ParquetWriter(file, schema) as writer:
        for first in range(0, len(documents), _BLOCK):
            rows = list(_rows_of(documents[first : first + _BLOCK]))
            writer.write_table(pa.Table.from_pylist(rows, schema))
    write_file(path, file.getvalue())


def _slot_names(documents: Sequence[Document]) -> list[str]:
    """Name the slots that any mention has, the code's first."""
    mentions = [mention for document in documents for mention in document.mentions]
    names = {name for mention in mentions for name in mention.slots}
    coded = ["cui"] if any(mention.coded for mention in mentions) else []
    return [*coded, *sorted(names - {"cui"})]


def _rows_of(documents: Sequence[Document]) -> Iterator[dict[str, Any]]:
    for document in documents:
        if document.id is None:
            raise InputError("a document has no id", remedy="Parquet joins two sides by their ids")
        mentions = [_flatten(mention) for mention in document.mentions]
        yield {"id": document.id, MENTIONS: mentions, "text": document.text}


def _flatten(mention: Mention) -> dict[str, Any]:
    slots = {
        name: ",".join(value) if isinstance(value, tuple) else value
        for name, value in mention.slots.items()
    }
    slots |= {n: str(v).lower() for n, v in slots.items() if isinstance(v, bool)}
    return {"spans": [list(span) for span in mention.spans], "cui": mention.cui, **slots}
