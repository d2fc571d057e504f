"""Read GutBrainIE as ``__init__.py`` defines it; :mod:`clineval.protocols.tuple_sets` scores it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.challenges.gutbrainie26.files import (
    FILES,
    WORDS,
    Named,
    Reading,
    is_native,
    list_documents,
)
from clineval.challenges.gutbrainie26.native import split_text
from clineval.formats.dict_spans import Place as Places
from clineval.formats.files import open_strings
from clineval.formats.given.forms import Items, open_given
from clineval.formats.note_json import parse
from clineval.formats.parts import PartedSide
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.relations.columns import RelatedSide
from clineval.protocols.tuple_sets import DEFAULT, Given, TupleSets
from clineval.results.challenge import Setup

Place = tuple[object, int, int]


@dataclass(frozen=True)
class Spec(TupleSets):
    """The definition: sets of tuples, from the challenge's JSON or from Documents."""

    def read_side(self, source: object, side: str, setup: Setup, /) -> Given:
        """Read the challenge's JSON, JSON Lines, dicts in either form, or Documents."""
        if isinstance(source, (Side, RelatedSide)):
            return source
        gold = side == "references"
        read = partial(self.read_native, setup=setup, gold=gold)
        return open_given(
            source,
            side,
            None,
            read_files=lambda files: read(list_documents(files)),
            read_items=lambda items: self._read_items(items, setup, gold=gold),
            read_strings=lambda texts: read(_open_strings(texts)),
            lines_beside=FILES,
            separator="{",
        )

    def check(self, source: Source, setup: Setup, /) -> None:
        """Reject files with invalid items in any of their lists."""
        self.read_side(source, "references", replace(setup, config=DEFAULT))

    def read_native(self, documents: Iterable[Named], *, setup: Setup, gold: bool) -> Side:
        """Read documents in the challenge's JSON."""
        return Reading(tuple(self.sorts_of(setup)), gold).read(documents)

    def _read_items(self, items: Items, setup: Setup, *, gold: bool) -> Given:
        """Read documents in the challenge's form, or with mentions and relations."""
        if any(map(is_native, items.values)):
            return self.read_native(_name_items(items), setup=setup, gold=gold)
        return self.read_documents(items, gold=gold)

    def make_related(
        self, related: RelatedSide, texts: Sequence[str | None], setup: Setup, *, gold: bool
    ) -> Side:
        """Return the tuples of mentions and relations; the first line of a text is the title."""
        side = super().make_related(related, texts, setup, gold=gold)
        parts = tuple(map(split_text, texts))
        held = {name: getattr(side, name) for name in (field.name for field in fields(Side))}
        return PartedSide(**held, parts=parts)

    def join_tuples(self, gold: Side, predicted: Side, setup: Setup) -> Corpus:
        """Join the tuples; warn about entities with the same offsets, but other words."""
        known: dict[Place, set[str]] = {}
        for place, words in _list_words(gold):
            known.setdefault(place, set()).add(words)
        differ = [words not in known.get(place, {words}) for place, words in _list_words(predicted)]
        warn(
            "{n} predicted {entity has|entities have} the offsets of a gold entity, but other "
            "words. Words are not compared",
            n=sum(differ),
        )
        return super().join_tuples(gold, predicted, setup)


def _open_strings(texts: Sequence[str]) -> list[Named]:
    return [(None, parse(file), file.label) for file in open_strings(texts)]


def _name_items(items: Items) -> list[Named]:
    where = Places(items.side, places=items.places).document
    ids = (value.get("id") if isinstance(value, dict) else None for value in items.values)
    return [
        (None if id_ is None else str(id_), value, where(at))
        for at, (id_, value) in enumerate(zip(ids, items.values, strict=True))
    ]


def _list_words(side: Side) -> Iterable[tuple[Place, str]]:
    """Return the place and the words of each entity, once."""
    columns, keys = side.mentions, side.keys or range(len(side.documents))
    if WORDS not in columns.attributes:
        return []
    words = columns.attributes[WORDS]
    rows = zip(
        columns.document.tolist(), columns.starts.tolist(), columns.ends.tolist(), strict=True
    )
    places = ((keys[document], start, end) for document, start, end in rows)
    spoken = (words.values[at] for at in words.ids.tolist())
    return {row for row in zip(places, spoken, strict=True) if row[1]}
