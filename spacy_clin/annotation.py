"""Annotation on Docs: the interface of each kind of annotation, and one side of a corpus."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeGuard

from spacy.tokens import Doc

from clineval.base.errors import InputError, listed, shown
from clineval.results.challenge import Challenge
from clineval.results.kind import Kind
from clineval.results.options import check_name
from clineval.results.views import DocView
from spacy_clin import settings
from spacy_clin.getters import ENTITIES, compile_getter
from spacy_clin.guards import PREDICTIONS, REFERENCES, as_items, located, name_documents
from spacy_clin.presets import AUTO, CLIN, Presets, ReaderConfig, find_reader
from spacy_clin.settings import Reader

USUAL = {REFERENCES: CLIN, PREDICTIONS: AUTO}
"""The default place of the annotation of each side."""
Parsed = tuple[str, str | None, object]
"""The name of a document, its text if the file contains it, and its annotation."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Documents of one side, and the reader of their annotation."""

    docs: Sequence[Doc]
    names: Sequence[str]
    reader: Reader
    side: str = PREDICTIONS
    config: str = "default"


class Seen(NamedTuple):
    """Whether a side has mentions, codes and relations, and the slots that nothing reads.

    ``missing`` lists the slots that keep their defaults because nothing reads them. ``related``
    is also true if the span group states that there are no relations.
    """

    mentions: bool = False
    coded: bool = False
    related: bool = False
    missing: Sequence[str] = ()


class Files(NamedTuple):
    """Files of a format; if they contain both sides, one of them. Some formats need the notes."""

    path: Path
    format: str | None = None
    side: str = REFERENCES
    texts: object = None


class Notes(NamedTuple):
    """The names of documents that were read, their languages, and for columns their texts.

    ``named`` is false if not all documents of the side have names, so that they are paired by
    order. Names are then empty for documents without one.
    """

    named: bool
    names: Sequence[str]
    texts: Sequence[str]
    languages: Sequence[str]


