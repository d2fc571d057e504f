"""Convert PubTator and BioC into documents of mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, NoReturn

from clineval.base.errors import InputError, read_all, warn
from clineval.base.files import Source
from clineval.formats import bioc
from clineval.formats.files import read_text_files
from clineval.formats.pubtator.items import PUBTATOR, Draft, Link, read_bioc, read_pubtator
from clineval.formats.pubtator.scheme import RELATIONS, Fragments, Item
from clineval.kinds.mentions.mention import Document, Mention, Relation

_BETWEEN = "|"


class _Found(NamedTuple):
    """A mention under construction."""

    id: str
    label: str
    spans: Fragments
    concepts: list[str]

    def as_mention(self, *, named: bool) -> Mention:
        """Return the mention, with its id if ``named``."""
        joined = _BETWEEN.join(dict.fromkeys(self.concepts))
        slots = {"label": self.label, **({"concept": joined} if joined else {})}
        return Mention(self.spans, slots=slots, id=(named and self.id) or None, coded=False)


@dataclass(slots=True)
class DocumentDraft(Draft):
    """Documents under construction; unlike items, mentions keep their concepts together."""

    mentions: dict[str, list[_Found]] = field(default_factory=dict)
    relations: dict[str, list[Relation]] = field(default_factory=dict)
    links: dict[str, list[Link]] = field(default_factory=dict)
    homeless: int = 0

    def add(self, name: str, items: Iterable[Item], id_: str = "", /) -> None:
        """Add a mention with its concepts, or a relation.

        Concepts without a place of their own belong to a part of a composite mention. They are
        added to the mention of the same type before it.
        """
        self.document(name)
        known, concepts, label = self.mentions.setdefault(name, []), list[str](), ""
        spans: Fragments = ()
        for kind, label, concept, fragments in items:
            if kind == RELATIONS:
                related = Relation(label, *concept.split("\t"))
                self.relations.setdefault(name, []).append(related)
            spans = fragments or spans
            concepts += [concept] if kind == "concepts" else []
        if spans:
            known.append(_Found(id_, label, spans, concepts))
        elif concepts:
            before = next((each for each in reversed(known) if each.label == label), None)
            if before:
                before.concepts.extend(concepts)
            self.homeless += 0 if before else len(concepts)

    def add_link(self, name: str, link: Link, /) -> None:
        """Add a relation between two mentions."""
        self.links.setdefault(name, []).append(link)

    def documents(self) -> list[Document]:
        """Return the documents; a warning counts concepts without a mention."""
        warn("{n} {concept has|concepts have} no mention and {is|are} left out", n=self.homeless)
        return read_all(partial(self._finish, name) for name in self.items)

    def _finish(self, name: str) -> Document:
        """Return a document; mentions have ids if relations connect them."""
        links, found = self.links.get(name, ()), self.mentions.get(name, ())
        _check_ids(links, [each.id for each in found])
        return Document(
            name,
            [each.as_mention(named=bool(links)) for each in found],
            self.texts.get(name),
            [
                *self.relations.get(name, ()),
                *(Relation(link.label, link.source, link.target) for link in links),
            ],
        )


def _check_ids(links: Sequence[Link], ids: Sequence[str]) -> None:
    """Reject a relation with an end that is not the id of exactly one mention."""
    times = Counter(ids)
    for link in links:
        for end in (link.source, link.target):
            if times[end] != 1:
                number = "two mentions have" if times[end] else "no mention has"
                raise InputError(f"{number} the id of a node of the relation", where=link.where)


def read_documents(path: Source) -> list[Document]:
    """Read documents as objects; ``|`` separates the concepts of a mention.

    Mentions and relations can have any type. Relations connect concepts, or mentions by their ids.

    Raises:
        InputError: names the file and the place.
    """
    draft = DocumentDraft()
    pattern = bioc.find_pattern(path, PUBTATOR)
    read = read_bioc if pattern else read_pubtator
    for file in read_text_files(path, pattern=pattern or PUBTATOR, separator="\t"):
        read(file, draft, gold=False)
    return draft.documents()


def refuse_to_write(_documents: Iterable[Document], _path: Path) -> NoReturn:
    """Raise an ``InputError``, because the formats can only be read."""
    raise InputError("PubTator and BioC can only be read", remedy="Write JSON Lines")
