"""Read events of any types from brat's files, JSON Lines, dicts or Documents.

In mentions with relations, a mention is a trigger if its label is a type of events. The types are
the labels of mentions from which relations lead, unless they are given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from clineval.base.arrays import BoolArray, find_first, is_iterable
from clineval.formats.brat.free_events import read_event_files
from clineval.formats.brat.standoff import FILES, open_files
from clineval.formats.files import TextFile, open_strings
from clineval.formats.given.forms import Items, open_given
from clineval.formats.given.nested_events import Given, flatten, is_nested
from clineval.formats.given.relations import read_items
from clineval.kinds.events.found import NO_SCORERS, Scorers, Stated, build_events
from clineval.kinds.events.units import LABEL, NO_VALUE, EventSide
from clineval.kinds.mentions.mention import Document, Mention, Trigger
from clineval.kinds.relations.columns import RelatedSide
from clineval.results.columns import MentionColumns
from clineval.results.scheme import Scheme, has_label
from clineval.results.slots import ANY, Slot

_OPEN = Scheme({})
_FREE = Slot(ANY, "free")
_SLOTS = [LABEL, _FREE]


def read_free_events(  # noqa: PLR0913 - all of them differ between challenges
    given: object,
    side: str,
    *,
    by_role: bool = True,
    types: Sequence[str] | None = None,
    known: Sequence[str] = (),
    scorers: Scorers = NO_SCORERS,
) -> EventSide:
    """Read one side: brat's files or text, JSON Lines, dicts, Documents.

    Args:
        given: the side.
        side: ``predictions`` or ``references``, for messages.
        by_role: whether an argument has the label of its role; otherwise of its mention. Arguments
            in nested events have one label.
        types: the types of events; None to find them. Files and nested events state the types, and
            all of these are read.
        known: types that are not in the data of this side.
        scorers: the metrics that score mentions and relations that belong to no event.
    """

    def read_files(files: Iterable[TextFile]) -> EventSide:
        advice = scorers.advise("relations")
        related, triggers, stated = read_event_files(files, LABEL, advice)
        return build_events(related, triggers, by_role=by_role, scorers=scorers, stated=stated)

    def read_documents(items: Items) -> EventSide:
        nested = np.array([is_nested(item) for item in items.values], np.bool_)
        related = read_items(items, _SLOTS, (), loops=True, convert=_flatten)
        every = [*known, *_list_marked(items.values)]
        triggers = _find_triggers(related, nested, types, every)
        stated = _find_stated(items.values, related.side.mentions)
        return build_events(related, triggers, by_role=by_role, scorers=scorers, stated=stated)

    return open_given(
        given,
        side,
        EventSide,
        read_files=lambda source: read_files(open_files(source)),
        read_items=read_documents,
        read_strings=lambda strings: read_files(open_strings(strings)),
        lines_beside=FILES,
    )


def _find_stated(documents: Sequence[object], mentions: MentionColumns) -> Stated:
    """Return the rows of the mentions with an attribute whose value is ``no``, or false.

    Nested events have arguments in place of attributes.
    """
    rows: dict[str, list[int]] = {}
    firsts = find_first(mentions.document, np.arange(len(documents)))
    for first, document in zip(firsts.tolist(), documents, strict=True):
        for row, mention in enumerate(_list_mentions(document), first):
            slots = mention.slots if isinstance(mention, Mention) else mention
            for name, value in slots.items():
                if value is False or (isinstance(value, str) and _FREE.word(value) == NO_VALUE):
                    rows.setdefault(name, []).append(row)
    return {name: np.array(numbers, np.intp) for name, numbers in rows.items()}


def _list_mentions(document: object) -> list[Mention | Mapping[str, object]]:
    """Return the mentions of a document that was read, if it has no nested events."""
    listed = document.mentions if isinstance(document, Document) else document
    if isinstance(document, Mapping):
        listed = () if is_nested(document) else document["mentions"]
    mentions = listed if is_iterable(listed) else ()
    return [mention for mention in mentions if isinstance(mention, (Mention, Mapping))]


def _list_marked(documents: Sequence[object]) -> list[str]:
    """Return the labels of the mentions that Documents from brat's files mark as triggers."""
    mentions = [
        mention
        for document in documents
        if isinstance(document, Document)
        for mention in document.mentions
    ]
    labels = (m.slots.get(LABEL.name) for m in mentions if isinstance(m, Trigger))
    return sorted({label for label in labels if isinstance(label, str)})


def _flatten(document: Given, where: str) -> Given:
    return flatten(document, _OPEN, where) if is_nested(document) else document


def _find_triggers(
    related: RelatedSide,
    nested: BoolArray,
    types: Sequence[str] | None,
    known: Sequence[str],
) -> BoolArray:
    """Return which mentions are triggers, ``[n]``.

    Args:
        related: the mentions and relations.
        nested: ``[documents]``, which documents have nested events; relations lead to all
            arguments of these.
        types: the types of events; None to find them.
        known: types that are not in the data of this side.
    """
    mentions, relations = related.side.mentions, related.relations
    label = mentions.attributes[LABEL.name]
    if types is None:
        sources = np.unique(label.ids[relations.source]).tolist()
        types = [*known, *(label.values[number] for number in sources)]
    is_argument = np.zeros(len(mentions), np.bool_)
    is_argument[relations.target] = True
    of_nested = nested[mentions.document] if len(nested) else is_argument
    triggers: BoolArray = np.where(of_nested, ~is_argument, has_label(label, types))
    return triggers
