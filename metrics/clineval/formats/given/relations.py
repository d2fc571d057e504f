"""Read documents with mentions and relations, from files or Python, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, shown, warn
from clineval.formats.brat.attributes import Values
from clineval.formats.brat.columns import NO_ADVICE, Unread, read_files, read_nothing
from clineval.formats.brat.standoff import FILES, Standoff, TextBound, open_files
from clineval.formats.dict_spans import Place
from clineval.formats.dicts import read_records
from clineval.formats.files import open_strings
from clineval.formats.given.documents import Convert, GivenDocuments
from clineval.formats.given.forms import Items, open_given
from clineval.kinds.mentions.items import ID, QUOTE
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.results.columns import MentionColumns
from clineval.results.slots import ANY, Slot

_KEYS = {"label", "from", "to"}
_OTHERS = Slot(ANY, "free")
_UNREAD = frozenset({"cui"})
"""Keys of mentions that are ignored: the codes of brat's files, which are not scored."""


def read_related(  # noqa: PLR0913 - all of them differ between challenges
    given: object,
    slot: Slot,
    labels: Sequence[str],
    *,
    side: str,
    ids: bool = False,
    quotes: bool = False,
    free: Unread | None = None,
) -> RelatedSide:
    """Read one side; the challenge's own format is brat.

    Args:
        given: a path of brat's files or of JSON Lines; one string of brat's lines; a list with an
            item for each document; or a side that has been read. An item is a dict with
            ``mentions`` and ``relations``, a list of mentions, a :class:`~clineval.Document`, or
            a string of brat's lines or of JSON.
        slot: the slot with the label of a mention.
        labels: the labels that relations can have; empty for any.
        side: ``predictions`` or ``references``, for messages.
        ids: whether to read the ids of mentions into the slot :data:`ID`.
        quotes: whether to read the words of mentions into the slot :data:`QUOTE`.
        free: how the warnings about ignored annotations end, to read relations of any scheme from
            brat's files (:mod:`clineval.formats.brat.free_links`), and to ignore all slots of
            mentions except ``slot``; None to reject other slots.
    """
    parts = [*([ID] if ids else []), *([QUOTE] if quotes else [])]
    slots = [slot, *parts]
    read = partial(
        read_files,
        slots=partial(_read_parts, parts) if parts else read_nothing,
        free=free is not None,
        unread=free or NO_ADVICE,
    )

    def read_documents(items: Items) -> RelatedSide:
        if free is None:
            return read_items(items, slots, labels)
        return _drop_slots(read_items(items, [*slots, _OTHERS], labels), slots, free)

    return open_given(
        given,
        side,
        RelatedSide,
        read_files=lambda source: read(open_files(source), slot, labels),
        read_items=read_documents,
        read_strings=lambda strings: read(open_strings(strings), slot, labels),
        lines_beside=FILES,
    )


def read_items(
    items: Items,
    slots: Sequence[Slot],
    labels: Sequence[str],
    *,
    loops: bool = False,
    convert: Convert | None = None,
) -> RelatedSide:
    """Read dicts of mentions and relations, lists of mentions, or objects.

    Args:
        items: the documents.
        slots: the slots of mentions, with :data:`ID` and :data:`QUOTE` to read their ids and words.
        labels: the labels that relations can have; empty for any.
        loops: whether a relation can connect a mention with itself.
        convert: converts other dicts to documents of mentions and relations; None for none.
    """
    documents = GivenDocuments.of(items, convert=convert)
    place, records = documents.place, list(documents.mentions)
    read = read_records(
        records,
        [slot for slot in slots if slot not in _PARTS],
        names=documents.names or (),
        side=items.side,
        unread=_UNREAD,
        places=items.places,
    )
    side = documents.finish(read)
    if side.texts:
        _check_offsets(side.mentions, side.texts, place)
    relations = _read_relations(records, documents.relations, labels, place, loops=loops)
    mentions = [mention for known in records for mention in known]
    for slot in _PARTS.keys() & {*slots}:
        values = [mention.get(slot.name) or "" for mention in mentions]
        attributes = {**side.mentions.attributes, slot.name: Coded.of(list(map(str, values)))}
        side = replace(side, mentions=replace(side.mentions, attributes=attributes))
    return RelatedSide(side, relations)


