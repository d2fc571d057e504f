"""The shape of records with lists of records inside: fields, and how their values compare."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from clineval.base.errors import called, named
from clineval.base.hashing import hash_text
from clineval.kinds.records.comparable import TEXTS, is_broken, read_number, type_of
from clineval.kinds.records.fields import Field
from clineval.kinds.records.values import INVALID, spell, write_json
from clineval.results.averages import label_key

COMPARISONS = ("equal", "fold", "words", "set", "number", "date", "enum", "code")
ROOT = "@document"
"""The name of the list of a document's own records."""
LIST, NESTED, SOURCE = "@list", "@nested", "@source"
"""Columns beside the fields: the list of a record, digests of the records inside it, and a digest
of the record itself; that of a document's own record covers all of it, whatever the schema."""
WHOLE = "@record"
"""The column that shows a record as a whole."""
Path = tuple[str, ...]
_WANTED = {
    "date": "an ISO 8601 date",
    "enum": "one of the values of the schema",
    "set": "a list whose length and members fit the schema",
}
_BEGINNINGS = frozenset('-0123456789"[{tfnNI')
"""The first characters of JSON values, and of constants that Python reads."""
_OUTSIDE = object()
"""The value of a field whose enclosing object is something else."""


def find_part(record: object, path: Path) -> object:
    """Return the part of a record at a path; None if there is none.

    Examples:
        >>> find_part({"dose": {"value": 5}}, ("dose", "value")), find_part({}, ("dose", "value"))
        (5, None)
    """
    for name in path:
        if record is None:
            return None
        record = record.get(name) if isinstance(record, Mapping) else _OUTSIDE
    return record


def write_path(path: Path) -> str:
    """Write a path for messages; names that could be text of a note are withheld."""
    return ".".join(named(name) or "(name withheld)" for name in path)


@dataclass(frozen=True, slots=True)
class ShapedField(Field):
    """A field of a record that a schema describes.

    ``name`` is unique in the schema, and ``key`` is the place in the record, for messages.

    Args:
        path: the names of the objects around the value, and its own name.
        compare: one of :data:`COMPARISONS`.
        member: how the members of a set compare.
        types: the JSON types of the value; empty for any type.
        rules: keywords that limit the value, with their limits.
        allowed: the values of an ``enum``, as :func:`spell` writes them.
        member_types: the same for the members of a set, like the two arguments after it.
        unit: the unit that may follow a number in a string.
        paired: whether the field decides which records are paired.
        traced: whether a hierarchy of codes can score the field, if it holds codes.
    """

    path: Path = ()
    compare: str = "equal"
    member: str = "equal"
    types: tuple[str, ...] = ()
    rules: tuple[tuple[str, object], ...] = ()
    allowed: tuple[str, ...] = ()
    member_types: tuple[str, ...] = ()
    member_rules: tuple[tuple[str, object], ...] = ()
    member_allowed: tuple[str, ...] = ()
    unit: str = ""
    paired: bool = False
    traced: bool = field(default=True, repr=False)  # no part of the digest

    @property
    def has_codes(self) -> bool:
        """Whether a hierarchy scores its values, which are codes or sets of codes."""
        return self.traced and "code" in (self.compare, self.member)

    def find(self, record: Mapping[str, object]) -> object:
        """Return the value of this field in a record; None if there is none."""
        return find_part(record, self.path)

    @property
    def in_signature(self) -> str:
        """The facts that affect scores, for a signature."""
        compare = self.compare if self.member == "equal" else f"{self.compare}~{self.member}"
        tolerance = f"~{self.tolerance:g}" if self.tolerance else ""
        unit = f"~{label_key(self.unit) or 'unit'}" if self.unit else ""
        return f"{label_key(self.name)}={compare}{tolerance}{unit}{'~key' if self.paired else ''}"

    def _read(self, value: object) -> str:
        if value is None:
            return ""
        if not _fits(value, self.types, self.rules, self.allowed):
            return INVALID
        if self.compare == "set":
            return self._read_list(value)
        return convert(value, self.compare, self.unit)

    def _read_list(self, value: object) -> str:
        members = value if isinstance(value, (list, tuple)) else ()
        limits = self.member_types, self.member_rules, self.member_allowed
        if not all(_fits(member, *limits) for member in members):
            return INVALID
        texts = {convert(member, self.member) for member in members}
        return "" if not texts else INVALID if INVALID in texts else json.dumps(sorted(texts))

    @property
    def _wanted(self) -> str:
        if self.compare in _WANTED or not self.types:
            return _WANTED.get(self.compare, "a value that fits the schema")
        limits = " within the limits of the schema" if self.rules else ""
        unit = f", with the unit {called(self.unit)} or none" if self.unit else ""
        return f"{' or '.join(self.types)}{limits}{unit}"


def _fits(
    value: object,
    types: Sequence[str],
    rules: Sequence[tuple[str, object]],
    allowed: Sequence[str],
) -> bool:
    """Return whether a value has one of the types, and violates no other keyword."""
    kind = type_of(value)
    has_type = not types or kind in types or (kind == "integer" and "number" in types)
    if not has_type or not kind or (kind in ("array", "object") and not write_json(value)):
        return False
    if allowed and spell(value) not in allowed:
        return False
    return not any(is_broken(rule, limit, value) for rule, limit in rules)


def convert(value: object, compare: str, unit: str = "") -> str:
    """Return the text of a value in the form in which it is compared."""
    if compare == "number":
        return read_number(value, unit) if isinstance(value, str) else spell(value)
    if compare in TEXTS:
        text = TEXTS[compare](value) if isinstance(value, str) else INVALID
        return spell(text) if text == value == INVALID and compare != "date" else text
    if isinstance(value, str) and value != INVALID and not _is_json(value):
        return value
    return spell(value)


def _is_json(text: str) -> bool:
    """Return whether a bare string would look like another JSON value."""
    if text[:1] not in _BEGINNINGS:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Part:
    """An object inside a record, or the record itself.

    Args:
        path: its place in the record.
        names: the names of its properties.
        required: the names of required properties.
        closed: whether other properties violate the schema.
    """

    path: Path
    names: frozenset[str]
    required: tuple[str, ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A list of records: those of a document, or those inside each record of another list.

    Args:
        name: unique in the schema.
        path: its place in the enclosing record.
        fields: the fields of a record.
        tables: the lists inside a record.
        parts: the objects inside a record.
        single: whether each document has one record instead of a list.
        rules: keywords that limit the list.
    """

    name: str
    path: Path
    fields: tuple[ShapedField, ...]
    tables: tuple[Table, ...] = ()
    parts: tuple[Part, ...] = ()
    single: bool = False
    rules: tuple[tuple[str, object], ...] = ()

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Table]]:
        """Yield this list and all lists inside it with their depths, outer lists first."""
        yield depth, self
        yield from chain.from_iterable(table.walk(depth + 1) for table in self.tables)

    @property
    def every_field(self) -> tuple[ShapedField, ...]:
        """The fields of this list and of all lists inside it."""
        return tuple(chain.from_iterable(table.fields for _, table in self.walk()))

    @property
    def digest(self) -> str:
        """Ten hex digits that identify the shape with everything that affects scores."""
        facts = [_state(table) for _, table in self.walk()]
        return f"{hash_text(repr(facts)):016x}"[:10]


def _state(table: Table) -> tuple[object, ...]:
    parts = [(part.path, sorted(part.names), part.required, part.closed) for part in table.parts]
    fields = [replace(each, key="") for each in table.fields]
    return table.name, table.path, table.single, table.rules, parts, fields
