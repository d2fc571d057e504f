"""One reader of annotation on Docs, in whatever way it is kept there: configuration, not code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain
from operator import attrgetter
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from clineval.base.errors import InputError, listed, shown, warn
from clineval.kinds.mentions.mention import Mention, sort_fragments
from clineval.kinds.mentions.slots import Slot
from spacy_clin import guards, mentions, paths, settings
from spacy_clin.paths import ATTRS, ENTITIES, EXTENSION, Found, Meanings, Source
from spacy_clin.settings import CODE, ID, KEY, LABELS, NAME, OF_SPANS, SPANS, Reader, Record

_OFFSETS = (SPANS, "fragments", "start_char", "end_char", "start", "end")
"""Where dicts and objects have their fragments."""
_offsets = attrgetter("start_char", "end_char")
Extent = tuple[int, int]
Column = tuple[Slot, Source, Callable[[Any, Any], Any], Meanings]


class Reading:
    """The mentions of each document, read one document after the other.

    What is odd about all of them is said when the last one was read. ``scored`` are the slots that
    scores depend on, ``key`` is the challenge's own span group; with ``ids`` mentions have the ids
    that relations call them by, or None, under ``id``. ``getter`` says where mentions are
    looked for, and ``coded`` whether any that was read has a code.

    Raises:
        InputError: an extension that is not registered; and, when a document is read, what cannot
            be read in it.
    """

    def __init__(  # noqa: PLR0913
        self,
        reader: Reader,
        docs: Sequence[Any],
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
        self._find = paths.compile_getter(self.getter)
        self._tie = paths.compile_path(reader.tie) if reader.tie else None
        apart = reader.fragments if reader.fragments != settings.GROUP else None
        self._fragments = paths.compile_path(apart) if apart else None
        self._apart = Source(apart).stored if apart and not Source(apart).parts else ""
        self._compile(slots)
        self._scored = slots if scored is None else scored
        known = {slot.name for slot in self._scored}
        read_of = [s for n, s in reader.sources.items() if s is not None and n in known]
        # a pipeline need not predict discontiguous mentions
        read_of += [Source(apart)] if apart and side != guards.PREDICTIONS else []
        self._stores = any(source.stored for source in read_of)
        self._unread: set[str] = set()
        self._seen: set[str] = set()
        self.coded = self._spans = False

    def _compile(self, slots: Sequence[Slot]) -> None:
        """Compile what reads each slot of spans, and of dicts and objects."""
        given, own = self._reader.sources, self._reader.attributes == ATTRS
        self._template: dict[str, Any] = {slot.name: None for slot in slots}
        self._stored: dict[str, list[tuple[str, Sequence[str], Meanings]]] = {}
        if self._apart:
            self._stored[self._apart] = []
        self._columns, self._keys = list[Column](), list[Column]()
        self._loose: list[tuple[str, Any, Any, Meanings]] = []
        for slot in slots:
            told = {slot.name: Source(f"{ATTRS}.{slot.name}")} if own else {}
            source = {**told, **OF_SPANS, **given}.get(slot.name)
            if source is not None:
                self._columns.append(_column(slot, source))
                self._add_fast(*self._columns[-1])
            key = given.get(slot.name, Source(slot.name))
            if key is not None:
                only_spans = key.root in (EXTENSION, ATTRS)
                self._keys.append(_column(slot, Source(slot.name) if only_spans else key))
        roots = {source.root for _, source, _, _ in self._keys}
        places = {Source(self._reader.fragments or "").root, *_OFFSETS}
        self._keys_read = {*roots, *places, *([NAME] if self._ids else ())} - {""}
        self._of_group = [c for c in self._columns if not own or c[0].name in LABELS]

    def _add_fast(self, slot: Slot, source: Source, read: Any, means: Meanings) -> None:
        """Add what reads a slot of many spans at once."""
        if source.stored:
            usual = paths.step(Span.get_extension(source.stored)[0], source.parts)
            self._template[slot.name] = means.of(usual)
            told = self._stored.setdefault(source.stored, [])
            told.append((slot.name, source.parts, means))
        else:
            plain = source.path == source.root and hasattr(Span, source.root)
            get = attrgetter(source.root) if plain else None
            self._loose.append((slot.name, get, read, means))

    def __iter__(self) -> Iterator[list[Record]]:
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
        """The scored slots that stay at their defaults; not known for dicts and objects."""
        return self._reader.unmapped(self._scored) if self._spans else []

    def _report_unused(self) -> None:
        problem = paths.find_unused_labels(self.getter, self._docs)
        if self._unread:
            keys = listed(sorted(map(shown, self._unread)))
            problem = f"keys of mentions that nothing reads: {keys}"
        asked = [source for source in self._reader.sources.values() if source and source.root]
        absent = {source.root for source in asked} - self._seen - {EXTENSION, ATTRS}
        if self._seen and absent and not problem:
            problem = f"no mention has the keys that are read: {listed(sorted(absent))}"
        if problem:
            warn(f"{self._side}: {problem}")

    def read(self, doc: Any, name: str) -> list[Record] | None:
        """Read the mentions of one document; None if it has none of the span groups."""
        sources = self._find(doc)
        if sources is None:
            return None
        where = guards.place_of_document(name)
        try:
            records = [record for found in sources for record in self._read(found, doc, where)]
        except InputError as error:
            raise guards.placed(error, where) from None
        self.coded = self.coded or any(map(_has_code, records))
        return records

    def _read(self, found: Found, doc: Any, where: str) -> Iterable[Record]:
        if self._reader.tie == ID and found.group is not None:
            return self._read_group(found.group, where)
        items = list(found.items)
        if self._reader.fragments == settings.GROUP:
            if found.group is None:
                raise InputError("fragments='group' needs the names of span groups")
            items = [found.group]
        told = mentions.tell_each(found.group, items)
        if set(map(type, items)) <= {Span}:
            self._spans = self._spans or bool(items)
            records = self._read_spans(found, items, told, doc)
        else:
            records = [
                self._read_item(item, each, doc) for item, each in zip(items, told, strict=True)
            ]
        return records if self._tie is None else self._join(items, told, records)

    def _read_group(self, group: SpanGroup, where: str) -> Iterable[Record]:
        """Read mentions as :func:`set_mentions` writes them."""
        whole = self._reader.attributes == ATTRS
        known = mentions.read_group(group, where, whole=whole)
        if not self._of_group and whole and not self._ids:
            return known.values()
        tied = mentions.spans_by_id(group)
        self._spans = self._spans or bool(tied)
        kept = known if whole else {id_: {SPANS: each[SPANS]} for id_, each in known.items()}
        return [
            {
                **({NAME: id_} if self._ids else {}),
                **kept[id_],
                **{s.name: means.of(read(tied[id_], told)) for s, _, read, means in self._of_group},
            }
            for id_, told in known.items()
        ]

    def _read_spans(
        self, found: Found, spans: Sequence[Span], told: Sequence[Record], doc: Any
    ) -> list[dict[str, Any]]:
        """Read mentions of one span each, slot by slot, which takes a tenth of the time."""
        places = list(map(_offsets, spans))
        stored, apart = self._find_stored(doc) if self._stored else ({}, set())
        usual = self._template
        records = [{**stored.get(place, usual), SPANS: [place]} for place in places]
        for name, get, read, means in self._loose:
            values = list(map(get, spans) if get else map(read, spans, told))
            for record, value in zip(records, means.of_all(values), strict=True):
                record[name] = value
        for span, record in zip(spans, records, strict=True) if self._ids else ():
            record[NAME] = span.id_ or None
        every = not found.own or (self._fragments and not self._apart)
        special = every or apart or any(told)
        for span, each, record in zip(spans, told, records, strict=True) if special else ():
            if every or each or record[SPANS][0] in apart:
                record[SPANS] = self._place(span, each, doc)
        return records

    def _find_stored(self, doc: Doc) -> tuple[dict[Extent, dict[str, Any]], set[Extent]]:
        """Find what extensions hold, by first and last character, and where own fragments are.

        Values are read from the Doc's user data, in a fifteenth of the time of ``span._.name``.
        """
        found: dict[Extent, dict[str, Any]] = defaultdict(self._template.copy)
        apart: set[Extent] = set()
        for key, value in guards.extensions_of(doc):
            for name, parts, means in self._stored.get(key[1], ()):
                found[key[2:]][name] = means.of(paths.step(value, parts) if parts else value)
            if key[1] == self._apart:
                apart.add(key[2:])
        return found, apart

    def _read_item(self, item: Any, told: Record, doc: Any) -> dict[str, Any]:
        """Read a mention that is several spans, a dict or an object."""
        item = item._asdict() if hasattr(item, "_asdict") else item
        of_spans = isinstance(item, (Span, list, tuple, SpanGroup))
        self._spans = self._spans or of_spans
        view = item if of_spans else self._view(item)
        record = {**self._template, SPANS: self._place(view, told, doc)}
        for slot, source, read, means in self._columns if of_spans else self._keys:
            record[slot.name] = means.of(read(item if callable(source.path) else view, told))
        if self._ids:
            record[NAME] = None if of_spans else view.get(NAME)
        return record

    def _view(self, item: Any) -> Mapping[str, Any]:
        """Return a dict or an object as a mapping; refuse names that are not read."""
        if isinstance(item, Mention):
            item = item.as_dict()
        if is_dataclass(item) and not isinstance(item, type):
            item = {part.name: getattr(item, part.name) for part in fields(item)}
        if not isinstance(item, Mapping):
            found = {name: getattr(item, name) for name in self._keys_read if hasattr(item, name)}
            if not found:
                raise InputError(f"expected a mention or a dict, got {shown(item)}")
            return found
        self._seen |= item.keys()
        others = item.keys() - self._keys_read - settings.BESIDE - settings.known_slots().keys()
        if others and not self._reader.attributes:
            raise settings.unknown_slot(min(map(str, others)), known=self._template)
        self._unread |= others
        for slot, source, _, _ in self._keys:
            if slot.default is None and source.root and source.root not in item:
                raise InputError(f"a mention has no {source.root!r}")
        return item

    def _place(self, item: Any, told: Record, doc: Any) -> list[Sequence[int]]:
        """Return the fragments of a mention, sorted."""
        own = item if isinstance(item, Span) else None
        with guards.located("" if own is None else f"span {own.start_char}-{own.end_char}"):
            given = self._fragments(item, told) if self._fragments else None
            if given is not None and not (isinstance(given, Sequence) and not given):
                spans = sort_fragments(self._characters(given, doc))
            elif own is not None:
                exact = mentions.told_fragments(told)
                spans = tuple(exact) if len(exact) == 1 else (guards.place_of(doc, own),)
            else:
                parts = _find_offsets(item) if isinstance(item, Mapping) else item
                spans = sort_fragments(self._characters(parts, doc))
            guards.check_inside(doc, spans)
            if self._fragments and own is not None:
                guards.check_own(own, spans)
        return list(map(list, spans))

    def _characters(self, given: Any, doc: Any) -> list[Sequence[int]]:
        """Return the characters of spans or of pairs of offsets."""
        if isinstance(given, Span):
            return [guards.place_of(doc, given)]
        if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
            raise InputError(f"expected fragments such as [[10, 20], [31, 38]], got {shown(given)}")
        return [
            guards.place_of(doc, part) if isinstance(part, Span)
            else part if self._reader.offsets == "char" else guards.place_of_tokens(part, doc)
            for part in given
        ]  # fmt: skip

    def _join(
        self, items: Sequence[Any], told: Sequence[Record], records: Sequence[Record]
    ) -> Iterator[Record]:
        """Yield mentions, those with equal ties joined to one."""
        joined: dict[Any, list[Record]] = {}
        for at, (item, each, record) in enumerate(zip(items, told, records, strict=True)):
            key = self._tie(item, each) if self._tie else None
            if not isinstance(key, Hashable):
                raise InputError(f"expected a tie that is one value, got {shown(key)}")
            joined.setdefault(at if key in (None, "") else (key,), []).append(record)
        for parts in joined.values():
            spans = sort_fragments(chain.from_iterable(part[SPANS] for part in parts))
            values = {n: paths.agreed([p[n] for p in parts], n) for n in self._template}
            if self._ids:
                values[NAME] = next((part[NAME] for part in parts if part[NAME]), None)
            yield {SPANS: list(map(list, spans)), **values}


def _has_code(record: Record) -> bool:
    code = record.get(CODE)  # whatever it is, which is judged later
    return bool(code) if isinstance(code, (str, list, tuple)) else code is not None


def _column(slot: Slot, source: Source) -> Column:
    return slot, source, paths.compile_path(source.path), Meanings(slot, source)


def _find_offsets(item: Mapping[str, Any]) -> Any:
    """Return what a dict says of where the mention is."""
    for name in _OFFSETS[:2]:
        if item.get(name) is not None:
            return item[name]
    for start, end in (_OFFSETS[2:4], _OFFSETS[4:]):
        if start in item and end in item:
            return [[item[start], item[end]]]
    raise InputError(
        "a mention has no 'spans'", remedy="Say where its fragments are, such as fragments='where'"
    )
