"""Infer the schema of records from a gold standard, for data without a schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clineval.base.errors import InputError, called
from clineval.kinds.records.comparable import type_of


def infer_schema(documents: Sequence[object]) -> dict[str, object]:
    """Describe the records of documents: an object, if no document has a list of them.

    The order of documents and of records makes no difference.

    Raises:
        InputError: the name of a property could be text of a note.

    Examples:
        >>> found = infer_schema([{"drug": "aspirin", "doses": [{"mg": 5}]}, {"drug": None}])
        >>> found["properties"]["doses"]["items"]["properties"], found["properties"]["drug"]
        ({'mg': {'type': ['integer']}}, {'type': ['string']})
    """
    if any(isinstance(each, (list, tuple)) for each in documents):
        listed = [each if isinstance(each, (list, tuple)) else [each] for each in documents]
        return _describe(listed)
    return _describe(documents)


def _describe(values: Sequence[object]) -> dict[str, object]:
    """Describe values; those of no common shape can be anything."""
    there = [value for value in values if value is not None]
    if there and all(isinstance(value, Mapping) for value in there):
        return _describe_objects([value for value in there if isinstance(value, Mapping)])
    if there and all(isinstance(value, (list, tuple)) for value in there):
        members = [m for value in there if isinstance(value, (list, tuple)) for m in value]
        return {"type": "array", "items": _describe(members)}
    types = sorted({type_of(value) for value in there})
    return {} if {"object", "array", ""} & {*types} or not types else {"type": types}


def _describe_objects(values: Sequence[Mapping[str, object]]) -> dict[str, object]:
    names = sorted({name for value in values for name in value}, key=str)
    for name in names:
        if not isinstance(name, str) or called(name) != name:
            raise InputError("the name of a property is not one word, so it may be text of a note")
    properties = {name: _describe([value.get(name) for value in values]) for name in names}
    return {"type": "object", "properties": properties}
