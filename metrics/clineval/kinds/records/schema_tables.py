"""Read the shape of records from a JSON Schema: their fields, and the lists of records in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from clineval.base.errors import InputError, shown, shown_name
from clineval.kinds.records.comparable import type_of
from clineval.kinds.records.json_schema import EXTENSIONS, Document, Node, take_list, take_object
from clineval.kinds.records.shape import (
    LIST,
    NESTED,
    ROOT,
    SOURCE,
    WHOLE,
    Part,
    Path,
    ShapedField,
    Table,
    convert,
    write_path,
)
from clineval.kinds.records.values import spell
from clineval.results.averages import label_key

_FieldKind = Literal["label", "closed", "number", "words", "set"]
_KINDS: Mapping[str, _FieldKind] = {
    "words": "words",
    "set": "set",
    "number": "number",
    "enum": "closed",
}
RESERVED = frozenset({"records_match", "records_exact", "documents_exact", "fields_mean"})
"""Keys of scores that no field may have."""


def read_schema(schema: object) -> Table:
    """Read a schema whose root is an object, or an array of objects.

    Raises:
        InputError: the schema is invalid, or has a keyword that is not supported; the message
            names the place in the schema.

    Examples:
        >>> dose = {"type": "number", "x-tolerance": 0.5}
        >>> drug = {"type": "object", "properties": {"drug": {"type": "string"}, "dose": dose}}
        >>> table = read_schema({"type": "array", "items": drug})
        >>> [field.in_signature for field in table.every_field]
        ['drug=equal', 'dose=number~0.5']
    """
    root = Node.of(Document(schema), schema, "#")
    table = _read_table(root.items if root.kind == "array" else root, root, (), "")
    _check_names(table)
    return table


def _read_table(node: Node, outer: Node, path: Path, name: str) -> Table:
    """Read a list of records, or the single record of a document."""
    if node.kind != "object":
        problem = "expected an object with 'properties', or an array of such objects"
        raise InputError(problem, where=node.where)
    fields: list[ShapedField] = []
    tables: list[Table] = []
    parts: list[Part] = []
    _read_object(node, (), name, (fields, tables, parts))
    single = node is outer
    rules = () if single else outer.rules
    return Table(name or ROOT, path, tuple(fields), tuple(tables), tuple(parts), single, rules)


def _read_object(
    node: Node,
    path: Path,
    prefix: str,
    found: tuple[list[ShapedField], list[Table], list[Part]],
) -> None:
    """Add the fields and lists of an object and of the objects in it."""
    fields, tables, parts = found
    parts.append(_read_part(node, path))
    for name, part in node.properties:
        inside, called = (*path, name), f"{prefix}.{name}" if prefix else name
        if part.kind == "object":
            _refuse_facts(part)
            _read_object(part, inside, called, found)
        elif part.kind == "array":
            _refuse_facts(part)
            tables.append(_read_table(part.items, part, inside, called))
        else:
            fields.append(_read_field(part, inside, called))


def _refuse_facts(node: Node) -> None:
    """Reject facts about comparisons beside objects, whose fields compare."""
    for keyword in EXTENSIONS:
        if keyword in node.keywords:
            problem = "expected it at a field, not at an object or a list of objects"
            raise InputError(problem, where=node.at(keyword))


def _read_part(node: Node, path: Path) -> Part:
    names = frozenset(take_object(node.keywords["properties"], node.at("properties")))
    required = take_list(node.keywords.get("required", ()), node.at("required"))
    for name in required:
        if name not in names:
            raise InputError(f"{shown_name(name)} is no property", where=node.at("required"))
    closed = not node.flag("additionalProperties", default=True)
    return Part(path, names, tuple(map(str, required)), closed)


def _read_field(node: Node, path: Path, name: str) -> ShapedField:
    compare = node.compare
    member = node.items if "items" in node.keywords else node.enter({}, node.where)
    if member.compare in ("set", "words"):
        problem = "members of a set are equal or different as a whole"
        raise InputError(problem, where=member.where, remedy="Put an inner list into an object")
    for keyword in ("x-tolerance", "x-unit"):
        if keyword in member.keywords or (keyword in node.keywords and compare != "number"):
            where = (member if keyword in member.keywords else node).at(keyword)
            raise InputError("expected it at a field that compares as a number", where=where)
    values = tuple(filter(str.isprintable, (convert(each, compare) for each in node.allowed)))
    kind = _KINDS.get(compare, "label")
    return ShapedField(
        name,
        "label" if kind == "closed" and not all(values) else kind,
        values=tuple(dict.fromkeys(values)) if compare == "enum" and all(values) else (),
        key=write_path(path),
        tolerance=_read_tolerance(node),
        path=path,
        compare=compare,
        member=member.compare,
        types=node.types,
        rules=node.rules,
        allowed=tuple(map(spell, node.allowed)),
        member_types=member.types,
        member_rules=member.rules,
        member_allowed=tuple(map(spell, member.allowed)),
        unit=_read_unit(node),
        paired=node.flag("x-key"),
        traced=_read_traced(node, compare, member),
    )


def _read_traced(node: Node, compare: str, member: Node) -> bool:
    """Return whether a hierarchy of codes scores a field."""
    coded = "code" in (compare, member.compare)
    for part in (member, *(() if coded else (node,))):
        if "x-hierarchy" in part.keywords:
            problem = "expected it at a field that compares as a code, or as a set of codes"
            raise InputError(problem, where=part.at("x-hierarchy"))
    return node.flag("x-hierarchy", default=True)


def _read_tolerance(node: Node) -> float:
    given = node.keywords.get("x-tolerance", 0)
    if type_of(given) in ("integer", "number") and isinstance(given, (int, float)) and given >= 0:
        return float(given)
    problem = f"expected a number of at least 0, got {shown(given)}"
    raise InputError(problem, where=node.at("x-tolerance"))


def _read_unit(node: Node) -> str:
    unit = node.keywords.get("x-unit", "")
    if "x-unit" not in node.keywords:
        return ""
    if not isinstance(unit, str) or not unit.strip() or not _holds_strings(node):
        problem = "expected a unit such as mg, at a field whose type includes string"
        raise InputError(problem, where=node.at("x-unit"))
    return unit.strip()


def _holds_strings(node: Node) -> bool:
    return not node.types or "string" in node.types


def _check_names(table: Table) -> None:
    """Reject fields whose scores would have the same keys."""
    keys: dict[str, str] = dict.fromkeys(RESERVED, "")
    if not table.every_field:
        raise InputError("expected at least one field", where="#")
    names = [each.name for _, each in table.walk()]
    for name in names:
        if names.count(name) > 1:
            problem = f"several lists have the name {shown_name(name)}"
            raise InputError(problem, where="#", remedy="Rename one of them")
    for each in table.every_field:
        key, remedy = label_key(each.name), "Rename it, or leave it out with x-ignore"
        if each.name in (LIST, NESTED, SOURCE, WHOLE):
            problem = f"the field {shown_name(each.name)} has a name with another meaning"
            raise InputError(problem, where="#", remedy=remedy)
        if not key:
            problem = "the name of a field has no letter or digit to name its scores by"
            raise InputError(problem, where="#", remedy=remedy)
        if key in keys:
            other = keys[key]
            like = f"the field {shown_name(other)}" if other else "the score of another kind"
            problem = f"the scores of the field {shown_name(each.name)} would be named like {like}"
            raise InputError(problem, where="#", remedy=remedy)
        keys[key] = each.name
