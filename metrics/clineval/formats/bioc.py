"""BioC in XML or JSON: a collection of documents with passages, annotations and relations.

An annotation has an id, infons and locations. The infon ``type`` is the label. A location is an
offset in characters from the start of the document, and a length. A relation has infons and nodes.
A node refers to an annotation by its id, and can have a role.

JSON becomes the elements of the XML, so both have one reader. The standard library reads them. The
package ``bioc`` is not used: it reads other files for entities of the XML, reports no line numbers,
and prints lines that it cannot read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeGuard
from xml.etree import ElementTree as ET

from clineval.base.errors import InputError, called, shown
from clineval.base.files import Source, is_directory, is_there, read_bytes
from clineval.base.offsets import judge_offset, read_whole
from clineval.base.strict_json import expect_json
from clineval.formats import looks
from clineval.formats.files import TextFile, holds, names_in

XML, JSON = r"(?i)\.xml$", r"(?i)\.json$"
SIGNS: Mapping[str, bytes] = {XML: b"<collection", JSON: b'"documents"'}
"""Pattern of file names to bytes near the beginning of a collection."""
_HEAD = 4096
_ROOTS = ("collection", "document")
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)
_LISTS: Mapping[str, Mapping[str, str]] = {
    "collection": {"documents": "document"},
    "document": {
        "passages": "passage",
        "annotations": "annotation",
        "relations": "relation",
    },
    "passage": {
        "sentences": "sentence",
        "annotations": "annotation",
        "relations": "relation",
    },
    "sentence": {"annotations": "annotation", "relations": "relation"},
    "annotation": {"locations": "location"},
    "relation": {"nodes": "node"},
}
"""Element to the lists of its JSON, and the elements that are in them."""
_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "annotation": ("id",),
    "relation": ("id",),
    "location": ("offset", "length"),
    "node": ("refid", "role"),
}
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "document": ("id",),
    "passage": ("offset", "text"),
    "sentence": ("offset", "text"),
}
Fragments = tuple[tuple[int, int], ...]


def find_pattern(source: Source, own: str = "") -> str:
    """Return the pattern of names, XML or JSON, of a file or a directory; empty if it has neither.

    Args:
        source: an existing path.
        own: a pattern of file names in another format, which come before JSON.
    """
    if not is_directory(source):
        name = Path(source).name
        return next((pattern for pattern in SIGNS if re.search(pattern, name)), "")
    if holds(source, XML):
        return XML
    return JSON if holds(source, JSON) and not (own and holds(source, own)) else ""


def is_bioc(source: object, own: str) -> TypeGuard[Source]:
    """Return whether a path is BioC, by the names of files and how the first one begins.

    Args:
        source: a path, or anything else.
        own: a pattern of file names in another format, which come first.
    """
    if not isinstance(source, (str, os.PathLike)) or not is_there(source):
        return False
    if is_directory(source) and holds(source, own):
        return False
    pattern, path = find_pattern(source), Path(source)
    if pattern and is_directory(source):
        path /= min(name for name in names_in(source) if re.search(pattern, name))
    return bool(pattern) and SIGNS[pattern] in read_bytes(path)[:_HEAD]


def read_collection(file: TextFile) -> ET.Element:
    """Return the collection or document of a file.

    Raises:
        InputError: the file is neither XML nor JSON, or not BioC.
    """
    root = _read_json(file) if re.search(JSON, file.path) else parse(file)
    if root.tag not in _ROOTS:
        raise InputError(
            "expected BioC, a collection of documents",
            where=file.label,
            remedy=looks.say(looks.by_root(file.content), "Give BioC, PubTator or JSON Lines"),
        )
    return root


def parse(file: TextFile) -> ET.Element:
    """Parse a file of XML; raise an ``InputError`` with the line."""
    try:
        root = ET.fromstring(file.content)  # noqa: S314 - expat gets no other files
    except ET.ParseError as error:
        line = error.position[0]
    except (LookupError, ValueError):  # an unknown encoding, or one that expat cannot read
        line = 1
    else:
        return root
    raise InputError("not well-formed XML, or truncated", where=f"{file.label}:{line}")


def _read_json(file: TextFile) -> ET.Element:
    """Read JSON: a collection, a document, or a list of them."""
    found = expect_json(file.content.decode(), "BioC in JSON", file.label)
    if not isinstance(found, list):
        tag = "collection" if isinstance(found, Mapping) and "documents" in found else "document"
        return _as_element(tag, found, file.label)
    root = ET.Element("collection")
    for held in found:
        tag = "collection" if isinstance(held, Mapping) and "documents" in held else "document"
        root.append(_as_element(tag, held, file.label))
    return root


def _as_element(tag: str, held: object, where: str) -> ET.Element:
    """Return an object of JSON as the element of the XML."""
    if not isinstance(held, Mapping):
        raise InputError(f"{tag}: expected an object, got {shown(held)}", where=where)
    if tag == "document":
        where = f"{where}, document {called(_as_text(held.get('id'), 'id', where))}"
    attributes = {
        name: _as_text(held[name], name, where)
        for name in _ATTRIBUTES.get(tag, ())
        if held.get(name) is not None
    }
    element = ET.Element(tag, attributes)
    for name in _TEXTS.get(tag, ()):
        ET.SubElement(element, name).text = _as_text(held.get(name), name, where)
    infons = held.get("infons") or {}
    if not isinstance(infons, Mapping):
        raise InputError(f"infons: expected an object, got {shown(infons)}", where=where)
    for key, value in infons.items():
        if isinstance(value, (str, int, float)):
            ET.SubElement(element, "infon", key=key).text = str(value)
    for name, inner in _LISTS.get(tag, {}).items():
        parts = held.get(name) or []
        if not isinstance(parts, list):
            raise InputError(f"{name}: expected a list, got {shown(parts)}", where=where)
        element.extend([_as_element(inner, part, where) for part in parts])
    return element


def _as_text(value: object, name: str, where: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise InputError(
            f"{name}: expected a string or an integer, got {shown(value)}", where=where
        )
    return str(value)


def texts_of(document: ET.Element) -> Iterator[tuple[int, str]]:
    """Yield offset and text of each passage, or of its sentences if it has no text."""
    for passage in document.iter("passage"):
        parts = [passage] if passage.findtext("text") else passage.findall("sentence")
        for part in parts:
            start, text = (part.findtext("offset") or "").strip(), part.findtext("text")
            if _WHOLE.match(start) and text:
                yield judge_offset(read_whole(start)), text


def infons_of(element: ET.Element) -> dict[str, str]:
    """Return the infons of a passage, a mention or a relation by their keys."""
    return {each.get("key", ""): (each.text or "") for each in element.findall("infon")}


def locate(element: ET.Element) -> Fragments:
    """Return the fragments of a mention."""
    found = []
    for location in element.findall("location"):
        written = [location.get(name, "").strip() for name in ("offset", "length")]
        if not all(map(_WHOLE.match, written)):
            raise InputError("expected numbers as offset and length of a location")
        start, length = map(read_whole, written)
        if length < 1:
            raise InputError(f"location {start}, length {length}: not a valid fragment")
        found.append((judge_offset(start), judge_offset(start + length)))
    return tuple(found)


def ends_of(relation: ET.Element) -> tuple[str, str]:
    """Return the ids of source and target: the two nodes, in reverse if the first one is Arg2."""
    nodes = relation.findall("node")
    if len(nodes) != 2:  # noqa: PLR2004 - a relation has two ends
        raise InputError(f"expected a relation of two nodes, got {len(nodes)}")
    source, target = (node.get("refid", "").strip() for node in nodes)
    return (target, source) if nodes[0].get("role") == "Arg2" else (source, target)
