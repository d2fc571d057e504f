"""Convert PubTator and BioC into documents of mentions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from clineval.base.errors import InputError, warn
from clineval.challenges.bc5cdr.files import (
    BIOC,
    PUBTATOR,
    Draft,
    Fragments,
    Item,
    read_bioc,
    read_pubtator,
)
from clineval.formats.by_name import Format
from clineval.formats.files import holds, read_text_files
from clineval.kinds.mentions.mention import Document, Mention, Relation

_BETWEEN = "|"
_WIDEST = 1000
"""The widest gap between passages, in characters; wider gaps leave the text unknown."""


@dataclass(slots=True)
class DocumentDraft(Draft):
    """Documents under construction; unlike items, mentions keep their concepts together."""

    labels: tuple[str, ...] = ()
    mentions: dict[str, list[tuple[Fragments, str, list[str]]]] = field(default_factory=dict)
    relations: dict[str, list[Relation]] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)
    homeless: int = 0

    def add(self, name: str, items: Iterable[Item]) -> None:
        """Add a mention with its concepts, or a relation.

        Concepts without a place of their own belong to a part of a composite mention. They are
        added to the mention of the same type before it.
        """
        self.document(name)
        known, concepts, label = self.mentions.setdefault(name, []), list[str](), ""
        spans: Fragments = ()
        for kind, label, concept, fragments in items:
            if kind == "relations":
                related = Relation(label, *concept.split("\t"))
                self.relations.setdefault(name, []).append(related)
            spans = fragments or spans
            concepts += [concept] if kind == "concepts" else []
        if spans:
            known.append((spans, label, concepts))
        elif concepts:
            before = next((each for each in reversed(known) if each[1] == label), None)
            if before:
                before[2].extend(concepts)
            self.homeless += 0 if before else len(concepts)

    def add_text(self, name: str, text: str, start: int | None = None, /) -> None:
        """Add a part of a text; by default it begins one character after the part before it."""
        self.document(name)
        before = self.texts.get(name, "")
        if before is None:
            return
        gap = start - len(before) if start is not None else int(name in self.texts)
        self.texts[name] = f"{before}{' ' * gap}{text}" if 0 <= gap <= _WIDEST else None

    def documents(self) -> list[Document]:
        """Return the documents; a warning counts concepts without a mention."""
        warn("{n} {concept has|concepts have} no mention and {is|are} left out", n=self.homeless)
        return [
            Document(
                name,
                [_as_mention(*each) for each in self.mentions.get(name, ())],
                self.texts.get(name),
                self.relations.get(name, ()),
            )
            for name in self.items
        ]


def _as_mention(spans: Fragments, label: str, concepts: Iterable[str]) -> Mention:
    joined = _BETWEEN.join(dict.fromkeys(concepts))
    slots = {"label": label, "concept": joined} if joined else {"label": label}
    return Mention(spans, slots=slots, coded=False)


def read_documents(path: Path) -> list[Document]:
    """Read documents as objects; ``|`` separates the concepts of a mention.

    Mentions and PubTator's relations can have any type; relations connect concepts.

    Raises:
        InputError: names the file and the place.
    """
    draft = DocumentDraft()
    is_bioc = path.suffix.lower() == ".xml" or holds(path, BIOC)
    pattern, read = (BIOC, read_bioc) if is_bioc else (PUBTATOR, read_pubtator)
    for file in read_text_files(path, pattern=pattern, separator="\t"):
        read(file, draft, gold=False)
    return draft.documents()


def refuse_to_write(_documents: Iterable[Document], _path: Path) -> NoReturn:
    """Raise an ``InputError``, because the formats can only be read."""
    raise InputError("PubTator and BioC can only be read", remedy="Write JSON Lines")


FORMATS = {
    "pubtator": Format(
        "BioCreative V CDR: PubTator and BioC, which can only be read",
        lambda path, _: read_documents(path),
        refuse_to_write,
        ("slots", "relations"),
        files={r"(?i)\.pubtator(\.txt)?$": b"", BIOC: b"<collection"},
    )
}
