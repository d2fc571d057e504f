"""Kinds of annotation on Docs: how each is read, kept on a Doc, and kept in files.

What is of one challenge is in its declaration. A further kind, such as relations between mentions
(``doc._.relations``, or a path), is a class beside these, under the kind's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

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
from spacy_clin.mentions import (
    BESIDE,
    SPANS,
    Record,
    known_slots,
    set_mentions,
    unknown_slot,
    view_of,
)
from spacy_clin.presets import AUTO, CLIN, find_reader
from spacy_clin.reader import Reader, Reading

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
    """

    docs: Sequence[Any]
    names: Sequence[str]
    reader: Reader
    side: str = PREDICTIONS
    config: str = "default"
    mentions: bool = field(default=False, init=False)
    coded: bool = field(default=False, init=False)
    missing: Sequence[str] = field(default=(), init=False)


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
        return [_text_of(name, text) for name, text in zip(names, found, strict=True)]


def _text_of(name: str, text: str | None) -> str:
    if text is None:
        raise InputError(
            "the text is missing, without which there is no Doc",
            where=f"document {name}",
            remedy="Give the directory of the notes (text=, --text DIR)",
        )
    return text


class Annotation(Protocol):
    """One kind of annotation."""

    def read(self, side: Side) -> Any:
        """What the evaluate module takes."""

    def read_side(self, side: Side) -> Any:
        """What the challenge's core takes: the same, or what is read of it."""

    def keep(self, reader: Reader, doc: Doc, name: str) -> None:
        """Write what a reader finds to the span group."""

    def read_files(self, files: Files) -> Iterator[Doc]:
        """Docs of files, with the span group."""

    def write_files(self, side: Side, path: Path, format: str | None) -> None:  # noqa: A002
        """Files of what a reader finds."""


@dataclass(frozen=True, slots=True)
class MentionAnnotation:
    """Mentions with slots."""

    challenge: Challenge
    view: DocView

    def _open(self, side: Side) -> Reading:
        shown: Any = self.challenge.view
        scored = shown.slots(side.config)
        slots = self.view.slots(side.config)
        return Reading(
            side.reader, side.docs, slots, scored=scored, side=side.side, key=self.view.group
        )

    def _records(self, side: Side) -> list[list[dict[str, Any]]]:
        reading = self._open(side)
        return [
            [self._plain(record, side.config) for record in found]
            for found in self._noted(side, reading)
        ]

    def _noted(self, side: Side, reading: Reading) -> Iterator[list[Record]]:
        """What is read, and then what is to be said of all of it."""
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

    def read(self, side: Side) -> Any:
        """What the evaluate module takes."""
        records = self._records(side)
        return records if self.view.take is None else self.view.take(_named(side, records))

    def read_side(self, side: Side) -> Any:
        """Columns, which need no dicts of all mentions at once."""
        if self.view.take is not None:
            return self.read(side)
        return read_records(
            self._noted(side, self._open(side)),
            self.view.slots(side.config),
            names=side.names,
            side=side.side,
            unread=known_slots().keys(),
        )

    def keep(self, reader: Reader, doc: Doc, name: str) -> None:
        """Write what a reader finds to the span group."""
        reading = Reading(reader, [doc], self.view.slots("default"), key=self.view.group)
        found = reading.read(doc)
        if found is None:
            report_lacking(reading.getter, [doc], [0], PREDICTIONS)
        records = [self._plain(record, "default") for record in found or []]
        set_mentions(doc, records, key=self.view.group, document=name)

    def read_files(self, files: Files) -> Iterator[Doc]:
        """Docs of files, with the span group."""
        format_ = files.format or convert.find_format(files.path, self.view.format)
        documents = convert.read_documents(files.path, format_)
        names = [str(document.id) for document in documents]
        texts = files.texts_of(names, [document.text for document in documents])
        for document, text in zip(documents, texts, strict=True):
            doc = files.make_doc(text)
            set_mentions(doc, document.mentions, key=self.view.group, document=document.id)
            yield doc

    def write_files(self, side: Side, path: Path, format: str | None) -> None:  # noqa: A002
        """Files of what a reader finds."""
        documents = _named(side, self._records(side))
        if self.view.take is not None:  # lines, in which a document without any does not exist
            documents = [document for document in documents if document.mentions] or documents
        convert.write_documents(documents, path, format or self.view.format)


def _named(side: Side, records: Sequence[Sequence[Record]]) -> list[Document]:
    return [
        Document(name, map(Mention.from_dict, found), doc.text)
        for doc, name, found in zip(side.docs, side.names, records, strict=True)
    ]


def copy_of(value: Any) -> Any:
    """A copy with lists for tuples, which come and go as Docs are stored and sent."""
    if isinstance(value, (list, tuple)):
        return [copy_of(item) for item in value]
    if isinstance(value, Mapping):
        return {name: copy_of(item) for name, item in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Integration:
    """A challenge on Docs."""

    challenge: Challenge
    view: DocView
    annotation: Annotation

    def find_reader(self, given: Any, where: str) -> Reader | str:
        """The reader that a configuration asks for, or ``auto``.

        Raises:
            InputError: no preset of that name, or a setting, slot or label that does not exist.
        """
        if given == AUTO:
            return AUTO
        return find_reader(given, where, self.view.kind or self.challenge.kind)

    def choose(self, reader: Reader | str, docs: Sequence[Any]) -> Reader:
        """What ``auto`` is: the span group where a Doc has it; otherwise entities, if they are set.

        Only mentions are looked for among entities.
        """
        if isinstance(reader, Reader):
            return reader
        known = [doc for doc in docs if isinstance(doc, Doc)]
        entities = self.challenge.kind == "mentions" and not any(
            self.view.group in doc.spans for doc in known
        )
        name = "spacy" if entities and any(d.has_annotation("ENT_IOB") for d in known) else CLIN
        return find_reader(name, "", self.view.kind or self.challenge.kind)


@cache
def find_integration(challenge: str) -> Integration:
    """Look up how Docs hold what a challenge scores.

    Raises:
        InputError: they do not; the message lists the challenges that they do.
    """
    from spacy_clin.medications import EntryAnnotation
    from spacy_clin.sections import SectionAnnotation

    kinds: Mapping[str, Callable[[Challenge, DocView], Annotation]] = {
        "mentions": MentionAnnotation,
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
    return Integration(found, view, kinds[found.kind](found, view))


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
    integration = find_integration(challenge or DEFAULT)
    reader = integration.choose(integration.find_reader(getter, "getter"), [doc])
    integration.annotation.keep(reader, doc, get_document_name(doc))
