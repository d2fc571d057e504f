"""Whatever a user gives as predictions or references of records, as one side of a corpus."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, located, raise_all, read_all, shown, warn
from clineval.base.problems import Problem
from clineval.formats import checking
from clineval.formats.files import TextFile
from clineval.formats.given.forms import items_of, judge_ids
from clineval.formats.record_files import Listed, RecordFormat, list_files
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import Row, as_columns
from clineval.kinds.records.fields import Field


def read_records(given: object, side: str, form: RecordFormat, *, strict: bool) -> Side:
    r"""Read one side.

    Args:
        given: the path of files of the format, or their text; or for each document a list of
            dicts, an object with ``id`` and such a list, or either as a string of JSON; or a
            mapping of documents' names to these.
        side: ``predictions`` or ``references``, for messages.
        form: how records are written.
        strict: whether a record that lacks something is refused; otherwise it stays, with
            :data:`~clineval.kinds.records.values.INVALID` in the field, and there is a warning.

    Raises:
        InputError: names file and line, or the document, and record and field.

    Examples:
        >>> form = RecordFormat((Field("concept", "label", required=True), Field("value", "value")))
        >>> side = read_records([[{"concept": "pain", "value": 5}], []], "x", form, strict=True)
        >>> side.mentions.attributes["value"].values, side.documents
        (('5',), ('', ''))
    """
    if isinstance(given, Side):
        return given
    # what a system says is scored, whatever it is
    opened = form if strict else replace(form, constants=True)
    listed = list(_list_documents(given, side, opened))
    names = judge_ids([each.name for each in listed], side)
    problems: dict[str, None] = {}
    rows: list[Row] = []
    for at, each in enumerate(listed):
        lenient = partial(_read_leniently, problems=problems)
        found = (_read_strictly if strict else lenient)(each, form.fields)
        rows += [(at, record) for record in found]
    warn(
        "{n} {document has|documents have} predicted records that are not as expected, and count "
        "as wrong there: {names}",
        list(problems),
    )
    columns = as_columns(rows, [field.name for field in form.fields])
    texts = tuple(map(_judge_text, listed))
    documents = tuple(names) or ("",) * len(listed)
    by_name = bool(names) or isinstance(given, (str, os.PathLike, Mapping))
    return Side(documents, documents if by_name else None, columns, texts)


def _list_documents(given: object, side: str, form: RecordFormat) -> Iterator[Listed]:
    if isinstance(given, (str, os.PathLike)):
        yield from list_files(given, form)
        return
    if isinstance(given, Mapping):
        yield from (form.open_member(name, records, side) for name, records in given.items())
        return
    items = items_of(given, "a list of records for each document", side)
    for at, item in enumerate(items):
        yield form.open_document(item, f"{side}, document {at}")


def _read_strictly(given: Listed, fields: Sequence[Field]) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each record's fields."""
    return (_read_record(record, where, fields) for record, where in _places(given))


def _read_leniently(
    given: Listed, fields: Sequence[Field], problems: dict[str, None]
) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each record's fields; name the document among the problems, if any."""
    for record, where in _places(given):
        texts = _try_record(record, where, fields)
        if texts is None:
            problems[given.name or given.where.rpartition(" ")[2]] = None
            held = record if isinstance(record, Mapping) else {}
            texts = tuple(field.take(field.find(held)) for field in fields)
        yield texts


def _try_record(record: object, where: str, fields: Sequence[Field]) -> tuple[str, ...] | None:
    try:
        return _read_record(record, where, fields)
    except InputError:
        return None


def _places(given: Listed) -> Iterator[tuple[object, str]]:
    """Yield the records of a document, each with its place."""
    for number, record in enumerate(given.open_records(), 1):
        yield record, f"{given.where}, record {number}"


def _read_record(record: object, where: str, fields: Sequence[Field]) -> tuple[str, ...]:
    """Return the text of each field."""
    held = _open_record(record, where)
    return tuple(located(where, field.read, field.find(held)) for field in fields)


def _open_record(record: object, where: str) -> Mapping[str, object]:
    if not isinstance(record, Mapping):
        raise InputError(f"expected an object with fields, got {shown(record)}", where=where)
    return record


def _judge_text(given: Listed) -> str | None:
    if given.text is None or isinstance(given.text, str):
        return given.text
    raise InputError(f"text: expected a string, got {shown(given.text)}", where=given.where)


def find_problems(paths: Sequence[Path], form: RecordFormat) -> Iterator[Problem]:
    """Yield all problems of files, as gold standards are read."""
    read = partial(_check_file, form=form)
    for file in checking.open_files(paths, form.pattern):
        if isinstance(file, Problem):
            yield file
        else:
            yield from checking.find_in_file(file, read, by_line=form.has_lines(file))


def _check_file(file: TextFile, form: RecordFormat) -> None:
    listed = list(form.list_file(file))
    read_all(partial(_check_document, each, form.fields) for each in listed)
    first: dict[str | None, int] = {}
    again = [of for at, of in enumerate(listed) if first.setdefault(of.name, at) != at]
    problem = "the document's 'id' is also that of an earlier line"
    raise_all([InputError(problem, where=of.where) for of in again])


def _check_document(given: Listed, fields: Sequence[Field]) -> None:
    read_all(partial(_check_record, *each, fields) for each in _places(given))
    _judge_text(given)


def _check_record(record: object, where: str, fields: Sequence[Field]) -> None:
    held = _open_record(record, where)
    read_all(partial(located, where, field.read, field.find(held)) for field in fields)
