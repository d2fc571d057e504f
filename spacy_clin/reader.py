"""Read annotation from any place on a Doc, as configured by a Reader."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span, SpanGroup

from clineval.base.errors import InputError, listed, shown, warn
from clineval.formats.dicts import Record
from clineval.kinds.mentions.mention import Fragment, Mention, sort_fragments
from clineval.results.slots import Slot
from spacy_clin import guards, mentions, settings
from spacy_clin.getters import ENTITIES, Found, compile_getter, find_unused_labels
from spacy_clin.paths import ATTRS, EXTENSION, Meanings, Read, Source, agreed, compile_path, step
from spacy_clin.places import OFFSETS, Fragments
from spacy_clin.settings import CODE, ID, KEY, LABELS, NAME, OF_SPANS, SPANS, Reader

_offsets = attrgetter("start_char", "end_char")
_Values = dict[str, Any]
"""Slots of a mention while it is read."""


class Reading:
    """Iterate over the mentions of each document, one document at a time.

    Warnings about all documents follow after the last one. ``scored`` lists the slots that affect
    scores. ``key`` is the challenge's own span group. With ``ids``, mentions have the ids that
    relations use, or None, under ``id``. ``getter`` is the place of the mentions. ``any`` is true
    once a mention was read, and ``coded`` once a mention had a code.

    Raises:
        InputError: an extension is not registered, or, while reading, a document is invalid.
    """

    def __init__(  # noqa: PLR0913
        self,
        reader: Reader,
        docs: Sequence[Doc],
        slots: Sequence[Slot],
        *,
        scored: Sequence[Slot] | None = None,
        side: str = "",
        key: str = KEY,
        names: Sequence[str] = (),
        ids: bool = False,
    ) -> None:
        self._reader, self._docs, self._side, self._ids = reader, docs, side, ids
        self._names = names or guards.name_documents(docs)
        self.getter = key if reader.span_getter is None else reader.span_getter
        self._find = compile_getter(self.getter)
        self._tie = compile_path(reader.tie) if reader.tie else None
        self._fragments = Fragments(reader)
        self._scored = slots if scored is None else scored
        self._slot_names = [slot.name for slot in slots]
        self._columns = _compile_columns(reader, slots)
        self._keys = _compile_keys(reader, slots)
        self._spans = _SpanReading(self._columns, self._slot_names, self._fragments, ids=ids)
        known = {slot.name for slot in self._scored}
        read_of = [s for n, s in reader.sources.items() if s is not None and n in known]
        # a pipeline need not predict discontiguous mentions
        read_of += [self._fragments.source] if side != guards.PREDICTIONS else []
        self._stores = any(source.stored for source in read_of)
        roots = {self._fragments.source.root, *(column.source.root for column in self._keys)}
        self._keys_read = {*roots, *OFFSETS, *([NAME] if ids else ())} - {""}
        self._keys_seen: set[str] = set()
        self._has_spans = self.any = self.coded = False

    def __iter__(self) -> Iterator[Sequence[Record]]:
        lacking, sharing, some = [], [], False
        for at, (doc, name) in enumerate(zip(self._docs, self._names, strict=True)):
            records = self.read(doc, name)
            if records is None:
                lacking.append(at)
            if self._stores and records:
                some = True
                if guards.share_places(records):
                    sharing.append(at)
            yield records or []
        guards.report_lacking(self.getter, self._docs, lacking, self._side)
        if some:
            guards.warn_of_lost_user_data(self._docs, self._side)
            guards.warn_of_shared_places(sharing, self._side)
        if self.getter == ENTITIES and self._side == guards.REFERENCES:
            guards.warn_of_unset_entities(self._docs)
        self._report_unused()

    @property
    def unmapped(self) -> list[str]:
        """The scored slots that keep their defaults; empty for dicts and objects."""
        return self._reader.unmapped(self._scored) if self._has_spans else []

    def _report_unused(self) -> None:
        problem = find_unused_labels(self.getter, self._docs)
        if unread := self._unread(self._keys_seen):
            problem = f"these keys of mentions are ignored: {listed(sorted(map(shown, unread)))}"
        asked = [source for source in self._reader.sources.values() if source and source.root]
        absent = {source.root for source in asked} - self._keys_seen - {EXTENSION, ATTRS}
        if self._keys_seen and absent and not problem:
            problem = f"the settings name keys that no mention has: {listed(sorted(absent))}"
        if problem:
            warn(f"{self._side}: {problem}")

    def _unread(self, keys: Iterable[str]) -> set[str]:
        return {*keys} - self._keys_read - settings.BESIDE - settings.known_slots().keys()

    def read(self, doc: Doc, name: str) -> list[Record] | None:
        """Read the mentions of one document; None if it has none of the span groups."""
        sources = self._find(doc)
        if sources is None:
            return None
        where = guards.place_of_document(name)
        try:
            records = [record for found in sources for record in self._read(found, doc, where)]
        except InputError as error:
            raise guards.placed(error, where) from None
        self.any = self.any or bool(records)
        self.coded = self.coded or any(map(_has_code, records))
        return records

    def _read(self, found: Found, doc: Doc, where: str) -> Iterable[Record]:
        if self._reader.tie == ID and found.group is not None:
            return self._read_group(found.group, where)
        items: list[Any] = list(found.items)
        if self._reader.fragments == settings.GROUP:
            if found.group is None:
                raise InputError("fragments='group' needs the names of span groups")
            items = [found.group]
        told = mentions.tell_each(found.group, items)
        if set(map(type, items)) <= {Span}:
            self._has_spans = self._has_spans or bool(items)
            records = self._spans.read(items, told, doc, own=found.own)
        else:
            pairs = zip(items, told, strict=True)
            records = [self._read_item(item, each, doc) for item, each in pairs]
        return records if self._tie is None else self._join(self._tie, items, told, records)

    def _read_group(self, group: SpanGroup, where: str) -> Iterable[Record]:
        """Read mentions written by :func:`set_mentions`."""
        whole = self._reader.attributes == ATTRS
        known = mentions.read_group(group, where, whole=whole)
        names = find_labels(c.slot for c in self._columns)
        columns = [c for c in self._columns if not whole or c.slot.name in names]
        if whole and not columns and not self._ids:
            return known.values()
        tied = mentions.spans_by_id(group)
        self._has_spans = self._has_spans or bool(tied)
        return [
            {
                **({NAME: id_} if self._ids else {}),
                **(told if whole else {SPANS: told[SPANS]}),
                **{column.slot.name: column.value(tied[id_], told) for column in columns},
            }
            for id_, told in known.items()
        ]

    def _read_item(self, item: Any, told: Record, doc: Doc) -> _Values:
        """Read a mention that consists of several spans, or is a dict or an object."""
        item = item._asdict() if hasattr(item, "_asdict") else item
        of_spans = isinstance(item, (Span, list, tuple, SpanGroup))
        self._has_spans = self._has_spans or of_spans
        view = item if of_spans else self._view(item)
        record: _Values = dict.fromkeys(self._slot_names)
        record[SPANS] = self._fragments.of(view, told, doc)
        for column in self._columns if of_spans else self._keys:
            whole = item if callable(column.source.path) else view
            record[column.slot.name] = column.value(whole, told)
        if self._ids:
            record[NAME] = None if of_spans else view.get(NAME)
        return record

    def _view(self, item: object) -> Record:
        """Return a dict or an object as a mapping; reject names that nothing reads."""
        if isinstance(item, Mention):
            item = item.as_dict()
        if is_dataclass(item) and not isinstance(item, type):
            item = {part.name: getattr(item, part.name) for part in fields(item)}
        if not isinstance(item, Mapping):
            found = {name: getattr(item, name) for name in self._keys_read if hasattr(item, name)}
            if not found:
                raise InputError(f"expected a mention or a dict, got {shown(item)}")
            return found
        self._keys_seen |= item.keys()
        unread = () if self._reader.attributes else self._unread(item)
        if unread:
            raise settings.unknown_slot(min(map(str, unread)), known=self._slot_names)
        for slot, source, *_ in self._keys:
            if slot.default is None and source.root and source.root not in item:
                raise InputError(f"a mention has no {source.root!r}")
        return item

    def _join(
        self, tie: Read, items: Sequence[object], told: Sequence[Record], records: Sequence[Record]
    ) -> Iterator[Record]:
        """Yield mentions, after joining those with equal ties."""
        joined: dict[object, list[Record]] = {}
        for at, (item, each, record) in enumerate(zip(items, told, records, strict=True)):
            key = tie(item, each)
            if not isinstance(key, Hashable):
                raise InputError(f"tie: expected a single value, got {shown(key)}")
            joined.setdefault(at if key in (None, "") else (key,), []).append(record)
        for parts in joined.values():
            spans = sort_fragments(chain.from_iterable(part[SPANS] for part in parts))
            values = {n: agreed([part[n] for part in parts], n) for n in self._slot_names}
            if self._ids:
                values[NAME] = next((part[NAME] for part in parts if part[NAME]), None)
            yield {SPANS: list(map(list, spans)), **values}


class _Column(NamedTuple):
    """A slot, its source, and the function that reads it from an item."""

    slot: Slot
    source: Source
    read: Read
    meanings: Meanings

    def value(self, item: object, told: Record) -> object:
        """Return the value of the slot for an item and its attrs in the span group."""
        return self.meanings.of(self.read(item, told))


def _column(slot: Slot, source: Source) -> _Column:
    return _Column(slot, source, compile_path(source.path), Meanings(slot, source))


def find_labels(slots: Iterable[Slot]) -> Sequence[str]:
    """Return the slots that spans store as their label: ``label`` alone if it is a slot."""
    return LABELS[1:] if LABELS[1] in {slot.name for slot in slots} else LABELS


def _compile_columns(reader: Reader, slots: Iterable[Slot]) -> list[_Column]:
    """Compile the columns that read the slots of spans."""
    slots, own = list(slots), reader.attributes == ATTRS
    usual = {slot.name: Source(f"{ATTRS}.{slot.name}") for slot in slots} if own else {}
    others = {*LABELS}.difference(find_labels(slots))
    of_spans = {name: source for name, source in OF_SPANS.items() if name not in others}
    sources = {**usual, **of_spans, **reader.sources}
    found = ((slot, sources.get(slot.name)) for slot in slots)
    return [_column(slot, source) for slot, source in found if source is not None]


def _compile_keys(reader: Reader, slots: Iterable[Slot]) -> list[_Column]:
    """Compile the columns that read the slots of dicts and objects."""
    columns = []
    for slot in slots:
        usual = Source(slot.name)
        source = reader.sources.get(slot.name, usual)
        if source is not None:
            only_spans = source.root in (EXTENSION, ATTRS)
            columns.append(_column(slot, usual if only_spans else source))
    return columns


class _SpanReading:
    """Reads mentions of one span each, slot by slot instead of mention by mention.

    This is ten times as fast. Extensions are read from the Doc's user data, which is 15 times as
    fast as ``span._.name``.
    """

    def __init__(
        self,
        columns: Iterable[_Column],
        names: Iterable[str],
        fragments: Fragments,
        *,
        ids: bool,
    ) -> None:
        self._fragments, self._ids = fragments, ids
        self._usual: _Values = dict.fromkeys(names)
        self._stored: dict[str, list[tuple[_Column, Sequence[str]]]] = defaultdict(list)
        if fragments.extension:
            self._stored[fragments.extension] = []
        self._others: list[tuple[_Column, attrgetter[object] | None]] = []
        for column in columns:
            slot, source, _, meanings = column
            if name := source.stored:
                usual = step(Span.get_extension(name)[0], source.parts)
                self._usual[slot.name] = meanings.of(usual)
                self._stored[name].append((column, source.parts))
            else:
                plain = source.path == source.root and hasattr(Span, source.root)
                self._others.append((column, attrgetter(source.root) if plain else None))

    def read(
        self, spans: Sequence[Span], told: Sequence[Record], doc: Doc, *, own: bool
    ) -> list[_Values]:
        """Read spans; ``own`` is true if they are entities of the Doc or in one of its groups."""
        extents: list[Fragment] = list(map(_offsets, spans))
        stored, elsewhere = self._find_stored(doc) if self._stored else ({}, set[Fragment]())
        usual = self._usual
        records = [{**stored.get(extent, usual), SPANS: [extent]} for extent in extents]
        for column, get in self._others:
            values = list(map(get, spans) if get else map(column.read, spans, told))
            name = column.slot.name
            for record, value in zip(records, column.meanings.of_all(values), strict=True):
                record[name] = value
        if self._ids:
            for span, record in zip(spans, records, strict=True):
                record[NAME] = span.id_ or None
        every = not own or bool(self._fragments.read and not self._fragments.extension)
        special = every or elsewhere or any(told)
        for span, each, record in zip(spans, told, records, strict=True) if special else ():
            if every or each or record[SPANS][0] in elsewhere:
                record[SPANS] = self._fragments.of(span, each, doc)
        return records

    def _find_stored(self, doc: Doc) -> tuple[dict[Fragment, _Values], set[Fragment]]:
        """Find values of extensions by offsets, and the offsets that have their own fragments."""
        found: dict[Fragment, _Values] = defaultdict(self._usual.copy)
        elsewhere: set[Fragment] = set()
        for key, value in guards.extensions_of(doc):
            for column, parts in self._stored.get(key[1], ()):
                meaning = column.meanings.of(step(value, parts) if parts else value)
                found[key[2:]][column.slot.name] = meaning
            if key[1] == self._fragments.extension:
                elsewhere.add(key[2:])
        return found, elsewhere


def _has_code(record: Record) -> bool:
    code = record.get(CODE)  # of any type; it is validated later
    return bool(code) if isinstance(code, (str, list, tuple)) else code is not None
