"""Check documents of mentions and relations: dicts, lists of mentions, or objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from clineval.base.errors import InputError, located, shown
from clineval.formats.dict_spans import Place
from clineval.formats.dicts import Record
from clineval.formats.given.forms import Items, judge_ids
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import Document, Mention, judge_language

Convert = Callable[[Mapping[str, object], str], Mapping[str, object]]
"""Converts another dict to a document of mentions and relations; also receives its place."""
_LISTS = ("mentions", "relations")
HELD = frozenset({"id", *_LISTS, "text", "language"})
_AS_LIST = "Give a list of mentions, each with an 'id' to which relations refer"


class _Opened(NamedTuple):
    """The parts of a document."""

    id: str | None
    mentions: Document | Sequence[Record]
    relations: Sequence[object]
    text: str | None
    language: str


@dataclass(frozen=True, slots=True)
class GivenDocuments:
    """Documents after the checks that all kinds of annotation share.

    Args:
        place: names documents and mentions in messages.
        names: the names of the documents; None if they have none.
        mentions: the mentions of each document, as dicts.
        relations: the relations of each document.
        texts: the text of each document; empty if none is known.
        languages: the language of each document; empty if none is known.
    """

    place: Place
    names: tuple[str, ...] | None
    mentions: Iterable[Sequence[Record]]
    relations: Sequence[Sequence[object]]
    texts: tuple[str | None, ...]
    languages: tuple[str, ...]

    @classmethod
    def of(
        cls,
        items: Items,
        *,
        coded: bool = False,
        convert: Convert | None = None,
        needed: str = "mentions",
    ) -> GivenDocuments:
        """Check the item of each document: a dict, a list of mentions, or an object.

        Args:
            items: the documents.
            coded: whether to keep the information that a mention of an object has no code.
            convert: see :data:`Convert`; None for none.
            needed: the required key of a dict; empty for none.

        Raises:
            InputError: an item is invalid; the message names side and document, or file and line.
        """
        place = Place(items.side, places=items.places)
        if {*map(type, items.values)} <= {list, tuple}:  # the usual case must be fast
            return cls._of_lists(items, place)
        opened = [
            _open_object(item)
            if isinstance(item, Document)
            else _open(item, place.document(number), convert, needed)
            for number, item in enumerate(items.values)
        ]
        ids, mentions, relations, texts, languages = (
            zip(*opened, strict=True) if opened else [()] * 5
        )
        names, records = tuple(judge_ids(ids, items.side)), _Records(mentions, coded)
        return cls(
            replace(place, names=names, sizes=records.sizes),
            names if names or items.named else None,
            records,
            relations,
            texts if any(text is not None for text in texts) else (),
            languages if any(languages) else (),
        )

    @classmethod
    def _of_lists(cls, items: Items, place: Place) -> GivenDocuments:
        """Return documents from lists of mentions alone."""
        sizes = list(map(len, items.values))
        names = () if items.named else None
        relations = ((),) * len(sizes)
        return cls(replace(place, sizes=sizes), names, items.values, relations, (), ())

    def finish(self, side: Side) -> Side:
        """Add names, texts and languages of the documents to a side of their mentions."""
        if self.names is None and not self.texts and not self.languages:
            return side
        return replace(side, keys=self.names, texts=self.texts, languages=self.languages)


def _open_object(document: Document) -> _Opened:
    """Split an object into its parts; it was checked when it was created."""
    relations = [relation.as_dict() for relation in document.relations]
    return _Opened(document.id, document, relations, document.text, document.language or "")


@dataclass(frozen=True, slots=True)
class _Records:
    """The mentions of documents as dicts. Mentions of objects become dicts when they are read.

    Args:
        documents: the mentions of each document, or the object with them.
        coded: see :meth:`GivenDocuments.of`.
    """

    documents: Sequence[Document | Sequence[Record]]
    coded: bool

    @property
    def sizes(self) -> list[int]:
        """The number of mentions of each document."""
        return [len(of.mentions if isinstance(of, Document) else of) for of in self.documents]

    def __iter__(self) -> Iterator[Sequence[Record]]:
        for of in self.documents:
            yield list(map(self._as_dict, of.mentions)) if isinstance(of, Document) else of

    def _as_dict(self, mention: Mention) -> Record:
        slots: MappingProxyType[str, object] = mention.slots  # type: ignore[assignment] # always
        record: dict[str, object] = {"spans": mention.spans} | slots  # faster than unpacking
        if mention.id is not None:
            record["id"] = mention.id
        if mention.cui or (self.coded and mention.coded):
            record["cui"] = mention.cui
        return record


def _open(given: object, where: str, convert: Convert | None, needed: str) -> _Opened:
    if isinstance(given, (list, tuple)):
        return _Opened(None, given, (), None, "")
    if isinstance(given, Mapping) and convert:
        given = convert(given, where)
    if not isinstance(given, Mapping) or (needed and needed not in given):
        problem = f"expected a list of mentions, or a dict with 'mentions', got {shown(given)}"
        remedy = "Give one list of mentions for each document"
        raise InputError(problem, where=where, remedy=remedy)
    if not given.keys() <= HELD:
        unknown, expected = sorted(map(shown, given.keys() - HELD)), ", ".join(sorted(HELD))
        raise InputError(f"unknown {', '.join(unknown)}, expected {expected}", where=where)
    name, text = (_expect_string(given, key, where) for key in ("id", "text"))
    mentions, relations = (_expect_list(given, key, where) for key in _LISTS)
    language = located(where, judge_language, given.get("language")) or ""
    return _Opened(name, mentions, relations, text, language)


def _expect_string(given: Mapping[str, object], key: str, where: str) -> str | None:
    value = given.get(key)
    if value is None or isinstance(value, str):
        return value
    raise InputError(f"{key}: expected a string, got {shown(value)}", where=where)


def _expect_list(given: Mapping[str, object], key: str, where: str) -> Sequence[Any]:
    value = given.get(key, ())
    if isinstance(value, (list, tuple)):
        return value
    if value is None and key != "mentions":
        return ()
    remedy = _AS_LIST if isinstance(value, Mapping) else ""
    raise InputError(f"{key}: expected a list, got {shown(value)}", where=where, remedy=remedy)
