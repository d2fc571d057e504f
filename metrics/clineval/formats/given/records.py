"""Read records, from files or Python, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from clineval.base.errors import InputError, located, read_all, read_each, shown, warn
from clineval.formats.given.forms import Items, judge_ids, open_given
from clineval.formats.listed import warn_of_left_out
from clineval.formats.record_files import RecordFormat
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import as_columns
from clineval.kinds.records.fields import Field
from clineval.results.listed import Listed

Texts = tuple[str, ...]
"""The text of each field of a record."""


def read_records(given: object, side: str, form: RecordFormat, *, strict: bool) -> Side:
    r"""Read one side.

    Args:
        given: the path of files in the format, or their text; a list with an item for each
            document; or a mapping of document names to items. An item is a list of dicts, or an
            object with ``id`` and such a list. It can also be a string of JSON.
        side: ``predictions`` or ``references``, for messages.
        form: the format of the records.
        strict: whether to reject invalid records; otherwise they are kept, with
            :data:`~clineval.kinds.records.values.INVALID` in the field, and trigger a warning.

    Raises:
        InputError: a record is invalid; the message names file and line, or the document, and
            record and field.

    Examples:
        >>> form = RecordFormat((Field("concept", "label", required=True), Field("value", "value")))
        >>> side = read_records([[{"concept": "pain", "value": 5}], []], "x", form, strict=True)
        >>> side.mentions.attributes["value"].values, side.documents
        (('5',), ('', ''))
    """
    # predictions are scored even if they are invalid
    opened = form if strict else replace(form, constants=True)

    def read(listed: Iterable[Listed], *, named: bool = True) -> Side:
        return _as_side(list(listed), side, form.fields, strict=strict, named=named)

    def read_items(items: Items) -> Side:
        places = (f"{side}, document {at}" for at in range(len(items.values)))
        return read(map(opened.open_document, items.values, places), named=items.named)

    return open_given(
        given,
        side,
        Side,
        read_files=lambda source: read(opened.list_files(source)),
        read_items=read_items,
        read_named=lambda held: read(opened.open_member(*each, side) for each in held.items()),
        wanted="a list of records for each document",
    )


def _as_side(
    listed: Sequence[Listed], side: str, fields: Sequence[Field], *, strict: bool, named: bool
) -> Side:
    names = judge_ids([each.name for each in listed], side)
    warn_of_left_out(listed)
    problems: dict[str, None] = {}
    read = _read_strictly if strict else partial(_read_leniently, problems=problems)
    found = read_each(partial(read, fields=fields), ((each,) for each in listed))
    rows = [(at, record) for at, records in enumerate(found) for record in records]
    warn(
        "{n} {document has|documents have} invalid predicted records, whose invalid fields count "
        "as wrong: {names}",
        list(problems),
    )
    columns = as_columns(rows, [field.name for field in fields])
    texts = tuple(each.open_text() for each in listed)
    documents = tuple(names) or ("",) * len(listed)
    return Side(documents, documents if names or named else None, columns, texts)


def _read_strictly(given: Listed, fields: Sequence[Field]) -> list[Texts]:
    return read_each(partial(_read_record, fields=fields), _places(given))


def _read_leniently(
    given: Listed, fields: Sequence[Field], problems: dict[str, None]
) -> list[Texts]:
    """Read valid fields; add the document to ``problems`` if a record is invalid."""
    texts: list[Texts] = []
    for record, where in _places(given):
        try:
            texts.append(_read_record(record, where, fields))
        except InputError:
            problems[given.name or given.where.rpartition(" ")[2]] = None
            held = record if isinstance(record, Mapping) else {}
            texts.append(tuple(field.take(field.find(held)) for field in fields))
    return texts


def _places(given: Listed) -> Iterator[tuple[object, str]]:
    """Yield the records of a document, each with its place."""
    for number, record in enumerate(given.open_records(), 1):
        yield record, f"{given.where}, record {number}"


def _read_record(record: object, where: str, fields: Sequence[Field]) -> Texts:
    if not isinstance(record, Mapping):
        raise InputError(f"expected an object with fields, got {shown(record)}", where=where)
    try:
        return tuple([field.read(field.find(record)) for field in fields])
    except InputError:
        return tuple(read_all(partial(located, where, f.read, f.find(record)) for f in fields))