def _drop_slots(related: RelatedSide, kept: Sequence[Slot], unread: Unread) -> RelatedSide:
    """Keep some slots of the mentions; a warning names the others."""
    mentions = related.side.mentions
    names = {slot.name for slot in kept}
    others = sorted(mentions.attributes.keys() - names)
    warn("{n} {slot|slots} of mentions ({names}) {is|are} ignored" + unread.attributes, others)
    attributes = {name: of for name, of in mentions.attributes.items() if name in names}
    side = replace(related.side, mentions=replace(mentions, attributes=attributes))
    return replace(related, side=side)


_PARTS: Mapping[Slot, Callable[[str, TextBound], str]] = {
    ID: lambda id_, _: id_,
    QUOTE: lambda _, mention: mention.words,
}
"""The parts of mentions that are not annotated, and how to read them from brat's files."""


def _read_parts(parts: Sequence[Slot], standoff: Standoff) -> Values:
    """Read ids or words of a file's mentions as slots."""
    return {
        slot.name: {id_: _PARTS[slot](id_, mention) for id_, mention in standoff.mentions.items()}
        for slot in parts
    }


def _check_offsets(mentions: MentionColumns, texts: Sequence[str | None], place: Place) -> None:
    """Reject mentions outside the text of their document, if it is known."""
    sizes = np.array([np.iinfo(np.int64).max if t is None else len(t) for t in texts], np.int64)
    beyond = np.flatnonzero(mentions.ends > sizes[mentions.document[mentions.owners]])
    if len(beyond):
        row = int(mentions.owners[beyond[0]])
        raise InputError(
            f"offset {mentions.ends[beyond[0]]} is outside the text, which has "
            f"{sizes[mentions.document[row]]} characters",
            where=place.mention(row),
        )


def _read_relations(
    mentions: Sequence[Sequence[Mapping[str, object]]],
    relations: Sequence[Sequence[object]],
    labels: Sequence[str],
    place: Place,
    *,
    loops: bool,
) -> RelationColumns:
    """Read relations; their arguments are the ids of mentions."""
    first = 0
    found: list[str] = []
    ends: list[tuple[int, int]] = []
    for number, (document, related) in enumerate(zip(mentions, relations, strict=True)):
        where = place.document(number)
        rows = _number_ids(document, first, where) if related else {}
        for within, relation in enumerate(related):
            label, source, target = _read_link(
                relation, rows, labels, f"{where}, relation {within}", loops=loops
            )
            found.append(label)
            ends.append((rows[source], rows[target]))
        first += len(document)
    return RelationColumns.of(list(map(len, relations)), found, ends)


def _number_ids(
    document: Sequence[Mapping[str, object]], first: int, where: str
) -> dict[object, int]:
    ids = [mention.get("id") for mention in document]
    if not {str, type(None)}.issuperset(map(type, ids)):
        raise InputError("expected a string as 'id' of every mention", where=where)
    rows = {id_: row for row, id_ in enumerate(ids, first) if id_ is not None}
    if len(rows) + ids.count(None) < len(ids):
        raise InputError("two mentions have the same 'id'", where=where)
    return rows


def _read_link(
    relation: object,
    rows: Mapping[object, int],
    labels: Sequence[str],
    where: str,
    *,
    loops: bool,
) -> tuple[str, str, str]:
    """Return label, source and target of a relation, each end as the id of a mention."""
    if not isinstance(relation, Mapping):
        raise InputError(f"expected a dict, got {shown(relation)}", where=where)
    if relation.keys() != _KEYS:
        raise InputError("expected 'label', 'from' and 'to'", where=where)
    label, source, target = relation["label"], relation["from"], relation["to"]
    if not isinstance(label, str) or not (
        label in labels if labels else label.isprintable() and label.strip()
    ):
        wanted = f"one of {', '.join(labels)}" if labels else "a label in printable characters"
        raise InputError(f"label: expected {wanted}", where=where)
    for name, end in (("from", source), ("to", target)):
        if not isinstance(end, str) or end not in rows:
            raise InputError(f"{name}: no mention has this id", where=where)
    if source == target and not loops:
        raise InputError("the relation connects a mention with itself", where=where)
    return label, source, target
