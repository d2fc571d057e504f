"""BioC in XML: documents, passages, annotations with infons, and relations.

Read with the standard library. The package ``bioc`` takes text from other files for entities of the
XML, does not tell lines, and prints lines that it cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from xml.etree import ElementTree as ET

from clineval.base.errors import InputError, called, located, read_all
from clineval.base.files import Source
from clineval.base.offsets import judge_offset, read_whole
from clineval.challenges.bc5cdr.pubtator import (
    MENTIONS,
    RELATION,
    Draft,
    Fragments,
    Item,
    concept_of_program,
    items_of_mention,
    items_of_relation,
    judge_label,
)
from clineval.formats.files import TextFile, read_text_files

FILES = r"(?i)\.xml$"
_NO_CONCEPTS = frozenset({"type", "CompositeRole", "note", "relation", "Chemical", "Disease"})
_INDIVIDUAL = "IndividualMention"
_NULL = "null"
_NUMBER = re.compile(r"[+-]?\d+\Z", re.ASCII)


def read_bioc(source: Source, *, gold: bool) -> Draft:
    """Read by the format; arguments and errors are those of ``read_pubtator``."""
    draft = Draft()
    for file in read_text_files(source, pattern=FILES, separator="<"):
        read_file(file, draft, gold=gold)
    return draft


def read_file(file: TextFile, draft: Draft, *, gold: bool) -> None:
    """Read one file into a draft, raising the errors of all invalid annotations at once."""
    readers: list[Callable[[], None]] = []
    for document in _parse(file).iter("document"):
        name = (document.findtext("id") or "").strip()
        place = f"{file.label}, document {called(name)}"
        draft.document(name)
        for passage in document.iter("passage"):
            start = (passage.findtext("offset") or "").strip()
            told = _NUMBER.match(start) and passage.findtext("text")
            if told:
                draft.add_text(name, told, judge_offset(read_whole(start)))
        for element in document.iter():
            if element.tag in ("annotation", "relation"):
                where = f"{place}, {element.tag} {called(str(element.get('id')))}"
                add = partial(draft.add, name)
                readers.append(partial(located, where, _read, element, add, gold=gold))
    read_all(readers)


def _read_documents(source: Source) -> Iterator[ET.Element]:
    for file in read_text_files(source, pattern=FILES, separator="<"):
        yield from _parse(file).iter("document")


def _parse(file: TextFile) -> ET.Element:
    try:
        root = ET.fromstring(file.content)  # noqa: S314 - expat gets no other files
    except ET.ParseError as error:
        line = error.position[0]
    except (LookupError, ValueError):  # an encoding that there is not, or that expat cannot read
        line = 1
    else:
        return root
    raise InputError("not well-formed XML, or truncated", where=f"{file.label}:{line}")


def _infons(element: ET.Element) -> dict[str, str]:
    return {each.get("key", ""): (each.text or "") for each in element.findall("infon")}


def _read(element: ET.Element, add: Callable[[Iterable[Item]], None], *, gold: bool) -> None:
    """Add a mention or a relation to its document."""
    infons = _infons(element)
    if element.tag == "relation" or "relation" in infons:
        judge_label(infons.get("relation", ""), [RELATION])
        ends = (infons.get(name, "") for name in ("Chemical", "Disease"))
        add(items_of_relation(*ends, gold=gold))
        return
    label = judge_label(infons.get("type", ""), MENTIONS)
    concepts = [
        f"{space}:{concept}" if ":" not in concept else concept
        for space, ids in infons.items()
        if space not in _NO_CONCEPTS
        for concept in ids.split("|")
    ]
    fragments = _locate(element)
    if infons.get("CompositeRole") == _INDIVIDUAL:
        fragments = ()
    elif not fragments:
        raise InputError("a mention without a location")
    add(items_of_mention(label, fragments, concepts))


def _locate(element: ET.Element) -> Fragments:
    found = []
    for location in element.findall("location"):
        written = [location.get(name, "").strip() for name in ("offset", "length")]
        if not all(map(_NUMBER.match, written)):
            raise InputError("expected numbers as offset and length of a location")
        start, length = map(read_whole, written)
        if length < 1:
            raise InputError(f"location {start}, length {length}: there is no such fragment")
        found.append((judge_offset(start), judge_offset(start + length)))
    return tuple(found)


def read_as_program(source: Source) -> Draft:
    """Read as the released program does; it stops later at a mention with several locations."""
    draft = Draft()
    for document in _read_documents(source):
        name = document.findtext("id") or ""
        items = draft.document(name)
        for annotation in document.findall("passage/annotation"):
            items.update(dict.fromkeys(_mention_of_program(annotation)))
        for path in ("relation", "annotation"):
            for relation in document.findall(path):
                items.update(dict.fromkeys(_relation_of_program(_infons(relation))))
    return draft


def _mention_of_program(annotation: ET.Element) -> Iterator[Item]:
    infons, fragments = _infons(annotation), _locate(annotation)
    if not fragments or "type" not in infons:
        return
    if infons.get("CompositeRole", "CompositeMention") == "CompositeMention":
        yield "mentions", infons["type"], "", fragments
    for concept in infons.get("MESH", infons.get("OMIM", "")).strip().split("|"):
        if known := concept_of_program(concept):
            yield "concepts", infons["type"], known, ()


def _relation_of_program(infons: dict[str, str]) -> Iterator[Item]:
    if "relation" in infons:
        ends = (concept_of_program(infons.get(name, "")) for name in ("Chemical", "Disease"))
        yield "relations", infons["relation"], "\t".join(end or _NULL for end in ends), ()
