"""Read relations between given mentions: a gold standard with its mentions, and predictions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, called, listed, located, raise_all, shown, warn
from clineval.base.files import Source, find_path
from clineval.base.packed import ending_of
from clineval.formats import jsonl
from clineval.formats.argument_tables import (
    ENTITIES,
    RELATIONS,
    Files,
    Link,
    read_entities,
    read_links,
    read_texts,
)
from clineval.formats.brat import standoff
from clineval.formats.dicts import read_records
from clineval.formats.files import holds
from clineval.formats.given.documents import GivenDocuments
from clineval.formats.given.forms import Items, open_given
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.columns import Side, concatenate
from clineval.kinds.mentions.items import ID
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.kinds.relations.given import UNPLACED, Roles, name_all
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

_ENDS = ("from", "to")
_REMEDY = "Give each document as a dict, or the path of a file"


@dataclass(frozen=True, slots=True)
class GivenFiles:
    """How the files of relations between given mentions are read.

    Args:
        slot: the slot with the labels of mentions.
        labels: the labels of relations.
        roles: the labels of the mentions that relations connect.
        ignored: further labels, whose relations are left out with a warning.
        relations: the patterns of names of files of relations in a folder, the first one first.
        bare: whether a gold standard can be a file of relations without entities.
    """

    slot: Slot
    labels: Sequence[str]
    roles: Roles
    ignored: Sequence[str] = ()
    relations: Sequence[str] = (RELATIONS,)
    bare: bool = False

    def read_gold(self, given: object, entities: Source | None) -> RelatedSide:
        """Read mentions and relations; relations between other mentions are rejected.

        Args:
            given: a folder or a file of tables; brat files; JSON Lines, or a list of dicts with
                ``mentions`` and ``relations``, or of :class:`~clineval.Document`.
            entities: the file of entities beside a file of relations.
        """
        if isinstance(given, (str, os.PathLike)) and self.is_table(given):
            return self._read_tables(Files.find(given, self.relations, entities))
        labels = [*self.labels, *self.ignored]
        related = read_related(given, self.slot, labels, side="references", ids=True)
        named = self.roles.orient(replace(related, side=name_all(related.side)), self.slot.name)
        self._check_roles(named)
        return named

    def _check_roles(self, side: RelatedSide) -> None:
        """Reject relations between mentions with other labels."""
        for row in self.roles.find_misfits(side, self.slot.name)[:1].tolist():
            number = int(side.relations.document[row])
            name = side.side.documents[number] or str(number)
            raise InputError(self._misfit, where=f"references, document {called(name)}")

    @property
    def _misfit(self) -> str:
        source, target = (listed(of) for of in (self.roles.source, self.roles.target))
        return f"a relation does not connect {source} and {target}"

    def read_predictions(self, given: object, gold: Side) -> RelatedSide:
        """Read relations between mentions, which may be ids alone.

        Args:
            given: a file of relations, or anything that a gold standard can be. Dicts may lack
                ``mentions``.
            gold: the documents with the given mentions.
        """
        if isinstance(given, (str, os.PathLike)):
            if self.is_table(given):
                files = Files.find(given, self.relations, None)
                return self._relate(gold, read_links(files.relations))
            if not jsonl.is_jsonl(given, standoff.FILES):
                return read_related(given, self.slot, (), side="predictions", ids=True)
        return open_given(
            given,
            "predictions",
            RelatedSide,
            read_files=_refuse_text,
            read_items=self._read_items,
            read_strings=_refuse_text,
            lines_beside=standoff.FILES,
        )

    def check(self, given: Source, entities: Source | None) -> None:
        """Reject files that are not in the format; a file of relations may be predictions."""
        if self.is_table(given):
            files = Files.find(given, self.relations, entities)
            if files.entities is None:
                self._check_labels(read_links(files.relations))
                return
        self.read_gold(given, entities)

    def is_table(self, given: Source) -> bool:
        """Return whether a path, or a text, is neither brat nor JSON Lines."""
        path = find_path(given, "\t")
        if path is None:
            return not str(given).startswith(("T", "R", "{"))
        if path.is_dir():
            return any(holds(path, pattern) for pattern in (*self.relations, ENTITIES))
        return ending_of(path) not in (".jsonl", ".ann")

    def _read_tables(self, files: Files) -> RelatedSide:
        links = read_links(files.relations)
        self._check_labels(links)
        if files.entities is None and self.bare:
            related = self._relate(Side((), (), _place([], self.slot)), links)
            return self.roles.orient(related, self.slot.name)
        entities = read_entities(files.need_entities())
        numbers = {name: at for at, name in enumerate(dict.fromkeys(e.document for e in entities))}
        entities.sort(key=lambda entity: numbers[entity.document])
        rows = {(of.document, of.id): row for row, of in enumerate(entities)}
        _check_ends(links, rows)
        self._check_links(links, {(of.document, of.id): of.label for of in entities})
        placed = [(numbers[e.document], e.id, e.label, (e.start, e.end)) for e in entities]
        names = tuple(numbers)
        known = read_texts(files.texts)
        texts = tuple(map(known.get, names)) if known else ()
        side = Side(names, names, _place(placed, self.slot), texts)
        return self.roles.orient(RelatedSide(side, _link(links, numbers, rows)), self.slot.name)

    def _check_links(self, links: Iterable[Link], labels: Mapping[tuple[str, str], str]) -> None:
        """Reject relations between entities with other labels."""
        pairs = ((of.where, labels[of.document, of.first], labels[of.document, of.second])
                 for of in links)  # fmt: skip
        wrong = (where for where, *ends in pairs if not self.roles.fit(ends))
        raise_all([InputError(self._misfit, where=where) for where in wrong])

    def _check_labels(self, links: Iterable[Link]) -> None:
        known = {*self.labels, *self.ignored}
        problem = f"label: expected one of {', '.join(self.labels)}"
        raise_all([InputError(problem, where=o.where) for o in links if o.label not in known])

    def _relate(self, gold: Side, links: Sequence[Link]) -> RelatedSide:
        """Return relations between ids; their documents follow those of the gold standard."""
        known = dict.fromkeys([*(gold.keys or gold.documents), *(link.document for link in links)])
        numbers = {name: number for number, name in enumerate(known)}
        ends = {(of.document, end) for of in links for end in of[3:]}
        named = sorted(ends, key=lambda end: (numbers[end[0]], end[1]))
        rows = {end: row for row, end in enumerate(named)}
        placed = [(numbers[name], id_, "", UNPLACED) for name, id_ in named]
        names = tuple(known)
        side = Side(names, names, _place(placed, self.slot))
        return RelatedSide(side, _link(links, numbers, rows))

    def _read_items(self, items: Items) -> RelatedSide:
        """Read dicts and objects; relations may have any label, and ends that are no mentions."""
        documents = GivenDocuments.of(items, needed="")
        read = read_records(
            documents.mentions,
            [self.slot],
            names=documents.names or (),
            side=items.side,
            unread=frozenset({"cui"}),
            places=items.places,
        )
        side = documents.finish(read)
        ids = [str(of.get("id") or "") for known in documents.mentions for of in known]
        slots = {self.slot.name: side.mentions.attributes[self.slot.name], ID.name: Coded.of(ids)}
        side = replace(side, mentions=replace(side.mentions, attributes=slots))
        links = [
            link
            for number, related in enumerate(documents.relations)
            for link in _read_links(related, str(number), documents.place.document(number))
        ]
        return add_ends(side, links, self.slot)


def add_ends(side: Side, links: Sequence[Link], slot: Slot) -> RelatedSide:
    """Return relations between mentions by their ids, and add mentions without a place.

    Args:
        side: the mentions, with ids.
        links: the relations in the order of documents, with the number of each document.
        slot: the slot with the labels of mentions.
    """
    own = side.mentions
    column = own.attributes[ID.name]
    ids = [column.values[at] for at in column.ids.tolist()]
    keys = list(zip(map(str, own.document.tolist()), ids, strict=True))
    rows = {key: row for row, key in reversed(list(enumerate(keys))) if key[1]}
    ends = dict.fromkeys((link.document, end) for link in links for end in link[3:])
    new = [end for end in ends if end not in rows]
    added = _place([(int(document), id_, "", UNPLACED) for document, id_ in new], slot)
    rows |= {end: len(own) + at for at, end in enumerate(new)}
    both = concatenate([own, added])
    order = np.argsort(both.document, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    numbers = {str(number): number for number in range(len(side.documents))}
    moved = {end: int(places[row]) for end, row in rows.items()}
    return RelatedSide(replace(side, mentions=both.take(order)), _link(links, numbers, moved))


def warn_of_unknown(side: RelatedSide, labels: Sequence[str]) -> None:
    """Warn about predictions with a label that relations cannot have."""
    of = side.relations.label
    unknown = np.array([value not in labels for value in of.values], np.bool_)
    warn(
        "{n} {relation has|relations have} an unknown label, and {counts|count} as wrong",
        n=int(unknown[of.ids].sum()),
    )


def _refuse_text(_given: object) -> RelatedSide:
    problem = "expected documents as dicts, or strings of JSON, got other text"
    raise InputError(problem, where="predictions", remedy=_REMEDY)


def _check_ends(links: Iterable[Link], rows: Mapping[tuple[str, str], int]) -> None:
    raise_all([
        InputError(f"{name}: the document has no entity with this id", where=link.where)
        for link in links
        for name, end in (("first id", link.first), ("second id", link.second))
        if (link.document, end) not in rows
    ])  # fmt: skip


def _place(rows: Sequence[tuple[int, str, str, tuple[int, int]]], slot: Slot) -> MentionColumns:
    """Build mentions from document, id, label and span."""
    documents, ids, labels, spans = zip(*rows, strict=True) if rows else ((), (), (), ())
    slots = {slot.name: Coded.of(labels), ID.name: Coded.of(ids)}
    return MentionColumns.of(documents, [[span] for span in spans], slots)


def _link(
    links: Sequence[Link], numbers: Mapping[str, int], rows: Mapping[tuple[str, str], int]
) -> RelationColumns:
    """Build relations from the numbers of documents, and the rows of mentions."""
    first, second = (
        np.array([rows[of.document, end] for of, end in zip(links, ends, strict=True)], np.int64)
        for ends in ([of.first for of in links], [of.second for of in links])
    )
    documents = np.array([numbers[of.document] for of in links], np.int32)
    return RelationColumns(documents, Coded.of([of.label for of in links]), first, second)


def _read_links(related: Sequence[object], document: str, where: str) -> Iterator[Link]:
    for at, relation in enumerate(related):
        place = f"{where}, relation {at}"
        yield located(place, partial(_read_link, relation, document, place))


def _read_link(relation: object, document: str, place: str) -> Link:
    if not isinstance(relation, Mapping):
        raise InputError(f"expected a dict, got {shown(relation)}")
    label, *ends = (relation.get(key) for key in ("label", *_ENDS))
    if relation.keys() != {"label", *_ENDS}:
        raise InputError("expected 'label', 'from' and 'to'")
    if not all(isinstance(value, str) and value for value in (label, *ends)):
        raise InputError("expected strings as 'label', 'from' and 'to'")
    return Link(place, document, str(label), str(ends[0]), str(ends[1]))
