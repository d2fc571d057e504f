"""Read and write mentions of Docs and the relations between them.

:func:`~spacy_clin.set_mentions` stores relations in ``attrs["relations"]`` of the span group, with
ids of mentions as ends. Other components store them elsewhere, as the reader's settings define,
and their ends may be spans.
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
from clineval.kinds.mentions import columns
from clineval.kinds.mentions.mention import Document, Mention, Relation
from clineval.results.challenge import Challenge
from clineval.results.slots import ANY, Slot
from clineval.results.views import DocView
from spacy_clin import settings
from spacy_clin.annotation import Annotation, Files, Notes, Parsed, Seen, Side, copy_of
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
    """Mentions with slots, and the relations between them."""

    presets = PRESETS
    in_entities = True

    @property
    def in_columns(self) -> bool:
        """Whether the challenge takes columns instead of documents."""
        return self.view.take is None

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
        """Return documents with mentions."""
        return self._documents(side, self._open(side))[0]

    def _documents(
        self, side: Side, found: Iterable[Sequence[Record]]
    ) -> tuple[list[Document], bool]:
        """Return the documents, and whether there are relations in a challenge that has them."""
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
        """Return a mention for files: with its label, and a code if it has one."""
        code, plain = record.get(CODE), self._plain(record, config)
        return {**plain, CODE: code} if code and self._labelled else plain

    def _plain(self, record: Record, config: str) -> dict[str, object]:
        """Return a mention in the module's form, as a copy that shares nothing with the Doc."""
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
        """The challenge, if its files have labels and no codes; otherwise None."""
        classes = self.challenge.kind.class_slot
        return self.challenge if classes and classes.name in LABELS else None

    def read(self, side: Side) -> object:
        """Return the input of the evaluate module."""
        if self.view.take is not None:
            return self.view.take(self.objects(side))
        found = self._open(side)
        return [[self._plain(record, side.config) for record in records] for records in found]

    def read_side(self, side: Side) -> tuple[object, Seen]:
        """Return columns, which do not need dicts of all mentions at once."""
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

    def name_read(self, found: object, notes: Notes) -> object:
        """Add the names of documents, and to columns their texts and languages too."""
        if isinstance(found, columns.Side):
            names = tuple(notes.names)
            return replace(
                found,
                documents=names,
                keys=names if notes.named else None,
                texts=tuple(notes.texts),
                languages=tuple(notes.languages) if any(notes.languages) else (),
            )
        if isinstance(found, list) and not notes.named:
            return [
                replace(each, id=None) if isinstance(each, Document) else each for each in found
            ]
        return found

    def keep(self, reader: Reader, doc: Doc, name: str) -> None:
        """Write the annotation that a reader finds to the span group."""
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
        """Parse documents in any format for mentions."""
        known = files.format or convert.find_format(files.path, self.view.format)
        described = convert.list_formats().get(known)  # None for an unknown format
        needed = files.texts if described and described.needs_texts else None
        for document in convert.read_documents(files.path, known, self._labelled, needed):
            yield str(document.id), document.text, document

    def write_files(self, side: Side, files: Files) -> None:
        """Write the annotation that a reader finds to files."""
        self._write(self.objects(side), files)

    def _write(self, documents: Sequence[Document], files: Files) -> None:
        usual = "jsonl" if files.path.suffix == ".jsonl" else self.view.format
        convert.write_documents(documents, files.path, files.format or usual, self._labelled)


class AcronymAnnotation(MentionAnnotation):
    """Abbreviations, with given spans."""

    presets = ACRONYMS
    in_entities = False

    def _write(self, documents: Sequence[Document], files: Files) -> None:
        """Write lines; these cannot contain documents without abbreviations."""
        super()._write(
            [document for document in documents if document.mentions] or documents, files
        )


class RelationReading:
    """Reads the relations of documents after their mentions.

    ``given`` is the place of the relations, as in :class:`~spacy_clin.Reader`. ``view`` names the
    span group and the slot that identifies the ends of relations.
    """

    def __init__(self, given: Path | None, view: DocView) -> None:
        self._view, self._own_group = view, given is None
        path = given or (_USUAL if Doc.has_extension(RELATIONS) else None)
        self._find = compile_doc_path(path) if isinstance(path, str) else path

    def read(
        self, doc: Doc, name: str, records: Sequence[Record], mentions: Iterable[Record]
    ) -> tuple[Document, bool]:
        """Return a document with relations, and whether its relations are annotated.

        ``records`` are its mentions with ids, ``mentions`` the same without ids. The second value
        is true if it has relations, or if its span group states that it has none.
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
        """Return the relations; None if there are none and the span group does not state that."""
        looked = self._own_group and isinstance(doc, Doc)
        group = doc.spans.get(self._view.group) if looked else None
        told = None if group is None else tell_list(group, RELATIONS)
        given = told or (self._find(doc) if self._find else None)
        found = [] if given is None else list(as_items(given, "a list of relations"))
        return found if found or told is not None else None

    def _name(self, given: str | Span, ends: _Ends, end: str) -> str:
        """Return the name of a relation's end: the id of a mention, or the value of its slot."""
        slot = self._view.relations
        with located(end):  # a span may belong to another text
            row = ends.find(given)
        if len(row) == 1:
            value = ends.ids[row[0]] if slot == NAME else ends.records[row[0]].get(slot)
            if isinstance(value, str):
                return value
            raise InputError(f"{end}: the mention has no {slot}")
        if not row and slot != NAME and isinstance(given, str):
            return given
        problem = f"{len(row)} mentions match it" if row else "no mention matches it"
        raise InputError(f"{end}: {problem}", remedy="Give mentions ids, and use them in relations")


class _Ends:
    """The mentions of a document by the names that relations use."""

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
        """Find the mentions with an id, or those that contain a span as a fragment."""
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
