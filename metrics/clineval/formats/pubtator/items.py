"""Read PubTator and BioC into items: mentions, concepts and relations.

PubTator has three kinds of lines. Texts are ``PMID|t|title`` and ``PMID|a|abstract``. Mentions are
``PMID<tab>start<tab>end<tab>words<tab>type<tab>ids``; ``|`` separates the ids of a composite
mention, and other columns may follow. Relations are ``PMID<tab>CID<tab>chemical<tab>disease``.
Offsets count characters from the start of the title; ends are exclusive. The words are ignored.

BioC is read by :mod:`clineval.formats.bioc`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, called, located, read_all, warn
from clineval.base.offsets import judge_offset, read_whole
from clineval.formats import bioc
from clineval.formats.files import TextFile
from clineval.formats.pubtator.scheme import (
    RELATIONS,
    Fragments,
    Item,
    Scheme,
    canonical,
    judge_label,
)
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns

KIND = "kind"
"""The slot that holds the kind of an item."""
RELATED = "CID"
"""The type of the relations between concepts in BioC that have no infon ``type``."""
_MOST_PAIRS = 1000
"""The most pairs of concepts in one relation; corpora have one or two concepts at each end."""
_WIDEST = 1000
"""The widest gap between passages, in characters; wider gaps leave the text unknown."""


class Link(NamedTuple):
    """A relation between two mentions, by their ids, and its place."""

    label: str
    source: str
    target: str
    where: str


@dataclass(slots=True)
class Draft:
    """Items under construction, document by document; repeated items count once."""

    scheme: Scheme = field(default_factory=Scheme)
    items: dict[str, dict[Item, None]] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)
    left_out: int = 0
    """The number of mentions whose types are not scored."""

    def items_of(self, label: str, fragments: Fragments, concepts: Iterable[str]) -> list[Item]:
        """Return the items of a mention; count a mention that is left out."""
        types = self.scheme.find_types(label)
        self.left_out += not types
        return list(self.scheme.list_items(types, fragments, concepts))

    def document(self, name: str) -> dict[Item, None]:
        """Return the items of a document; add the document if it is new."""
        return self.items.setdefault(name, {})

    def add(self, name: str, items: Iterable[Item], _id: str = "", /) -> None:
        """Add a mention with its concepts, or a relation, to a document."""
        self.document(name).update(dict.fromkeys(items))

    def add_link(self, _name: str, _link: Link, /) -> None:
        """Reject a relation between two mentions; items have only relations between concepts."""
        raise InputError("expected a relation between concepts")

    def add_text(self, name: str, text: str, start: int | None = None, /) -> None:
        """Add a part of a text; by default it begins one character after the part before it."""
        self.document(name)
        before = self.texts.get(name, "")
        if before is None:
            return
        gap = start - len(before) if start is not None else int(name in self.texts)
        self.texts[name] = f"{before}{' ' * gap}{text}" if 0 <= gap <= _WIDEST else None

    def finish(self, *, named: bool = True) -> Side:
        """Return the items as mentions; concepts and relations have an empty fragment.

        Relations have two concepts, separated by a tab; mentions have none.
        """
        problem = "{n} {mention has|mentions have} a type that is not scored and {is|are} left out"
        warn(problem, n=self.left_out)
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
        texts = tuple(self.texts.get(name) for name in names) if self.texts else ()
        keys = names if named else None
        return Side(names if named else ("",) * len(names), keys, mentions, texts)


def items_of_relation(first: str, second: str, label: str, *, gold: bool) -> Iterator[Item]:
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
            yield RELATIONS, label, f"{left}\t{right}", ()


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
        items: Iterable[Item] = _read_mention(cells, draft)
    elif len(cells) > 1 and _is_relation(cells, draft.scheme):
        if len(cells) < 4:  # noqa: PLR2004 - document, label, two concepts
            raise InputError(f"a relation has 4 columns, got {len(cells)}")
        items = items_of_relation(cells[2], cells[3], cells[1].strip(), gold=gold)
    else:
        mention = "PMID<tab>start<tab>end<tab>words<tab>type<tab>ids"
        relation = f" or PMID<tab>{RELATED}<tab>chemical<tab>disease"
        related = draft.scheme.relation or draft.scheme.is_open
        raise InputError(
            f"expected PMID|t|title, PMID|a|abstract, {mention}{relation if related else ''}"
        )
    draft.add(cells[0].strip(), items)


def _is_relation(cells: Sequence[str], scheme: Scheme) -> bool:
    """Return whether a line is a relation; an open scheme has relations of any type."""
    label = cells[1].strip()
    if scheme.is_open:
        return label == RELATED or (bool(label) and len(cells) > 3)  # noqa: PLR2004
    return bool(label) and label == scheme.relation


def _read_mention(cells: Sequence[str], draft: Draft) -> list[Item]:
    if len(cells) < 5:  # noqa: PLR2004 - up to the type
        raise InputError(f"a mention has 6 columns, got {len(cells)}")
    offsets = [cell.strip() for cell in cells[1:3]]
    if not all(map(NUMBER.match, offsets)):
        raise InputError("expected two offsets, in characters counted from 0")
    start, end = map(judge_offset, map(read_whole, offsets))
    if not start < end:
        raise InputError(f"offsets {start}-{end}: the end is not after the start")
    concepts = cells[5].split("|") if len(cells) > 5 else ()  # noqa: PLR2004
    return draft.items_of(cells[4].strip(), ((start, end),), concepts)


BIOC = bioc.XML
_NO_CONCEPTS = frozenset({"type", "CompositeRole", "note", "relation", "Chemical", "Disease"})
_INDIVIDUAL = "IndividualMention"
_ENTITIES = frozenset({"entity1", "entity2"})
"""Infons of a relation of any type, as in BioRED."""


def read_bioc(file: TextFile, draft: Draft, *, gold: bool) -> None:
    """Read a file into a draft; raise the errors of all invalid annotations at once."""
    readers: list[Callable[[], None]] = []
    for document in bioc.read_collection(file).iter("document"):
        name = (document.findtext("id") or "").strip()
        place = f"{file.label}, document {called(name)}"
        if draft.scheme.is_open and name in draft.items:
            raise InputError("two documents have this id", where=place)
        draft.document(name)
        for start, text in bioc.texts_of(document):
            draft.add_text(name, text, start)
        for element in document.iter():
            if element.tag in ("annotation", "relation"):
                where = f"{place}, {element.tag} {called(str(element.get('id')))}"
                read = partial(_read_element, element, name, draft, where, gold=gold)
                readers.append(partial(located, where, read))
    read_all(readers)


def _read_element(element: ET.Element, name: str, draft: Draft, where: str, *, gold: bool) -> None:
    infons, is_open = bioc.infons_of(element), draft.scheme.is_open
    related = "relation" in infons and (not is_open or "type" not in infons)
    if element.tag == "annotation" and not related:
        draft.add(name, _items_of_annotation(element, infons, draft), element.get("id", ""))
    elif element.find("node") is not None and is_open:
        label = infons.get("type") or infons.get("relation", "")
        draft.add_link(name, Link(label, *bioc.ends_of(element), where))
    else:
        draft.add(name, _items_of_relation(infons, draft.scheme, gold=gold))


def _items_of_annotation(
    element: ET.Element, infons: Mapping[str, str], draft: Draft
) -> list[Item]:
    concepts = [
        f"{space}:{concept}" if ":" not in concept else concept
        for space, ids in infons.items()
        if space not in _NO_CONCEPTS
        for concept in ids.split("|")
    ]
    fragments = bioc.locate(element)
    if infons.get("CompositeRole") == _INDIVIDUAL:
        fragments = ()
    elif not fragments:
        raise InputError("a mention has no location")
    return draft.items_of(infons.get("type", ""), fragments, concepts)


def _items_of_relation(infons: Mapping[str, str], scheme: Scheme, *, gold: bool) -> Iterator[Item]:
    """Read a relation between concepts; an open scheme has relations of any type."""
    if scheme.is_open and infons.keys() >= _ENTITIES and infons.get("type"):
        ends = infons["entity1"], infons["entity2"]
        return items_of_relation(*ends, infons["type"], gold=gold)
    if not scheme.relation and not scheme.is_open:
        raise InputError("expected no relations between concepts, only mentions")
    judge_label(infons.get("relation", ""), [RELATED])
    chemical, disease = (infons.get(name, "") for name in ("Chemical", "Disease"))
    return items_of_relation(chemical, disease, RELATED, gold=gold)
