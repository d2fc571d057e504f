"""Fields of records by a JSON Schema: what they are, and how two values compare.

``x-compare`` of a field names its comparison: the same value (``equal``), text (``fold``), shared
words or members (``words``, ``set``), a number within ``x-tolerance``, or a code.
"""

import json
import re
from collections import Counter


def resolve(part, schema):
    """Return a part of a schema with what its references name in place of them."""
    if isinstance(part, list):
        return [resolve(each, schema) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        _, *names = part["$ref"].split("/")
        target = schema
        for name in names:
            target = target[name]
        return resolve(target, schema)
    return {name: resolve(each, schema) for name, each in part.items()}


def describe(schema):
    """Return the fields and lists of an object: path to (comparison, schema), path to schema."""
    fields, lists = {}, {}
    for name, part in schema["properties"].items():
        if part.get("x-ignore"):
            continue
        items = part.get("items", {})
        if "properties" in part:
            inner, nested = describe(part)
            fields |= {(name, *path): of for path, of in inner.items()}
            lists |= {(name, *path): of for path, of in nested.items()}
        elif "properties" in items:
            lists[name,] = items
        else:
            usual = "set" if items else "number" if part.get("type") == "number" else "equal"
            fields[name,] = (part.get("x-compare", usual), part)
    return fields, lists


def find(record, path):
    """Return the value at a path; None if it is missing."""
    for name in path:
        record = (record or {}).get(name)
    return record


def form(value, compare, part):
    """Return a value in the form in which it compares; None for no value."""
    if value in (None, "", []):
        return None
    if compare == "fold":
        value = " ".join(value.lower().split())
    if compare == "words":
        value = re.findall(r"[a-z0-9]+(?:(?<=[0-9])[.,][0-9]+)*", value.lower())
    if compare == "set":
        inner = part["items"].get("x-compare", "equal")
        value = sorted({form(member, inner, {}) for member in value})
    if compare == "number" and isinstance(value, str):
        value = float(value.removesuffix(part.get("x-unit", "")))
    if compare == "code":
        value = value.upper().replace(".", "").replace(" ", "")
    return value


def share(gold, found, compare, part):
    """Return the F1 of two values; 1 or 0 for values without parts."""
    if gold is None or found is None:
        return 0
    if compare in ("words", "set"):
        common = (Counter(gold) & Counter(found)).total()
        return 2 * common / (len(gold) + len(found))
    if compare == "number":
        return float(abs(gold - found) <= part.get("x-tolerance", 0) + 1e-9)
    return float(gold == found)


def is_equal(gold, found, compare, part):
    """Check whether two values, or the lack of both, are the same."""
    if gold is None or found is None:
        return gold is found
    if compare == "number":
        return share(gold, found, compare, part) == 1
    return gold == found


def normal(record, schema):
    """Return a record as text, which is the same for all orders of its lists."""
    fields, lists = describe(schema)
    parts = [form(find(record, path), *of) for path, of in fields.items()]
    inner = [
        sorted(normal(each, of) for each in find(record, path) or []) for path, of in lists.items()
    ]
    return json.dumps([parts, inner])
