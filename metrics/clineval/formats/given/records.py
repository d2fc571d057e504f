"""Whatever a user gives as predictions or references of records, as one side of a corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, located, named, raise_all, read_all, shown, warn
from clineval.base.problems import Problem
from clineval.base.strict_json import expect_json
from clineval.formats import checking, jsonl
from clineval.formats.files import TextFile, read_text_files
from clineval.formats.given.forms import items_of, judge_ids
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import Row, as_columns
from clineval.kinds.records.fields import Field

RECORDS = "records"


@dataclass(frozen=True, slots=True)
class Listed:
    """A document as it was given.

    Args:
        where: its place, for messages.
        name: its name; None if it has none.
        records: what should be a list of records.
        text: the note, where it came with them.
    """

    where: str
    name: str | None
    records: object
    text: object = None


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """How a challenge's records are written.

    Args:
        fields: the fields that are read; others are not looked at.
        key: the challenge's name for the list of a document's records, besides ``records``.
        pattern: the names of its files.
        read_file: lists the documents of a file that is not JSON Lines; None where all files are.
    """

    fields: tuple[Field, ...]
    key: str = RECORDS
    pattern: str = jsonl.FILES
    read_file: Callable[[TextFile], Iterable[Listed]] | None = None

    def list_file(self, file: TextFile) -> Iterator[Listed]:
        """List the documents of a file: an object with ``id`` and records on each line."""
        for where, text in file.lines():
            line = expect_json(text, "one JSON object on the line", where)
            yield self.open_document(line, where, named=True)

    def open_document(self, given: object, where: str, *, named: bool = False) -> Listed:
        """Look into a document: an object with records, a list of these, or a string of JSON."""
        if isinstance(given, str):
            given = expect_json(given, "records in a string of JSON", where)
        if isinstance(given, (list, tuple)) and not named:
            return Listed(where, None, given)
        keys = tuple(dict.fromkeys((self.key, RECORDS)))
        found = [key for key in keys if key in given] if isinstance(given, Mapping) else []
        if not isinstance(given, Mapping) or len(found) != 1:
            problem = f"expected an object with {' or '.join(map(repr, keys))}"
            raise InputError(f"{problem}, got {shown(given)}", where=where)
        name = given.get("id")
        name = str(name) if type(name) is int else name
        if (named or name is not None) and not (isinstance(name, str) and name.strip()):
            raise InputError(f"id: expected the name of a document, got {shown(name)}", where=where)
        return Listed(where, name, given[found[0]], given.get("text"))


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
    listed = list(_list_documents(given, side, form))
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
        read_file = form.read_file or form.list_file
        places: dict[str | None, str] = {}
        for file in read_text_files(given, pattern=form.pattern, separator="{"):
            for each in read_file(file):
                if places.setdefault(each.name, each.where) != each.where:
                    problem = f"the document's 'id' is also that of {places[each.name]}"
                    raise InputError(problem, where=each.where)
                yield each
        return
    if isinstance(given, Mapping):
        for name, records in given.items():
            if not isinstance(name, str) or not name.strip():
                problem = f"expected the name of a document, got {shown(name)}"
                raise InputError(problem, where=side)
            opened = form.open_document(
                records, f"{side}, document {named(name) or 'of that name'}"
            )
            yield replace(opened, name=name)
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
    records = given.records
    if isinstance(records, str):
        records = expect_json(records, "a list of records in a string of JSON", given.where)
    if not isinstance(records, (list, tuple)):
        raise InputError(f"expected a list of records, got {shown(records)}", where=given.where)
    for number, record in enumerate(records, 1):
        yield record, f"{given.where}, record {number}"


def _read_record(record: object, where: str, fields: Sequence[Field]) -> tuple[str, ...]:
    """Return the text of each field."""
    if not isinstance(record, Mapping):
        raise InputError(f"expected an object with fields, got {shown(record)}", where=where)
    return tuple(located(where, field.read, field.find(record)) for field in fields)


def _judge_text(given: Listed) -> str | None:
    if given.text is None or isinstance(given.text, str):
        return given.text
    raise InputError(f"text: expected a string, got {shown(given.text)}", where=given.where)


def find_problems(paths: Sequence[Path], form: RecordFormat) -> Iterator[Problem]:
    """Yield all problems of files, as gold standards are read."""
    read = partial(_check_file, form=form)
    yield from checking.find_problems(paths, form.pattern, read, by_line=form.read_file is None)


def _check_file(file: TextFile, form: RecordFormat) -> None:
    listed = list((form.read_file or form.list_file)(file))
    read_all(partial(_read_record, *each, form.fields) for of in listed for each in _places(of))
    first: dict[str | None, int] = {}
    again = [of for at, of in enumerate(listed) if first.setdefault(of.name, at) != at]
    problem = "the document's 'id' is also that of an earlier line"
    raise_all([InputError(problem, where=of.where) for of in again])
