"""Read, pair and count BioCreative V CDR as ``__init__.py`` defines it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from clineval.base.arrays import Coded, IntArray, rank_rows
from clineval.base.errors import InputError, located, read_all, shown
from clineval.base.files import Source, find_path
from clineval.challenges.bc5cdr.measures import SCORED, class_of
from clineval.formats.files import holds, read_text_files
from clineval.formats.given.documents import GivenDocuments
from clineval.formats.given.forms import Items, open_given
from clineval.formats.pubtator.items import (
    BIOC,
    KIND,
    KINDS,
    MENTIONS,
    PUBTATOR,
    RELATION,
    Draft,
    Item,
    items_of_mention,
    items_of_relation,
    judge_label,
    read_bioc,
    read_pubtator,
)
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import Side, share_values
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.derived import keep
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.measures import compare_all
from clineval.kinds.mentions.mention import sort_fragments
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.parts import Part, stack_matches
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, columns_of
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns, Sides
from clineval.results.match import Match
from clineval.results.protocol import Protocol
from clineval.results.slots import Slot
from clineval.results.tagged import TYPELESS
from clineval.results.task import ClassSlot

_OWN = r"(?i)\.(pubtator|txt|xml)$"


def read_items(given: object, side: str, read_files: ReadFiles) -> Side:
    """Read one side.

    Args:
        given: the path or the text of a PubTator or BioC file; JSON Lines; a side that was read;
            or a list with one item for each document. An item is a dict of ``mentions`` and
            ``relations``, a list of mentions, a :class:`~clineval.Document`, or a string in one of
            these formats.
        side: ``predictions`` or ``references``. Relations of references must have both concepts.
        read_files: function that reads files as the protocol does.
    """
    return open_given(
        given,
        side,
        Side,
        read_files=lambda source: read_files(source, side).finish(),
        read_items=partial(_read_items, gold=side == "references"),
        read_strings=lambda texts: _read_texts(texts, side, read_files),
        lines_beside=_OWN,
    )


def read_strictly(given: Source, *, gold: bool) -> Draft:
    """Read files by their format; errors name the file and the line."""
    draft = Draft()
    pattern, separator, read = (
        (BIOC, "<", read_bioc) if is_bioc(given) else (PUBTATOR, "\t", read_pubtator)
    )
    for file in read_text_files(given, pattern=pattern, separator=separator):
        read(file, draft, gold=gold)
    return draft


def _read_texts(texts: Sequence[str], side: str, read_files: ReadFiles) -> Side:
    """Read one text for each document; documents are paired by position."""
    whole = Draft()
    for number, text in enumerate(texts):
        found = read_files(f"{text}\n", side).items.values() if text.strip() else ()
        whole.add(str(number), chain.from_iterable(found))
    return whole.finish(named=False)


def is_bioc(given: Source) -> bool:
    """Return whether a file, the files of a directory, or a text is BioC."""
    path = find_path(given, "\t" if "\t" in str(given) else "<")
    if path is None:
        return str(given).lstrip("\ufeff \r\n").startswith("<")
    return path.suffix.lower() == ".xml" or holds(given, r"\.xml$")


def _read_items(items: Items, *, gold: bool) -> Side:
    """Read dicts, lists of mentions, or objects."""
    documents = GivenDocuments.of(items, needed="")
    draft = Draft()
    lists = zip(documents.mentions, documents.relations, strict=True)
    for number, (mentions, relations) in enumerate(lists):
        name = documents.names[number] if documents.names else str(number)
        place = documents.place.document(number)
        draft.add(name, _items_of(mentions, relations, place, gold=gold))
    return draft.finish(named=documents.names is not None)


def _items_of(
    mentions: Sequence[object], relations: Sequence[object], place: str, *, gold: bool
) -> Iterator[Item]:
    readers: list[Callable[[], list[Item]]] = [
        partial(located, f"{place}, mention {at}", _read_mention, each)
        for at, each in enumerate(mentions)
    ]
    readers += [
        partial(located, f"{place}, relation {at}", _read_relation, each, gold=gold)
        for at, each in enumerate(relations)
    ]
    yield from chain.from_iterable(read_all(readers))


def _read_mention(mention: object) -> list[Item]:
    known = {"id", "spans", "label", "concept", "concepts", "text", "cui"}
    if not isinstance(mention, Mapping) or not {"spans", "label"} <= mention.keys() <= known:
        raise InputError("expected a dict with 'spans', 'label' and perhaps 'concepts'")
    given = (mention.get("concepts"), mention.get("concept"))
    concepts = next((value for value in given if value is not None), ())
    if isinstance(concepts, str):
        concepts = concepts.split("|")
    if not isinstance(concepts, (list, tuple)) or not all(isinstance(c, str) for c in concepts):
        raise InputError(f"concepts: expected a list of strings, got {shown(concepts)}")
    label = mention["label"]
    if not isinstance(label, str):
        raise InputError(f"label: expected a string, got {shown(label)}")
    if not label:
        raise InputError("label: expected a label, got an empty string", remedy=TYPELESS)
    known_label = judge_label(label, MENTIONS)
    return [*items_of_mention(known_label, sort_fragments(mention["spans"]), concepts)]


def _read_relation(relation: object, *, gold: bool) -> list[Item]:
    if not isinstance(relation, Mapping) or set(relation) != {"label", "from", "to"}:
        raise InputError("expected a dict with 'label', 'from' and 'to'")
    if not all(isinstance(value, str) for value in relation.values()):
        raise InputError("expected strings as 'label', 'from' and 'to'")
    judge_label(relation["label"], [RELATION])
    return [*items_of_relation(relation["from"], relation["to"], gold=gold)]


LABEL, CONCEPT = Slot("label", "label", (*MENTIONS, RELATION)), Slot("concept", "label")
ReadFiles = Callable[[Source, str], Draft]
"""Function that reads files or a text of PubTator or BioC, of ``references`` or ``predictions``."""


class Spec(Protocol[Side, Corpus, Pairing]):
    """The challenge's definition: sets of items."""

    kind = SpanKind(
        ClassSlot("label", "type"),
        slots_of=lambda _: (LABEL, CONCEPT),
        without={
            "answers": "relations are between concepts of the whole abstract, not between quotes",
            "adjudicate": "the page shows concepts and relations of the whole abstract, and "
            "mentions without their concepts",
        },
    )

    def read_side(self, given: object, side: str, _setup: Setup, /) -> Side:
        """Read PubTator, BioC, JSON Lines, dicts, or Documents."""
        return read_items(given, side, self.read_files)

    def check(self, source: Source, setup: Setup, /) -> None:
        """Check files as predictions; their relations may lack a concept."""
        self.read_side(source, "predictions", setup)

    def read_files(self, given: Source, side: str, /) -> Draft:
        """Read files or a text of PubTator or BioC by the format."""
        return read_strictly(given, gold=side == "references")

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides; equal items have the same place."""
        documents, *numbers = align_documents(gold, predicted)
        read = zip((gold, predicted), numbers, strict=True)
        columns = [self.as_columns(*each, documents, setup.config) for each in read]
        columns = share_values(columns, dict.fromkeys(columns[0].attributes, ()))
        texts: dict[str, int] = {}
        keys = [_keys_of(side, texts) for side in columns]
        ranks = rank_rows([np.concatenate(both) for both in zip(*keys, strict=True)])
        both = zip(columns, np.split(ranks, [len(columns[0])]), strict=True)
        sides = [Mentions(side, place, np.zeros(len(side), np.int64)) for side, place in both]
        return Corpus(documents, sides[0], sides[1], {})

    def as_columns(
        self, side: Side, numbers: IntArray, _documents: Sequence[str], config: str
    ) -> MentionColumns:
        """Return the items of the scored kinds, as mentions."""
        document = side.mentions.document
        mentions = replace(side.mentions, document=numbers[document] if len(document) else document)
        ordered = mentions.take(np.argsort(mentions.document, kind="stable"))
        return keep(Slot(KIND, "label"), _kinds_of(config).__contains__)(ordered, {})

    def pair(self, corpus: Corpus, setup: Setup, /) -> Pairing:
        """Pair equal items of each kind and type."""
        return {
            name: self.match(_select(corpus, name).corpus)
            for name, (kind, _) in SCORED.items()
            if kind in _kinds_of(setup.config)
        }

    def match(self, part: Corpus) -> Pairs | Match:
        """Pair equal items of one kind and type."""
        return pair_equal(part)

    def list_matches(self, block: Corpus, pairing: Pairing, _setup: Setup, /) -> Mapping[str, Rows]:
        """Return the verdict on every item; concepts and relations are mentions without words."""
        matches = {}
        for name, pairs in pairing.items():
            part = _select(block, name)
            rows = MatchKind(columns_of(name), compare_all).of(part.corpus, pairs)
            matches[name] = replace(rows, among=part.among)
        return matches

    def widen(
        self, _corpus: Corpus, matches: Mapping[str, Match], _setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add the items of all kinds together."""
        counted = [match for name, match in matches.items() if name in KINDS]
        return {**matches, "all": stack_matches(counted)}

    def page_sides(self, corpus: Corpus, _setup: Setup, /) -> Sides:
        """Return the items with classes that include their kind, such as ``Disease concepts``."""
        gold, prediction = map(_name_kinds, corpus.sides)
        return gold, prediction

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the classes of items, such as ``Disease concepts``."""
        return [class_of(label, kind) for label in LABEL.values for kind in KINDS]


def _name_kinds(columns: MentionColumns) -> MentionColumns:
    label, kind = columns.attributes[LABEL.name], columns.attributes[KIND]
    values = tuple(class_of(value, name) for value in label.values for name in kind.values)
    ids = label.ids.astype(np.int64) * len(kind.values) + kind.ids
    named = {**columns.attributes, LABEL.name: Coded(ids, values)}
    return replace(columns, attributes=named)


def pair_equal(part: Corpus) -> Pairs:
    """Pair equal items, which have the same place."""
    places = part.gold.place, part.prediction.place
    _, left, right = np.intersect1d(*places, assume_unique=True, return_indices=True)
    return Pairs(left, right)


def _kinds_of(config: str) -> Sequence[str]:
    return KINDS if config == "default" else (config,)


def _keys_of(side: MentionColumns, texts: dict[str, int]) -> list[IntArray]:
    """Return the sort keys that equal items share; ``texts`` numbers discontiguous spans."""
    values = [column.ids for column in side.attributes.values()]
    first = side.bounds[:-1]
    rest = np.zeros(len(side), np.int64)
    for row in np.flatnonzero(side.fragment_counts > 1).tolist():
        rest[row] = texts.setdefault(side.text_of_spans(row), len(texts) + 1)
    return [side.document, *values, side.starts[first], side.ends[first], rest]


def _select(corpus: Corpus, name: str) -> Part:
    kind, labels = SCORED[name]
    return Part.of(corpus, {KIND: (kind,), LABEL.name: labels})
