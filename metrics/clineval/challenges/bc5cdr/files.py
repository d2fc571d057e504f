"""Read PubTator and BioC into items: mentions, concepts and relations.

PubTator has three kinds of lines. Texts are ``PMID|t|title`` and ``PMID|a|abstract``. Mentions are
``PMID<tab>start<tab>end<tab>words<tab>type<tab>ids``; ``|`` separates the ids of a composite
mention, and other columns may follow. Relations are ``PMID<tab>CID<tab>chemical<tab>disease``.
Offsets count characters from the start of the title; ends are exclusive. The words are ignored.

BioC in XML has documents, passages, annotations with infons, and relations. The standard
library reads it. The package ``bioc`` is not used: it reads other files for entities of the XML,
reports no line numbers, and prints lines that it cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from xml.etree import ElementTree as ET

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, called, located, read_all, shown
from clineval.base.offsets import judge_offset, read_whole
from clineval.formats import looks
from clineval.formats.files import TextFile
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns

MENTIONS = ("Disease", "Chemical")
RELATION = "CID"
KINDS = ("mentions", "concepts", "relations")
KIND = "kind"
"""The slot that holds the kind of an item."""
NAMELESS = "MESH"
_NO_CONCEPT = frozenset({"", "-", "-1"})
_MOST_PAIRS = 1000
"""The most pairs of concepts in one relation; corpora have one or two concepts at each end."""

Fragments = tuple[tuple[int, int], ...]
Item = tuple[str, str, str, Fragments]
"""Kind, label and concepts of an item, and the fragments of a mention."""


@dataclass(slots=True)
class Draft:
    """Items under construction, document by document; repeated items count once."""

    items: dict[str, dict[Item, None]] = field(default_factory=dict)
    labels: tuple[str, ...] = MENTIONS
    """The types that mentions can have; empty if all types are accepted."""

    def document(self, name: str) -> dict[Item, None]:
        """Return the items of a document; add the document if it is new."""
        return self.items.setdefault(name, {})

    def add(self, name: str, items: Iterable[Item]) -> None:
        """Add a mention with its concepts, or a relation, to a document."""
        self.document(name).update(dict.fromkeys(items))

    def add_text(self, name: str, _text: str, _start: int | None = None, /) -> None:
        """Add a document with a part of its text; items ignore the text."""
        self.document(name)

    def finish(self, *, named: bool = True) -> Side:
        """Return the items as mentions; concepts and relations have an empty fragment.

        Relations have two concepts, separated by a tab; mentions have none.
        """
        names = tuple(self.items)
        rows = [(at, *item) for at, of in enumerate(self.items.values()) for item in of]
        fragments = [row[4] or ((0, 0),) for row in rows]
        flat = np.array([f for each in fragments for f in each], np.int64).reshape(-1, 2)
        mentions = MentionColumns(
            np.array([row[0] for row in rows], np.int32),
            np.cumsum([0, *map(len, fragments)]),
            flat[:, 0],
            flat[:, 1],
            {
                slot: Coded.of([str(row[at]) for row in rows])
                for at, slot in enumerate((KIND, "label", "concept"), 1)
            },
        )
        return Side(names if named else ("",) * len(names), names if named else None, mentions)


def canonical(concept: str) -> str:
    """Normalize a concept: add the name space, in upper case; return "" if it is not a concept.

    Examples:
        >>> canonical(" d001249"), canonical("OMIM:1"), canonical("-1"), canonical("MESH:-1")
        ('MESH:D001249', 'OMIM:1', '', '')
    """
    space, _, name = concept.strip().rpartition(":")
    if name.strip() in _NO_CONCEPT:
        return ""
    return f"{(space.strip() or NAMELESS).upper()}:{name.strip().upper()}"


def items_of_mention(label: str, fragments: Fragments, concepts: Iterable[str]) -> Iterator[Item]:
    """Yield a mention and its concepts, each an item; nothing for a mention without fragments."""
    if fragments:
        yield "mentions", label, "", tuple(sorted(fragments))
    for concept in concepts:
        if known := canonical(concept):
            yield "concepts", label, known, ()


def items_of_relation(
    first: str, second: str, label: str = RELATION, *, gold: bool
) -> Iterator[Item]:
    """Yield a relation for each pair of concepts; a ``gold`` standard must have both."""
    ends = [[canonical(each) for each in side.split("|")] for side in (first, second)]
    if gold and not all(map(all, ends)):
        raise InputError("a relation lacks one of its concepts")
    pairs = len(ends[0]) * len(ends[1])
    if pairs > _MOST_PAIRS:
        raise InputError(
            f"a relation has {pairs:,} pairs of concepts, expected at most {_MOST_PAIRS:,}",
            remedy="Give each pair as a relation",
        )
    for left in ends[0]:
        for right in ends[1]:
            yield "relations", label, f"{left}\t{right}", ()


def judge_label(label: str, known: Sequence[str]) -> str:
    """Return the label; reject it unless it is known or ``known`` is empty."""
    if known and label not in known:
        raise InputError(f"unknown type {shown(label)}, expected one of {', '.join(known)}")
    return label


PUBTATOR = r"(?i)\.(pubtator|txt)$"
TEXT = re.compile(r"[^|\t]+\|[taTA]\|")
NUMBER = re.compile(r"\d+\Z", re.ASCII)


def read_pubtator(file: TextFile, draft: Draft, *, gold: bool) -> None:
    """Read a file into a draft; raise the errors of all invalid lines at once.

    Relations of a ``gold`` standard must have both concepts.
    """
    file.refuse_returns()
    read_all(
        partial(located, where, _read_line, line.rstrip(), draft, gold=gold)
        for where, line in file.lines()
    )


def _read_line(line: str, draft: Draft, *, gold: bool) -> None:
    if text := TEXT.match(line):
        draft.add_text(line[: text.end() - 3].strip(), line[text.end() :])
        return
    cells = line.split("\t")
    if len(cells) > 2 and NUMBER.match(cells[1].strip().removeprefix("-")):  # noqa: PLR2004
        items = _read_mention(cells, draft.labels)
    elif len(cells) > 1 and _is_relation(cells, draft.labels):
        if len(cells) < 4:  # noqa: PLR2004 - document, label, two concepts
            raise InputError(f"a relation has 4 columns, got {len(cells)}")
        items = items_of_relation(cells[2], cells[3], cells[1].strip(), gold=gold)
    else:
        raise InputError(
            "expected PMID|t|title, PMID|a|abstract, PMID<tab>start<tab>end<tab>words<tab>type"
            "<tab>ids or PMID<tab>CID<tab>chemical<tab>disease"
        )
    draft.add(cells[0].strip(), items)


def _is_relation(cells: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether a line is a relation; without ``labels``, any type is accepted."""
    label = cells[1].strip()
    return label == RELATION or (not labels and bool(label) and len(cells) > 3)  # noqa: PLR2004


