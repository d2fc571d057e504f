"""Kinds of annotation on Docs: how each is read, kept on a Doc, and kept in files.

What is of one challenge is in its declaration. Mentions may have relations between them; a
further kind is a class beside these, under the kind's name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from clineval import convert
from clineval.challenge import Challenge
from clineval.errors import InputError
from clineval.formats.records import read_records
from clineval.inputs.texts import find_texts
from clineval.mentions.mention import Document, Mention
from clineval.registry import NAMES, find_challenge, known_names
from clineval.views import DocView
from spacy_clin.guards import (
    PREDICTIONS,
    REFERENCES,
    get_document_name,
    report_lacking,
    warns,
)
from spacy_clin.mentions import known_slots, set_mentions, unknown_slot, view_of
from spacy_clin.presets import AUTO, CLIN, find_reader
from spacy_clin.reader import Reading
from spacy_clin.relations import RelationReading
from spacy_clin.settings import Reader
from spacy_clin.span_group import BESIDE, LABELS, SPANS, Record

DEFAULT = NAMES[0]
"""The challenge that is meant where none is named."""
USUAL = {REFERENCES: CLIN, PREDICTIONS: AUTO}
"""Where annotation is if nothing is said."""


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
        unrelated: whether no document has a place where relations are looked for.
    """

    docs: Sequence[Any]
    names: Sequence[str]
    reader: Reader
    side: str = PREDICTIONS
    config: str = "default"
    mentions: bool = field(default=False, init=False)
    coded: bool = field(default=False, init=False)
    missing: Sequence[str] = field(default=(), init=False)
    unrelated: bool = field(default=False, init=False)


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """Files that Docs are made of.

    Args:
        path: the files.
        make_doc: makes a Doc of a text.
        text: directory of the notes, or name to text, where the format does not hold them.
        format: the format, where the names of the files do not tell it.
        side: which side to read of files that hold both.
    """

    path: Path
    make_doc: Any
    text: Any = None
    format: str | None = None
    side: str = REFERENCES

    def texts_of(self, names: Sequence[str], known: Sequence[str | None]) -> list[str]:
        """The text of each document, from the files or from beside them.

        Raises:
            InputError: there is none.
        """
        found = known if self.text is None else find_texts(names, self.text, "text")
        for name, text in zip(names, found, strict=True):
            if text is None:
                raise InputError(
                    "the text is missing, without which there is no Doc",
                    where=f"document {name}",
                    remedy="Give the directory of the notes (text=, --text DIR)",
                )
        return [str(text) for text in found]


@dataclass(frozen=True, slots=True)
class Annotation(ABC):
    """A challenge on Docs: one kind of annotation, and where it is."""

    challenge: Challenge
    view: DocView

    @abstractmethod
    def read(self, side: Side) -> Any:
        """What the evaluate module takes."""

    def read_side(self, side: Side) -> Any:
        """What the challenge's core takes: the same, or what is read of it."""
        return self.read(side)

    @abstractmethod
    def keep(self, reader: Reader, doc: Doc, name: str) -> None:
        """Write what a reader finds to the span group."""

    @abstractmethod
    def read_files(self, files: Files) -> Iterator[Doc]:
        """Docs of files, with the span group."""

    @abstractmethod
    def write_files(self, side: Side, path: Path, format: str | None) -> None:  # noqa: A002
        """Files of what a reader finds."""

    def judge(self, config: str) -> None:
        """Refuse a configuration of what no Doc holds.

        Raises:
            InputError: it gives codes to documents, and not labels to mentions.
        """
        if config in self.challenge.code_views:
            others = [
                name for name in self.challenge.configs if name not in self.challenge.code_views
            ]
            raise InputError(
                f"no scores of Docs for the configuration {config}, which has codes of documents",
                remedy=f"Score {' or '.join(others)}, or give codes to clineval.score",
            )

    def find_reader(self, given: Any, where: str) -> Reader | str:
        """The reader that a configuration asks for, or ``auto``.

        Raises:
            InputError: no preset of that name, or a setting, slot or label that does not exist.
        """
        if given == AUTO:
            return AUTO
        return find_reader(given, where, self.view.kind or self.challenge.kind)

    def choose(self, given: Any, where: str, docs: Sequence[Any]) -> Reader:
        """The reader for some Docs.

        ``auto`` is the span group where a Doc has it; otherwise entities, if they are set and the
        challenge is of mentions.
        """
        reader = self.find_reader(given, where)
        if isinstance(reader, Reader):
            return reader
        known = [doc for doc in docs if isinstance(doc, Doc)]
        entities = self.challenge.kind in ("mentions", "relations") and not any(
            self.view.group in doc.spans for doc in known
        )
        name = "spacy" if entities and any(d.has_annotation("ENT_IOB") for d in known) else CLIN
        return find_reader(name, "", self.view.kind or self.challenge.kind)


