"""Warn about parts of documents that a format cannot represent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from clineval.base.errors import agree, shown, warn
from clineval.formats.brat import documents as brat
from clineval.formats.by_name import Format
from clineval.formats.delimited.pipe import SLOTS
from clineval.kinds.mentions.mention import Document, Equivalence, Mention, Trigger
from clineval.results.slots import ANY, Slot

_CODED = ("pipe", "pipe3", "clef")
"""Formats that contain codes of mentions, and no labels."""


def warn_of_loss(
    documents: Sequence[Document], target: Format, name: str, slots: Iterable[Slot | str]
) -> None:
    """Warn about parts of documents that the format cannot represent.

    Args:
        documents: the documents to write.
        target: the format.
        name: the name of the format.
        slots: the slots that the format can represent, or their names.
    """
    mentions = [mention for document in documents for mention in document.mentions]
    lost = {
        "slots": 0
        if "slots" in target.holds
        else sum(
            any(s.name in m.slots and not brat.is_default(s, m.slots[s.name]) for s in SLOTS)
            for m in mentions
        ),
        "types": 0 if name not in _CODED else sum(map(_is_known_by_type, mentions)),
        "cues": 0 if "cues" in target.holds else sum(bool(mention.cues) for mention in mentions),
    }
    known = {slot if isinstance(slot, str) else slot.name for slot in slots}
    if "slots" in target.holds and name not in ("jsonl", "parquet") and ANY not in known:
        others = Counter(each for mention in mentions for each in mention.slots.keys() - known)
        lost |= {f"slot {shown(slot)}": times for slot, times in sorted(others.items())}
    parts = [
        f"{what} of {agree('{n} {mention|mentions}', number)}"
        for what, number in lost.items()
        if number
    ]
    related = sum(bool(document.relations) for document in documents)
    if related and "relations" not in target.holds:
        parts.append(agree("relations of {n} {document|documents}", related))
    spoken = sum(document.language is not None for document in documents)
    if spoken and "language" not in target.holds:
        parts.append(agree("language of {n} {document|documents}", spoken))
    if parts:
        warn(f"the format cannot represent the {' and the '.join(parts)}")


def warn_of_marks(documents: Iterable[Document]) -> None:
    """Warn about equivalences and events that only brat's files can mark."""
    known = list(documents)
    relations = [relation for document in known for relation in document.relations]
    warn(
        "{n} {relation is|relations are} from equivalences (brat's * lines). The format "
        "cannot mark them, so each becomes a relation from the first mention to another",
        n=sum(isinstance(relation, Equivalence) for relation in relations),
    )
    mentions = [mention for document in known for mention in document.mentions]
    shown_by_relations = brat.find_triggers(known, marked=False)
    warn(
        "{n} {event has|events have} a type whose events have no arguments. The format cannot mark "
        "{it|them}, so each becomes a mention; name the types of events when you score",
        n=sum(
            isinstance(mention, Trigger) and brat.type_of(mention) not in shown_by_relations
            for mention in mentions
        ),
    )


def _is_known_by_type(mention: Mention) -> bool:
    """Return whether a mention has a type of brat, and no code."""
    return mention.cui is None and mention.slots.get("type", brat.TYPE) != brat.TYPE