def _read_mention(cells: Sequence[str], labels: Sequence[str]) -> Iterable[Item]:
    if len(cells) < 5:  # noqa: PLR2004 - up to the type
        raise InputError(f"a mention has 6 columns, got {len(cells)}")
    offsets = [cell.strip() for cell in cells[1:3]]
    if not all(map(NUMBER.match, offsets)):
        raise InputError("expected two offsets, in characters counted from 0")
    start, end = map(judge_offset, map(read_whole, offsets))
    if not start < end:
        raise InputError(f"offsets {start}-{end}: the end is not after the start")
    label = judge_label(cells[4].strip(), labels)
    concepts = cells[5].split("|") if len(cells) > 5 else ()  # noqa: PLR2004
    return items_of_mention(label, ((start, end),), concepts)


BIOC = r"(?i)\.xml$"
_ROOTS = ("collection", "document")
_NO_CONCEPTS = frozenset({"type", "CompositeRole", "note", "relation", "Chemical", "Disease"})
_INDIVIDUAL = "IndividualMention"
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)


def read_bioc(file: TextFile, draft: Draft, *, gold: bool) -> None:
    """Read a file into a draft; raise the errors of all invalid annotations at once."""
    readers: list[Callable[[], None]] = []
    root = parse(file)
    if root.tag not in _ROOTS:
        raise InputError(
            "expected BioC, a collection of documents",
            where=file.label,
            remedy=looks.say(looks.by_root(file.content), "Give BioC, PubTator or JSON Lines"),
        )
    for document in root.iter("document"):
        name = (document.findtext("id") or "").strip()
        place = f"{file.label}, document {called(name)}"
        draft.document(name)
        for passage in document.iter("passage"):
            start = (passage.findtext("offset") or "").strip()
            text = passage.findtext("text")
            if _WHOLE.match(start) and text:
                draft.add_text(name, text, judge_offset(read_whole(start)))
        for element in document.iter():
            if element.tag in ("annotation", "relation"):
                where = f"{place}, {element.tag} {called(str(element.get('id')))}"
                add = partial(draft.add, name)
                read = partial(_read_element, element, add, draft.labels, gold=gold)
                readers.append(partial(located, where, read))
    read_all(readers)


def parse(file: TextFile) -> ET.Element:
    """Parse a file; raise an ``InputError`` with the line."""
    try:
        root = ET.fromstring(file.content)  # noqa: S314 - expat gets no other files
    except ET.ParseError as error:
        line = error.position[0]
    except (LookupError, ValueError):  # an unknown encoding, or one that expat cannot read
        line = 1
    else:
        return root
    raise InputError("not well-formed XML, or truncated", where=f"{file.label}:{line}")


def infons_of(element: ET.Element) -> dict[str, str]:
    """Return the infons of a passage, a mention or a relation by their keys."""
    return {each.get("key", ""): (each.text or "") for each in element.findall("infon")}


def _read_element(
    element: ET.Element,
    add: Callable[[Iterable[Item]], None],
    labels: Sequence[str],
    *,
    gold: bool,
) -> None:
    infons = infons_of(element)
    if element.tag == "relation" or "relation" in infons:
        judge_label(infons.get("relation", ""), [RELATION])
        ends = (infons.get(name, "") for name in ("Chemical", "Disease"))
        add(items_of_relation(*ends, gold=gold))
        return
    label = judge_label(infons.get("type", ""), labels)
    concepts = [
        f"{space}:{concept}" if ":" not in concept else concept
        for space, ids in infons.items()
        if space not in _NO_CONCEPTS
        for concept in ids.split("|")
    ]
    fragments = locate(element)
    if infons.get("CompositeRole") == _INDIVIDUAL:
        fragments = ()
    elif not fragments:
        raise InputError("a mention has no location")
    add(items_of_mention(label, fragments, concepts))


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