class MentionAnnotation(Annotation):
    """Mentions with slots, and relations between them."""

    def _open(self, side: Side) -> Reading:
        shown: Any = self.challenge.view
        scored = shown.slots(side.config)
        slots = self.view.slots(side.config)
        return Reading(
            side.reader, side.docs, slots, scored=scored, side=side.side, key=self.view.group,
            names=side.names, ids=bool(self.view.relations),
        )  # fmt: skip

    def _documents(self, side: Side, found: Iterable[list[Record]]) -> list[Document]:
        """What was read, with relations where the challenge has them."""
        relate = RelationReading(side.reader.relations, self.view) if self.view.relations else None
        documents = []
        for doc, name, records in zip(side.docs, side.names, found, strict=True):
            mentions = [self._plain(record, side.config) for record in records]
            if relate:
                documents.append(relate.read(doc, name, records, mentions))
            else:
                documents.append(Document(name, map(Mention.from_dict, mentions), doc.text))
        side.unrelated = relate is not None and not relate.found
        return documents

    def _records(self, side: Side) -> Iterator[list[Record]]:
        """What is read, and then what is to be said of all of it."""
        reading = self._open(side)
        for found in reading:
            side.mentions = side.mentions or bool(found)
            yield found
        side.coded = reading.coded
        side.missing = reading.unmapped

    def _plain(self, record: Record, config: str) -> dict[str, Any]:
        """A mention as the evaluate module takes it, apart from what a Doc holds."""
        names = {slot.name: slot.kind for slot in self.view.slots(config)}
        for name in record.keys() - known_slots().keys() - BESIDE - {SPANS}:
            raise unknown_slot(name, "")
        kept = {SPANS: list(map(list, record[SPANS]))}
        for name, value in record.items():
            if name == "cues" or (name in names and (value is not None or names[name] == "code")):
                kept[name] = copy_of(value)
        return kept

    @property
    def _labelled(self) -> Challenge | None:
        """The challenge, where its files have labels and no codes."""
        classes = self.challenge.class_slot
        return self.challenge if classes and classes.name in LABELS else None

    def read(self, side: Side) -> Any:
        """What the evaluate module takes."""
        if self.view.take is not None:
            return self.view.take(self._documents(side, self._records(side)))
        return [
            [self._plain(record, side.config) for record in found] for found in self._records(side)
        ]

    def read_side(self, side: Side) -> Any:
        """Columns, which need no dicts of all mentions at once."""
        if self.view.take is not None:
            return self.read(side)
        return read_records(
            self._records(side),
            self.view.slots(side.config),
            names=side.names,
            side=side.side,
            unread=known_slots().keys(),
        )

    def keep(self, reader: Reader, doc: Doc, name: str) -> None:
        """Write what a reader finds to the span group."""
        side = Side([doc], [name], reader)
        reading = self._open(side)
        found = reading.read(doc, name)
        if found is None:
            report_lacking(reading.getter, [doc], [0], PREDICTIONS)
        [document] = self._documents(side, [found or []])
        self._set(doc, document)

    def _set(self, doc: Doc, document: Document) -> None:
        related = document.relations if self.view.relations else None
        key, name = self.view.group, document.id
        set_mentions(doc, document.mentions, key=key, document=name, relations=related)

    def read_files(self, files: Files) -> Iterator[Doc]:
        """Docs of files, with the span group."""
        format_ = files.format or convert.find_format(files.path, self.view.format)
        documents = convert.read_documents(files.path, format_, self._labelled)
        names = [str(document.id) for document in documents]
        texts = files.texts_of(names, [document.text for document in documents])
        for document, text in zip(documents, texts, strict=True):
            doc = files.make_doc(text)
            self._set(doc, document)
            yield doc

    def write_files(self, side: Side, path: Path, format: str | None) -> None:  # noqa: A002
        """Files of what a reader finds."""
        documents = self._documents(side, self._records(side))
        if self.view.kind == "acronyms":  # lines, in which a document without any does not exist
            documents = [document for document in documents if document.mentions] or documents
        named = "jsonl" if path.suffix == ".jsonl" else self.view.format
        convert.write_documents(documents, path, format or named, self._labelled)


def copy_of(value: Any) -> Any:
    """A copy with lists for tuples, which come and go as Docs are stored and sent."""
    if isinstance(value, (list, tuple)):
        return [copy_of(item) for item in value]
    if isinstance(value, Mapping):
        return {name: copy_of(item) for name, item in value.items()}
    return value


@cache
def find_annotation(challenge: str) -> Annotation:
    """Look up how Docs hold what a challenge scores.

    Raises:
        InputError: they do not; the message lists the challenges that they do.
    """
    from spacy_clin.medications import EntryAnnotation
    from spacy_clin.sections import SectionAnnotation

    kinds: Mapping[str, type[Annotation]] = {
        "mentions": MentionAnnotation,
        "relations": MentionAnnotation,
        "entries": EntryAnnotation,
        "sections": SectionAnnotation,
    }
    found = find_challenge(challenge) if challenge in known_names() else None
    view = view_of(found) if found else None
    if found is None or view is None or found.kind not in kinds:
        names = [n for n in known_names() if find_challenge(n).kind in kinds]
        raise InputError(
            f"no scores of Docs for this challenge, expected one of {', '.join(names)}"
        )
    return kinds[found.kind](found, view)


@warns
def convert_doc(doc: Doc, challenge: str, getter: Any) -> None:
    """Read a Doc's annotation and keep it in the challenge's span group.

    The preset ``clin`` reads it back exactly, also after the Doc was stored or copied.

    Args:
        doc: the document; only the span group is changed.
        challenge: the module, such as ``semeval15_task14``; the first one if empty.
        getter: a preset, settings, or a reader.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("No fever.")
        >>> doc.ents = [doc.char_span(3, 8, label="PROBLEM", kb_id="C0015967")]
        >>> convert_doc(doc, "semeval15_task14", "spacy")
        >>> [(span.text, span.id_, span.kb_id_) for span in doc.spans["clin"]]
        [('fever', 'T1', 'C0015967')]
    """
    annotation = find_annotation(challenge or DEFAULT)
    reader = annotation.choose(getter, "getter", [doc])
    annotation.keep(reader, doc, get_document_name(doc))
