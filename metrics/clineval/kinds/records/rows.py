"""Rows of records: the records of a document, each before the records inside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clineval.base.errors import InputError, agree, shown, shown_name
from clineval.base.hashing import hash_text
from clineval.kinds.records.comparable import is_broken, spell_filled
from clineval.kinds.records.shape import (
    LIST,
    NESTED,
    SOURCE,
    ShapedField,
    Table,
    find_part,
    write_path,
)
from clineval.kinds.records.values import INVALID, MOST_BRACKETS, is_too_deep, write_json

Texts = list[str]
"""The text of each field of the shape, then the name of the list, and what is inside."""


def list_columns(table: Table) -> list[str]:
    """Return the names of the columns of rows."""
    return [*(each.name for each in table.every_field), LIST, NESTED, SOURCE]


def _digest(text: str) -> str:
    return f"{hash_text(text):016x}"


@dataclass(slots=True)
class RowReader:
    """Reads the records of a document, and collects what violates the schema.

    Args:
        table: the shape of the records.
        problems: what violates the schema.
        unknown: the number of properties that the schema does not describe.
    """

    table: Table
    problems: list[InputError] = field(default_factory=list)
    unknown: int = 0
    _places: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self._places = {name: at for at, name in enumerate(list_columns(self.table))}

    def read(self, content: object, where: str) -> list[Texts]:
        """Return the rows of a document; invalid values become ``INVALID``."""
        if not write_json(content) and is_too_deep(content):
            self._add(f"expected fewer than {MOST_BRACKETS} brackets", where)
            return [self._write_invalid(self.table)]
        listed = list(content) if isinstance(content, (list, tuple)) else [content]
        if self.table.single and len(listed) > 1:
            problem = f"expected one object, because the schema describes one, got {len(listed)}"
            self._add(problem, where)
            return [self._write_invalid(self.table)]
        if isinstance(content, (list, tuple)):
            self._check_rules(self.table, content, where)
        rows: list[Texts] = []
        for number, record in enumerate(listed, 1):
            place = where if self.table.single else f"{where}, record {number}"
            own = self._read_record(self.table, record, place)[1]
            own[0][self._places[SOURCE]] = _digest(spell_filled(record))
            rows += own
        return rows

    def _add(self, problem: str, where: str) -> None:
        self.problems.append(InputError(problem, where=where))

    def _check_rules(self, table: Table, values: Sequence[object], where: str) -> None:
        for rule, limit in table.rules:
            if is_broken(rule, limit, values):
                self._add(f"the list violates {rule}", where)

    def _read_record(self, table: Table, record: object, where: str) -> tuple[str, list[Texts]]:
        """Return a digest of a record and everything inside it, and its rows."""
        texts, rows = self._write_invalid(table), list[Texts]()
        if isinstance(record, Mapping):
            self._check_parts(table, record, where)
            for each in table.fields:
                texts[self._places[each.name]] = self._read_field(each, record, where)
            digests, rows = self._read_tables(table, record, where)
            texts[self._places[NESTED]] = json.dumps(sorted(digests)) if digests else ""
        else:
            self._add(f"expected an object, got {shown(record)}", where)
        texts[self._places[SOURCE]] = digest = _digest(json.dumps(texts))
        return digest, [texts, *rows]

    def _write_invalid(self, table: Table) -> Texts:
        """Return a row of a list whose values are all invalid."""
        texts = [""] * len(self._places)
        texts[self._places[LIST]] = table.name
        for each in table.fields:
            texts[self._places[each.name]] = INVALID
        return texts

    def _read_field(self, each: ShapedField, record: Mapping[str, object], where: str) -> str:
        try:
            return each.read(each.find(record))
        except InputError as error:
            self._add(str(error), where)
            return INVALID

    def _check_parts(self, table: Table, record: Mapping[str, object], where: str) -> None:
        """Check the names of properties of a record and of the objects in it."""
        for part in table.parts:
            held = find_part(record, part.path)
            if not isinstance(held, Mapping):
                if held is not None:
                    name = write_path(part.path)
                    self._add(f"{name}: expected an object, got another value", where)
                continue
            missing = [name for name in part.required if held.get(name) is None]
            for name in missing:
                self._add(f"the required property {shown_name(name)} is missing", where)
            others = len(held.keys() - part.names)
            if part.closed and others:
                unknown = agree("{n} {property is|properties are} not in the schema", others)
                self._add(unknown, where)
            self.unknown += others

    def _read_tables(
        self, table: Table, record: Mapping[str, object], where: str
    ) -> tuple[list[str], list[Texts]]:
        """Read the lists inside a record."""
        digests: list[str] = []
        rows: list[Texts] = []
        for inner in table.tables:
            for digest, found in self._read_table(inner, record, where):
                digests.append(digest)
                rows += found
        return digests, rows

    def _read_table(
        self, table: Table, record: Mapping[str, object], where: str
    ) -> Iterator[tuple[str, list[Texts]]]:
        listed, name = find_part(record, table.path), write_path(table.path)
        if not isinstance(listed, (list, tuple)):
            if listed is not None:
                self._add(f"{name}: expected a list of objects, got another value", where)
            return
        self._check_rules(table, listed, f"{where}, {name}")
        for number, each in enumerate(listed, 1):
            yield self._read_record(table, each, f"{where}, {name} {number}")
