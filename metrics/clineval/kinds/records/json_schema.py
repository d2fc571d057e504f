"""Read the part of JSON Schema 2020-12 that describes the shape of records.

A keyword that is not understood is an error, because ignoring it would change the meaning of the
schema. Places in messages are JSON pointers into the schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clineval.base.errors import InputError, named, shown, unknown_name
from clineval.kinds.records.comparable import NUMERIC_RULES, RULES, type_of
from clineval.kinds.records.shape import COMPARISONS

Schema = Mapping[str, object]
_REMARKS = frozenset(
    {
        *("$schema", "$id", "$comment", "title", "description", "default", "examples", "format"),
        *("deprecated", "readOnly", "writeOnly", "$defs", "definitions"),
    }
)
"""Keywords that limit no value; ``format`` chooses the comparison of dates."""
EXTENSIONS = ("x-compare", "x-tolerance", "x-unit", "x-key", "x-ignore", "x-hierarchy")
_COMBINED = ("anyOf", "oneOf", "allOf")
_SHAPES = ("type", "properties", "required", "additionalProperties", "items", "enum", "const")
_KNOWN = frozenset((*_REMARKS, *EXTENSIONS, *_COMBINED, *_SHAPES, *RULES, "$ref"))
_IMPLIED = {"properties": "object", "items": "array"}
_TYPES = ("string", "number", "integer", "boolean", "null", "array", "object")
_OF_TYPE = {"array": "set", "number": "number", "integer": "number"}
_NEEDS = {
    "number": ("number", "integer", "string"),
    "set": ("array",),
    **dict.fromkeys(("fold", "words", "code", "date"), ("string",)),
}
"""Name of a comparison to types; a value must have one of them."""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole schema, in which references are looked up."""

    root: object

    def find(self, reference: object, where: str) -> object:
        """Return the part of the schema to which a reference leads."""
        if not isinstance(reference, str) or not re.match(r"#(/|\Z)", reference):
            problem = "expected a reference inside the file, such as #/$defs/drug"
            raise InputError(problem, where=f"{where}/$ref")
        found = self.root
        for escaped in reference.split("/")[1:]:
            name = escaped.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or name not in found:
                raise InputError(
                    "the reference leads to no part of the file", where=f"{where}/$ref"
                )
            found = found[name]
        return found


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a schema, with its references followed and ``null`` taken out.

    Args:
        document: the whole schema.
        keywords: the keywords of the part.
        where: its place, a JSON pointer.
        types: the JSON types of its values besides ``null``; empty for any type.
    """

    document: Document
    keywords: Schema
    where: str
    types: tuple[str, ...]
    above: frozenset[int] = field(default_factory=frozenset)

    @classmethod
    def of(
        cls, document: Document, schema: object, where: str, above: frozenset[int] = frozenset()
    ) -> Node:
        """Check the keywords of a part, and follow its references."""
        keywords, above = _follow(document, schema, where, above)
        for keyword in keywords:
            if keyword not in _KNOWN:
                known = EXTENSIONS if keyword.startswith("x-") else sorted(_KNOWN)
                raise unknown_name("keyword", keyword, known, where=where)
        for keyword in keywords.keys() & {*RULES}:
            _check_rule(keyword, keywords[keyword], f"{where}/{keyword}")
        return cls(document, keywords, where, _read_types(keywords, where), above)

    @property
    def kind(self) -> str:
        """``object`` with known properties, ``array`` of such objects, or ``value``."""
        if "properties" in self.keywords:
            return "object"
        return "array" if "items" in self.keywords and self.items.kind == "object" else "value"

    @property
    def items(self) -> Node:
        """The members of an array."""
        return self.enter(self.keywords["items"], self.at("items"))

    def enter(self, schema: object, where: str) -> Node:
        """Return a part inside this one."""
        return Node.of(self.document, schema, where, self.above)

    @property
    def properties(self) -> Iterator[tuple[str, Node]]:
        """The properties of an object, except those with ``x-ignore``."""
        held = take_object(self.keywords["properties"], self.at("properties"))
        for name, schema in held.items():
            place = f"{self.at('properties')}/{_write_step(name)}"
            ignored = schema.get("x-ignore", False) if isinstance(schema, Mapping) else False
            if not take_flag(ignored, f"{place}/x-ignore"):
                yield name, self.enter(schema, place)

    def at(self, keyword: str) -> str:
        """Return the place of a keyword."""
        return f"{self.where}/{keyword}"

    @property
    def rules(self) -> tuple[tuple[str, object], ...]:
        """The keywords that limit values, with their limits."""
        return tuple((rule, self.keywords[rule]) for rule in RULES if rule in self.keywords)

    @property
    def allowed(self) -> tuple[object, ...]:
        """The values of ``enum`` or ``const`` except null; empty without these keywords."""
        if "const" in self.keywords:
            return (self.keywords["const"],)
        values = take_list(self.keywords.get("enum", ()), self.at("enum"))
        found = tuple(value for value in values if value is not None)
        if "enum" in self.keywords and not found:
            raise InputError("expected at least one value", where=self.at("enum"))
        return found

    @property
    def compare(self) -> str:
        """How values compare: ``x-compare``, or what follows from the type."""
        given = self.keywords.get("x-compare")
        if given is None:
            return self._usual
        if given not in COMPARISONS:
            raise unknown_name("comparison", given, COMPARISONS, where=self.at("x-compare"))
        needed = _NEEDS.get(str(given), self.types)
        if self.types and not {*needed} & {*self.types}:
            problem = f"{given} compares values of the type {' or '.join(needed)}"
            raise InputError(
                f"{problem}, not {' or '.join(self.types)}", where=self.at("x-compare")
            )
        if given == "enum" and not self.allowed:
            raise InputError("expected 'enum' with the values", where=self.at("x-compare"))
        return str(given)

    @property
    def _usual(self) -> str:
        if self.allowed:
            return "enum"
        if "string" in self.types:
            return "date" if self.keywords.get("format") in ("date", "date-time") else "equal"
        return _OF_TYPE.get(self.types[0], "equal") if len(self.types) == 1 else "equal"

    def flag(self, keyword: str, *, default: bool = False) -> bool:
        """Return the value of a keyword that is true or false."""
        return take_flag(self.keywords.get(keyword, default), self.at(keyword))


def _write_step(name: str) -> str:
    """Write a name as a step of a JSON pointer; names that could be text are withheld."""
    escaped = name.replace("~", "~0").replace("/", "~1")
    return escaped if named(name) else "(name withheld)"


def _follow(
    document: Document, schema: object, where: str, above: frozenset[int]
) -> tuple[Schema, frozenset[int]]:
    """Return the keywords of a part, with those of its references and its only alternative."""
    if schema is True:
        return {}, above
    keywords = dict(take_object(schema, where))
    while True:
        if "$ref" in keywords:
            target = document.find(keywords.pop("$ref"), where)
            if id(target) in above:
                raise InputError("a schema that contains itself is not supported", where=where)
            above |= {id(target)}
            found = take_object(target, where)
        else:
            combined = next((name for name in _COMBINED if name in keywords), None)
            if combined is None:
                return keywords, above
            found = _choose(keywords.pop(combined), f"{where}/{combined}")
        keywords = {**found, **keywords}


def _choose(alternatives: object, where: str) -> Schema:
    """Return the only alternative besides null."""
    others = [each for each in take_list(alternatives, where) if not _is_null(each)]
    if len(others) != 1:
        problem = f"expected one alternative besides null, got {len(others)}"
        raise InputError(problem, where=where, remedy="Describe the value with one type")
    return take_object(others[0], where)


def _is_null(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "null"


def _read_types(keywords: Schema, where: str) -> tuple[str, ...]:
    given = keywords.get("type", ())
    types = take_list([given] if isinstance(given, str) else given, f"{where}/type")
    for name in types:
        if name not in _TYPES:
            raise unknown_name("type", name, _TYPES, where=f"{where}/type")
    found = tuple(str(name) for name in types if name != "null")
    implied = tuple(kind for key, kind in _IMPLIED.items() if key in keywords)
    if implied and found not in ((), implied):
        problem = f"expected only the type {' or '.join(implied)}, because of the other keywords"
        raise InputError(problem, where=f"{where}/type")
    return found or implied


def _check_rule(keyword: str, limit: object, where: str) -> None:
    """Reject a limit of another type."""
    wanted = {"pattern": "string", "uniqueItems": "boolean"}.get(keyword, "integer")
    kinds = ("integer", "number") if keyword in NUMERIC_RULES else (wanted,)
    if type_of(limit) not in kinds:
        raise InputError(f"expected a {kinds[-1]}, got {shown(limit)}", where=where)
    if isinstance(limit, str):
        try:
            re.compile(limit)
        except re.error:
            raise InputError("expected a regular expression", where=where) from None


def take_object(value: object, where: str) -> Schema:
    """Return an object, or raise an ``InputError``."""
    if not isinstance(value, Mapping):
        raise InputError(f"expected an object, got {shown(value)}", where=where)
    return value


def take_list(value: object, where: str) -> Sequence[object]:
    """Return a list, or raise an ``InputError``."""
    if not isinstance(value, (list, tuple)):
        raise InputError(f"expected a list, got {shown(value)}", where=where)
    return value


def take_flag(value: object, where: str) -> bool:
    """Return true or false, or raise an ``InputError``."""
    if not isinstance(value, bool):
        raise InputError(f"expected true or false, got {shown(value)}", where=where)
    return value
