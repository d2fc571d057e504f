"""Mentions of Docs, and relations between them, read and written.

:func:`~spacy_clin.set_mentions` keeps them in ``attrs["relations"]`` of the span group, where ends
are ids of mentions; other components keep them where the reader's settings say, and their ends may
be spans.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from spacy.tokens import Doc, Span

from clineval.base.errors import InputError
from clineval.evaluation import convert
from clineval.formats.dicts import Record, read_records
from clineval.kinds.mentions.mention import Document, Mention, Relation
from clineval.results.challenge import Challenge
from clineval.results.slots import ANY, Slot
from clineval.results.views import DocView
from spacy_clin import settings
from spacy_clin.annotation import Annotation, Files, Parsed, Seen, Side, copy_of
from spacy_clin.guards import (
    LANGUAGE,
    PREDICTIONS,
    as_items,
    get_language,
    located,
    place_of_document,
    report_lacking,
    tell_list,
)
from spacy_clin.mentions import ENDS, read_relation, set_mentions
from spacy_clin.paths import EXTENSION, Path, compile_doc_path
from spacy_clin.places import place_of
from spacy_clin.presets import ACRONYMS, PRESETS
from spacy_clin.reader import Reading
from spacy_clin.settings import CODE, LABELS, NAME, OF_SPANS, RELATIONS, SPANS, Reader

_USUAL = f"{EXTENSION}.{RELATIONS}"


class MentionAnnotation(Annotation):
    """Mentions with slots, and relations between them."""

    presets = PRESETS
    in_entities = True

    def _open(self, side: Side) -> Reading:
        kind = self.challenge.kind_of(side.config)
        slots, scored = list(self.view.slots(side.config)), kind.slots(side.config)
        if kind.free:
            known = {*OF_SPANS, *(slot.name for slot in slots)}
            read = (name for name, source in side.reader.sources.items() if source)
            slots += [Slot(name, "free") for name in read if name not in known]
        return Reading(
            side.reader, side.docs, slots, scored=scored, side=side.side, key=self.view.group,
            names=side.names, ids=bool(self.view.relations),
        )  # fmt: skip

    def objects(self, side: Side) -> Sequence[Document]:
        """Return documents of mentions."""
        return self._documents(side, self._open(side))[0]

    def _documents(
        self, side: Side, found: Iterable[Sequence[Record]]
    ) -> tuple[list[Document], bool]:
        """Return what was read, and whether relations were found where the challenge has them."""
        relate = RelationReading(side.reader.relations, self.view) if self.view.relations else None
        documents, related = [], False
        for doc, name, records in zip(side.docs, side.names, found, strict=True):
            mentions = [self._with_code(record, side.config) for record in records]
            if relate:
                document, any_related = relate.read(doc, name, records, mentions)
                related = related or any_related
            else:
                document = Document(name, map(Mention.from_dict, mentions), doc.text)
            documents.append(replace(document, language=get_language(doc)))
        return documents, related

    def _with_code(self, record: Record, config: str) -> dict[str, object]:
        """Return a mention as files have it: labelled ones can have a code beside their label."""
        code, plain = record.get(CODE), self._plain(record, config)
        return {**plain, CODE: code} if code and self._labelled else plain

    def _plain(self, record: Record, config: str) -> dict[str, object]:
        """Return a mention as the evaluate module takes it, apart from what a Doc holds."""
        slots = {slot.name: slot for slot in self.view.slots(config)}
        if settings.is_free(self.challenge):
            others = record.keys() - settings.BESIDE - {SPANS, *OF_SPANS}
            slots |= {name: Slot(name, "free") for name in sorted(others)}
        for name in record.keys() - slots.keys() - settings.known_slots().keys():
            if name not in settings.BESIDE and name != SPANS:
                raise settings.unknown_slot(name, known=slots)
        kept: dict[str, object] = {SPANS: list(map(list, record[SPANS]))}
        for name, value in record.items():
            slot = slots.get(name)
            if name == "cues" or (slot and (value is not None or slot.kind == "code")):
                kept[name] = copy_of(slot.word(value) if slot else value)
        return kept

    @property
    def _labelled(self) -> Challenge | None:
        """The challenge, where its files have labels and no codes."""
        classes = self.challenge.kind.class_slot
        return self.challenge if classes and classes.name in LABELS else None

    def read(self, side: Side) -> object:
        """Return what the evaluate module takes."""
        if self.view.take is not None:
            return self.view.take(self.objects(side))
        found = self._open(side)
        return [[self._plain(record, side.config) for record in records] for records in found]

    def read_side(self, side: Side) -> tuple[object, Seen]:
        """Return columns, which need no dicts of all mentions at once."""
        reading, related = self._open(side), False
        found: object
        if self.view.take is not None:
            documents, related = self._documents(side, reading)
            found = self.view.take(documents)
        else:
            free = [Slot(ANY, "free")] if settings.is_free(self.challenge) else []
            found = read_records(
                reading,
                [*self.view.slots(side.config), *free],
                names=side.names,
                side=side.side,
                unread={*OF_SPANS} if free else settings.known_slots().keys(),
            )
        return found, Seen(reading.any, reading.coded, related, reading.unmapped)

    def keep(self, reader: Reader, doc: Doc, name: str) -> None:
        """Write what a reader finds to the span group."""
        side = Side([doc], [name], reader)
        reading = self._open(side)
        found = reading.read(doc, name)
        if found is None:
            report_lacking(reading.getter, [doc], [0], PREDICTIONS)
        [document], _ = self._documents(side, [found or []])
        self.write(doc, document, name)

    def write(self, doc: Doc, found: Document, name: str) -> None:
        """Write mentions and relations."""
        related = (found.relations or None) if self.view.relations else None
        group = set_mentions(
            doc, found.mentions, key=self.view.group, document=name, relations=related
        )
        if found.language:
            group.attrs[LANGUAGE] = found.language

    def parse(self, files: Files) -> Iterator[Parsed]:
        """Parse documents in any format of mentions."""
        known = files.format or convert.find_format(files.path, self.view.format)
        described = convert.list_formats().get(known)  # which an unknown format is not
        needed = files.texts if described and described.needs_texts else None
        for document in convert.read_documents(files.path, known, self._labelled, needed):
            yield str(document.id), document.text, document

    def write_files(self, side: Side, files: Files) -> None:
        """Write files of what a reader finds."""
        self._write(self.objects(side), files)

    def _write(self, documents: Sequence[Document], files: Files) -> None:
        usual = "jsonl" if files.path.suffix == ".jsonl" else self.view.format
        convert.write_documents(documents, files.path, files.format or usual, self._labelled)


class AcronymAnnotation(MentionAnnotation):
    """Abbreviations, whose spans are given."""

    presets = ACRONYMS
    in_entities = False

    def _write(self, documents: Sequence[Document], files: Files) -> None:
        """Write lines, in which a document without any abbreviation does not exist."""
        super()._write(
            [document for document in documents if document.mentions] or documents, files
        )


class RelationReading:
    """The relations of documents whose mentions were read.

    ``given`` says where they are, as :class:`~spacy_clin.Reader` has it; ``view`` is the span
    group, and what relations go between.
    """

    def __init__(self, given: Path | None, view: DocView) -> None:
        self._view, self._own_group = view, given is None
        path = given or (_USUAL if Doc.has_extension(RELATIONS) else None)
        self._find = compile_doc_path(path) if isinstance(path, str) else path

    def read(
        self, doc: Doc, name: str, records: Sequence[Record], mentions: Iterable[Record]
    ) -> tuple[Document, bool]:
        """Return a document with relations, from what was read of it with ids and without.

        The second value tells whether it has relations, or its span group says that it has none.
        Each end of a relation must be exactly one mention.
        """
        ends = _Ends(doc, records)
        related: list[Relation] = []
        items = self._items(doc)
        for number, each in enumerate(items or ()):
            with located(f"{place_of_document(name)}, relation {number}"):
                relation = read_relation(each)
                first, second = (self._name(relation[end], ends, end) for end in ENDS)
            related.append(Relation(str(relation["label"]), first, second))
        named = ({NAME: id_, **m} for id_, m in zip(ends.ids, mentions, strict=True))
        document = Document(name, map(Mention.from_dict, named), doc.text, related)
        return document, items is not None

    def _items(self, doc: Doc) -> Sequence[object] | None:
        """Return the relations; None if there are none, and the span group does not say so."""
        looked = self._own_group and isinstance(doc, Doc)
        group = doc.spans.get(self._view.group) if looked else None
        told = None if group is None else tell_list(group, RELATIONS)
        given = told or (self._find(doc) if self._find else None)
        found = [] if given is None else list(as_items(given, "a list of relations"))
        return found if found or told is not None else None

    def _name(self, given: str | Span, ends: _Ends, end: str) -> str:
        """Return how a relation names an end: the id of a mention, or the value of its slot."""
        slot = self._view.relations
        with located(end):  # a span may be of another text
            row = ends.find(given)
        if len(row) == 1:
            value = ends.ids[row[0]] if slot == NAME else ends.records[row[0]].get(slot)
            if isinstance(value, str):
                return value
            raise InputError(f"{end}: the mention has no {slot}")
        if not row and slot != NAME and isinstance(given, str):
            return given
        problem = f"{len(row)} mentions are that" if row else "there is no such mention"
        raise InputError(f"{end}: {problem}", remedy="Give ids to mentions, and these to relations")


class _Ends:
    """The mentions of a document by what relations call them."""

    def __init__(self, doc: Doc, records: Sequence[Record]) -> None:
        self._doc, self.records = doc, records
        given = [id_ if isinstance(id_ := record[NAME], str) else None for record in records]
        times = Counter(given)
        fresh = (f"T{n}" for n in count(1) if f"T{n}" not in times)
        self.ids = [id_ if id_ and times[id_] == 1 else next(fresh) for id_ in given]
        self._by_id = _group(zip(given, count(), strict=False))
        self._by_place = _group(
            (place, row)
            for row, record in enumerate(records)
            for place in {*map(tuple, record[SPANS]), (record[SPANS][0][0], record[SPANS][-1][1])}
        )

    def find(self, given: str | Span) -> Sequence[int]:
        """Find the mentions of an id, or those that a span is, or is a fragment of."""
        if isinstance(given, str):
            return self._by_id.get(given, ())
        rows = self._by_place.get(place_of(self._doc, given), ())
        own = self._by_id.get(given.id_, ()) if given.id_ else ()
        rows = [row for row in rows if row in own] or rows or own
        labels = [row for row in rows if given.label_ in map(self.records[row].get, LABELS)]
        return labels or rows


def _group(pairs: Iterable[tuple[object, int]]) -> Mapping[object, Sequence[int]]:
    grouped: dict[object, list[int]] = defaultdict(list)
    for key, row in pairs:
        grouped[key].append(row)
    return grouped