@dataclass(frozen=True, slots=True)
class Annotation(ABC):
    """A challenge on Docs: one kind of annotation, and its place."""

    presets: ClassVar[Presets]
    """The readers that fit the annotation, by name."""
    in_entities: ClassVar[bool] = False
    """Whether entities can replace the annotation if the span group is missing."""
    has_spans: ClassVar[bool] = True
    """Whether the annotation consists of spans, which can become entities."""

    challenge: Challenge
    view: DocView

    @property
    def in_columns(self) -> bool:
        """Whether :meth:`read_side` returns columns, which do not hold the texts."""
        return False

    @abstractmethod
    def read(self, side: Side) -> object:
        """Return the input of the evaluate module."""

    def read_side(self, side: Side) -> tuple[object, Seen]:
        """Return the input of the challenge's core: the module's input, or columns read from it."""
        return self.read(side), Seen()

    @abstractmethod
    def objects(self, side: Side) -> Sequence[object]:
        """Return the argument of :meth:`write` for each document."""

    @abstractmethod
    def write(self, doc: Doc, found: Any, name: str) -> None:
        """Write the annotation of a document to the span group."""

    @abstractmethod
    def parse(self, files: Files) -> Iterator[Parsed]:
        """Parse the documents in files."""

    @abstractmethod
    def write_files(self, side: Side, files: Files) -> None:
        """Write the annotation that a reader finds to files."""

    def keep(self, reader: Reader, doc: Doc, name: str) -> None:
        """Write the annotation that a reader finds to the span group."""
        [found] = self.objects(Side([doc], [name], reader))
        self.write(doc, found, name)

    def judge(self, config: str) -> None:
        """Reject a configuration whose annotation Docs hold differently from the default's."""
        usual, configs = self.challenge.kind.hold(NAMES), self.challenge.task.configs
        held = {name: _name_way(self.challenge.kind_of(name)) for name in configs}
        if held.get(config, usual) != usual:
            others = [name for name, way in held.items() if way == usual]
            items = self.challenge.kind_of(config).items
            raise InputError(
                f"no scores of Docs for the configuration {config}, which has {items} of documents",
                remedy=f"Score {' or '.join(others)}, or pass {items} to clineval.score",
            )

    def is_annotated(self, docs: Sequence[Doc], getter: ReaderConfig) -> bool:
        """Return whether any Doc has the annotation that a reader finds, even if it is empty."""
        found = self.choose(getter, REFERENCES, docs).span_getter
        if found == ENTITIES:
            return any(doc.has_annotation("ENT_IOB") for doc in docs)
        find = compile_getter(found or self.view.group)
        return any(find(doc) is not None for doc in docs)

    def find_reader(self, given: ReaderConfig, where: str) -> Reader | str:
        """Return the reader of a configuration, or ``auto``; reject unknown names."""
        if isinstance(given, str) and given == AUTO:
            return AUTO
        return find_reader(given, where, self.presets, free=settings.is_free(self.challenge))

    def choose(self, given: ReaderConfig, where: str, docs: Sequence[Doc]) -> Reader:
        """Choose the reader for some Docs.

        ``auto`` chooses the span group if a Doc contains it. Otherwise it chooses entities if they
        are set and the challenge scores mentions.
        """
        reader = self.find_reader(given, where)
        if isinstance(reader, Reader):
            return reader
        known = [doc for doc in docs if isinstance(doc, Doc)]
        grouped = any(self.view.group in doc.spans for doc in known)
        return self.choose_usual(
            grouped, lambda: any(doc.has_annotation("ENT_IOB") for doc in known)
        )

    def choose_usual(self, grouped: bool, has_entities: Callable[[], bool]) -> Reader:  # noqa: FBT001
        """Return the reader that ``auto`` chooses; ``grouped``: a Doc has the span group."""
        entities = self.in_entities and not grouped and has_entities()
        return find_reader("spacy" if entities else CLIN, "", self.presets)

    def name_read(self, found: object, notes: Notes) -> object:  # noqa: ARG002
        """Add the names of documents, their texts and languages to what :meth:`read_side` read."""
        return found

    def open_side(
        self,
        given: Iterable[object],
        getter: ReaderConfig | None,
        *,
        names: Sequence[str] | None = None,
        side: str = PREDICTIONS,
        config: str = "default",
    ) -> Side:
        """Validate the Docs and names of one side, and choose its reader."""
        self.judge(config)
        check_name("side", side, USUAL)
        docs = as_docs(given, side)
        known = name_documents(docs) if names is None else list(as_items(names, "names"))
        if strange := [name for name in known if not isinstance(name, str)]:
            raise InputError(f"expected names of documents, got {shown(strange[0])}", where=side)
        if len(known) != len(docs):
            problem = f"expected as many names as documents, got {len(known)} and {len(docs)}"
            raise InputError(problem, where=side)
        check_names(known, side)
        reader = self.choose(USUAL[side] if getter is None else getter, side, docs)
        return Side(docs, known, reader, side, config)


class _Names:
    """Names of the ways in which Docs hold annotation."""

    def spans(self) -> str:
        return "spans"

    def given_spans(self) -> str:
        return "given spans"

    def entries(self) -> str:
        return "entries"

    def sections(self) -> str:
        return "sections"

    def classes(self) -> str:
        return "classes"


NAMES = _Names()


def _name_way(kind: Kind) -> str:
    """Return the name of the way in which Docs hold a kind; empty if they do not hold it."""
    return "" if "docs" in kind.lacks else kind.hold(NAMES)


def as_docs(given: Iterable[object], side: str) -> list[Doc]:
    """List Docs, or other objects with a text, which only the user's functions read."""
    docs: list[Doc] = []
    with located(side):
        for at, doc in enumerate(as_items(given, "documents")):
            if not _is_doc(doc):
                raise InputError(f"expected a Doc, got {shown(doc)}", where=f"document {at}")
            docs.append(doc)
    return docs


def _is_doc(given: object) -> TypeGuard[Doc]:
    return isinstance(given, Doc) or isinstance(getattr(given, "text", None), str)


def check_names(names: Sequence[str], side: str) -> None:
    """Reject repeated names of documents."""
    repeated = [name for name, number in Counter(filter(None, names)).items() if number > 1]
    if repeated:
        raise InputError(
            f"repeated document names: {listed(sorted(repeated))}",
            where=side,
            remedy="Give each document its own name (set_mentions(..., document=...))",
        )


def copy_of(value: object, depth: int = 20) -> object:
    """Copy a value and turn tuples into lists, as storing a Doc does.

    Values that are nested deeper than any annotation stay unchanged; the challenge rejects them.
    """
    if depth and isinstance(value, (list, tuple)):
        return [copy_of(item, depth - 1) for item in value]
    if depth and isinstance(value, Mapping):
        return {name: copy_of(item, depth - 1) for name, item in value.items()}
    return value
