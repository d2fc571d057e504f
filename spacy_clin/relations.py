"""Relations between the mentions of a Doc.

:func:`~spacy_clin.set_mentions` keeps them in ``attrs["relations"]`` of the span group, where ends
are ids of mentions; other components keep them where the reader's settings say, and their ends may
be spans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from spacy.tokens import Doc, Span

from clineval.errors import InputError, shown
from clineval.mentions.mention import Document, Mention, Relation
from clineval.views import DocView
from spacy_clin.guards import located, place_of
from spacy_clin.paths import EXTENSION, compile_doc_path
from spacy_clin.span_group import KEY, LABELS, NAME, RELATIONS, SPANS, Record

ENDS = ("from", "to")
_PARTS = ("label", "source", "target")
"""What objects call the parts of a relation."""
_USUAL = f"{EXTENSION}.{RELATIONS}"


def get_relations(doc: Doc, *, key: str = KEY) -> list[Relation]:
    """The relations that :func:`set_mentions` wrote."""
    group = doc.spans.get(key)
    told = () if group is None else group.attrs.get(RELATIONS, ())
    return [Relation.from_dict(relation) for relation in told]


def read_relation(given: Any, where: str) -> dict[str, Any]:
    """A relation as a dict, whose ends may be ids or spans.

    Raises:
        InputError: what is no relation.

    Examples:
        >>> read_relation(("ADE-Drug", "T2", "T1"), "")
        {'label': 'ADE-Drug', 'from': 'T2', 'to': 'T1'}
    """
    if all(hasattr(given, name) for name in _PARTS):
        given = [getattr(given, name) for name in _PARTS]
    if isinstance(given, (list, tuple)) and len(given) == len(ENDS) + 1:
        given = dict(zip((LABELS[1], *ENDS), given, strict=True))
    if not isinstance(given, Mapping) or given.keys() != {LABELS[1], *ENDS}:
        raise InputError(
            f"expected a relation, got {shown(given)}",
            where=where,
            remedy="Give a dict with 'label', 'from' and 'to', a tuple of these three, or an "
            "object with label, source and target",
        )
    if not isinstance(given[LABELS[1]], str):
        raise InputError(f"label: expected a string, got {shown(given[LABELS[1]])}", where=where)
    for end in ENDS:
        if not isinstance(given[end], (str, Span)):
            raise InputError(
                f"{end}: expected the id of a mention or a span, got {shown(given[end])}",
                where=where,
            )
    return dict(given)


class RelationReading:
    """The relations of documents whose mentions were read.

    Args:
        given: where they are, as :class:`~spacy_clin.Reader` has it.
        view: the span group, and what relations go between.
    """

    def __init__(self, given: Any, view: DocView) -> None:
        self._view = view
        path = given or (_USUAL if Doc.has_extension(RELATIONS) else None)
        self._find = path if path is None or callable(path) else compile_doc_path(path)
        self._told = given is None
        self.found = False

    def read(
        self, doc: Any, name: str, records: Sequence[Record], mentions: Sequence[dict[str, Any]]
    ) -> Document:
        """A document with relations.

        Args:
            doc: the Doc.
            name: its name.
            records: what was read of it.
            mentions: the same without ids.

        Raises:
            InputError: what is no relation, or an end that is no mention or several.
        """
        ends, where = _Ends(doc, records), f"document {name}"
        related: list[Relation] = []
        for number, each in enumerate(self._items(doc)):
            place = f"{where}, relation {number}"
            relation = read_relation(each, place)
            first, second = (self._name(relation[end], ends, end, place) for end in ENDS)
            related.append(Relation(relation["label"], first, second))
        named = ({NAME: id_, **m} for id_, m in zip(ends.ids, mentions, strict=True))
        return Document(name, map(Mention.from_dict, named), doc.text, related)

    def _items(self, doc: Any) -> Sequence[Any]:
        group = doc.spans.get(self._view.group) if isinstance(doc, Doc) and self._told else None
        own = None if group is None else group.attrs.get(RELATIONS)
        self.found = self.found or own is not None or self._find is not None
        return list(own or (self._find(doc) if self._find else None) or ())

    def _name(self, given: Any, ends: _Ends, end: str, where: str) -> str:
        """What a relation calls an end: the id of a mention, or the value of its slot."""
        slot = self._view.relations
        with located(f"{where}, {end}"):  # a span may be of another text
            row = ends.find(given)
        if len(row) == 1:
            value = ends.ids[row[0]] if slot == NAME else ends.records[row[0]].get(slot)
            if isinstance(value, str):
                return value
            raise InputError(f"{end}: the mention has no {slot}", where=where)
        if not row and slot != NAME and isinstance(given, str):
            return given
        problem = f"{len(row)} mentions are that" if row else "there is no such mention"
        raise InputError(
            f"{end}: {problem}", where=where, remedy="Give ids to mentions, and these to relations"
        )


class _Ends:
    """The mentions of a document by what relations call them."""

    def __init__(self, doc: Any, records: Sequence[Record]) -> None:
        self._doc = doc
        self.records = records
        given = [id_ if isinstance(id_ := record[NAME], str) else None for record in records]
        times = Counter(given)
        fresh = (f"T{n}" for n in count(1) if f"T{n}" not in times)
        once = {id_ for id_, number in times.items() if id_ and number == 1}
        self.ids = [id_ if id_ in once else next(fresh) for id_ in given]
        self._by_id = _group(zip(given, count(), strict=False))
        self._by_place = _group(
            (place, row)
            for row, record in enumerate(records)
            for place in {*map(tuple, record[SPANS]), (record[SPANS][0][0], record[SPANS][-1][1])}
        )

    def find(self, given: Any) -> Sequence[int]:
        """The mentions of an id, or those that a span is, or is a fragment of."""
        if isinstance(given, str):
            return self._by_id.get(given, ())
        rows = self._by_place.get(place_of(self._doc, given), ())
        own = self._by_id.get(given.id_, ()) if given.id_ else ()
        rows = [row for row in rows if row in own] or rows or own
        labels = [row for row in rows if given.label_ in map(self.records[row].get, LABELS)]
        return labels or rows


def _group(pairs: Iterable[tuple[Any, int]]) -> dict[Any, list[int]]:
    grouped: dict[Any, list[int]] = {}
    for key, row in pairs:
        grouped.setdefault(key, []).append(row)
    return grouped
