"""Annotation on Docs: what each kind of it can do, and one side of a corpus."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from clineval.base.errors import InputError
from clineval.formats.given.texts import find_texts
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Challenge
from clineval.results.views import DocView
from spacy_clin import settings
from spacy_clin.guards import PREDICTIONS, REFERENCES, place_of_document
from spacy_clin.presets import AUTO, CLIN, find_reader
from spacy_clin.reader import Reading
from spacy_clin.settings import Reader

USUAL = {REFERENCES: CLIN, PREDICTIONS: AUTO}
"""Where annotation is by default."""
Parsed = tuple[str, str | None, Any]
"""The name of a document, its text if the file has it, and its annotation."""


@dataclass(slots=True, eq=False)
class Side:
    """Docs of one side, and where their annotation is.

    Args:
        docs: the documents.
        names: their names.
        reader: where the annotation is.
        side: ``references`` or ``predictions``.
        config: the challenge's configuration.
        mentions: whether there is any mention, once they were read.
        coded: whether any mention has a code.
        missing: the slots that stay at their defaults, because nothing reads them.
        related: whether any document has a relation, or the span group says that it has none,
            once they were read.
    """

    docs: Sequence[Any]
    names: Sequence[str]
    reader: Reader
    side: str = PREDICTIONS
    config: str = "default"
    mentions: bool = field(default=False, init=False)
    coded: bool = field(default=False, init=False)
    missing: Sequence[str] = field(default=(), init=False)
    related: bool = field(default=False, init=False)


@dataclass(frozen=True, slots=True)
class Annotation(ABC):
    """A challenge on Docs: one kind of annotation, and where it is."""

    challenge: Challenge
    view: DocView

    def open(self, side: Side, slots: Sequence[Slot], **others: Any) -> Reading:
        """Read one side, document after document."""
        key = self.view.group
        return Reading(
            side.reader, side.docs, slots, names=side.names, side=side.side, key=key, **others
        )

    @abstractmethod
    def read(self, side: Side) -> Any:
        """Return what the evaluate module takes."""

    def read_side(self, side: Side) -> Any:
        """Return what the challenge's core takes: the same, or what is read from it."""
        return self.read(side)

    @abstractmethod
    def objects(self, side: Side) -> Sequence[Any]:
        """Return what :meth:`write` takes, for each document."""

    @abstractmethod
    def write(self, doc: Doc, found: Any, name: str) -> None:
        """Write the annotation of a document to the span group."""

    @abstractmethod
    def parse(
        self,
        path: Path,
        format: str | None,  # noqa: A002
        side: str,
        texts: Any = None,
    ) -> Iterator[Parsed]:
        """Parse what files hold for each document; of files with both sides, one of them.

        ``texts`` are the notes, where a format counts their tokens.
        """

    def keep(self, reader: Reader, doc: Doc, name: str) -> None:
        """Write what a reader finds to the span group."""
        [found] = self.objects(Side([doc], [name], reader))
        self.write(doc, found, name)

    def make_docs(self, parsed: Sequence[Parsed], make_doc: Any, texts: Any) -> Iterator[Doc]:
        """Make Docs of what files hold, with the span group; ``texts`` as for :func:`texts_of`."""
        for (name, _, found), text in zip(parsed, texts_of(parsed, texts), strict=True):
            doc = make_doc(text)
            self.write(doc, found, name)
            yield doc

    @abstractmethod
    def write_files(self, side: Side, path: Path, format: str | None) -> None:  # noqa: A002
        """Write files of what a reader finds."""

    def judge(self, config: str) -> None:
        """Refuse a configuration that Docs cannot hold.

        Raises:
            InputError: it gives codes to documents, and not labels to mentions.
        """
        if config in self.challenge.faces.code_pages:
            others = [
                name
                for name in self.challenge.task.configs
                if name not in self.challenge.faces.code_pages
            ]
            raise InputError(
                f"no scores of Docs for the configuration {config}, which has codes of documents",
                remedy=f"Score {' or '.join(others)}, or give codes to clineval.score",
            )

    def find_reader(self, given: Any, where: str) -> Reader | str:
        """Return the reader that a configuration asks for, or ``auto``.

        Raises:
            InputError: no preset of that name, or a setting, slot or label that does not exist.
        """
        if isinstance(given, str) and given == AUTO:
            return AUTO
        kind = self.view.kind or self.challenge.task.kind
        return find_reader(given, where, kind, free=settings.is_free(self.challenge))

    def choose(self, given: Any, where: str, docs: Sequence[Any]) -> Reader:
        """Choose the reader for some Docs.

        ``auto`` is the span group where a Doc has it; otherwise entities, if they are set and the
        challenge is of mentions.
        """
        reader = self.find_reader(given, where)
        if isinstance(reader, Reader):
            return reader
        known = [doc for doc in docs if isinstance(doc, Doc)]
        entities = self.challenge.task.kind in ("mentions", "relations") and not any(
            self.view.group in doc.spans for doc in known
        )
        name = "spacy" if entities and any(d.has_annotation("ENT_IOB") for d in known) else CLIN
        return find_reader(name, "", self.view.kind or self.challenge.task.kind)


def texts_of(parsed: Sequence[Parsed], texts: Any = None) -> list[str]:
    """Return the text of each document, as parsed, or from a directory or a mapping.

    Raises:
        InputError: a document has no text.
    """
    names = [name for name, _, _ in parsed]
    known = [text for _, text, _ in parsed]
    found = known if texts is None else find_texts(names, texts, "text")
    for name, text in zip(names, found, strict=True):
        if text is None:
            raise InputError(
                "the text is missing, without which there is no Doc",
                where=place_of_document(name),
                remedy="Give the directory of the notes (text=, --text DIR)",
            )
    return [str(text) for text in found]


def copy_of(value: Any, depth: int = 20) -> Any:
    """Copy a value with lists for tuples, which come and go as Docs are stored and sent.

    What is deeper than any annotation is left for the challenge to refuse.
    """
    if depth and isinstance(value, (list, tuple)):
        return [copy_of(item, depth - 1) for item in value]
    if depth and isinstance(value, Mapping):
        return {name: copy_of(item, depth - 1) for name, item in value.items()}
    return value
