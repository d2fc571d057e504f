"""The span group that holds the annotation of a Doc, written and read.

A span is a fragment; ``span.id_`` ties those of a mention together, ``span.kb_id_`` is its code
(``NIL`` is none), and ``attrs`` say the rest by that id. Which mentions there are, where and with
what code is for the spans to say: of a mention without spans ``attrs`` do not count, with a
warning, and if they give a mention other fragments or another code than its spans do, one of the
two is left over from before, and reading is refused. Where ``attrs`` say nothing of a mention,
offsets and code are those of the spans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from clineval.errors import InputError, listed, shown
from clineval.mentions.mention import Fragment, sort_fragments
from clineval.mentions.slots import Slot
from spacy_clin.guards import DOCUMENT, are_of, get_document_name, located, warn

KEY = "clin"
TYPE = "Disease_Disorder"
"""The label of a mention whose type is not said."""
LABELS = ("type", "label")
"""The slots that a span has as its label."""
MENTIONS, ENTRIES, RELATIONS = "mentions", "entries", "relations"
SPANS, CODE, CONCEPT, NAME = "spans", "cui", "concept", "id"
BESIDE = frozenset({"cues", "id", "text", *LABELS})
"""What can be said of a mention besides its slots."""
NIL = "NIL"
"""What spaCy's entity linker writes where it finds no code."""

Record = Mapping[str, Any]
_REMEDY = "Change mentions with spacy_clin.set_mentions, which writes their spans and attrs alike"
_CODES = Slot(CODE, "code")


def set_group(
    doc: Doc, key: str, spans: Sequence[Span], attrs: dict[str, Any], document: str | None
) -> SpanGroup:
    """Write a span group, with the document's name, instead of one of this name."""
    name = get_document_name(doc) if document is None else document
    named = {**attrs, DOCUMENT: name} if name else attrs
    doc.spans[key] = group = SpanGroup(doc, name=key, attrs=named, spans=spans)
    return group


def read_group(group: SpanGroup, where: str, *, codes: bool = True) -> Mapping[str, Record]:
    """The mentions of a group as dicts, by id; not to be changed.

    With ``codes`` ``attrs`` must have the codes of the spans, and not others.
    """
    known: Mapping[str, Record] = group.attrs.get(MENTIONS) or {}
    if _tells_all(known, group):
        return known
    return _tie_spans(group, known, where, codes=codes)


def _tells_all(known: Mapping[str, Record], group: SpanGroup) -> bool:
    """Whether ``attrs`` have the ids, codes and extents of the spans, in the same order.

    No value is kept, because this takes a third of the time of scoring.
    """
    spans, at = list(group), 0
    try:
        for id_, record in known.items():
            code = record[CODE] or ""
            for start, end in record[SPANS]:
                span = spans[at]
                if span.start_char != start or span.end_char != end:
                    return False
                if span.id_ != id_ or span.kb_id_ != code:
                    return False
                at += 1
    except (LookupError, TypeError, ValueError):
        return False
    return at == len(spans)


def _tie_spans(
    group: SpanGroup, known: Mapping[str, Record], where: str, *, codes: bool
) -> dict[str, Record]:
    """Mentions of which ``attrs`` do not say all, or not in the same words as the spans do."""
    tied = spans_by_id(group)
    for id_, spans in tied.items():
        if not id_:
            raise InputError(
                f"the span {spans[0].start_char}-{spans[0].end_char} of the group {group.name!r} "
                "has no id, which ties the fragments of a mention together",
                where=where,
                remedy="Write mentions with spacy_clin.set_mentions, or read each span as a "
                "mention with tie=None",
            )
        if len({(span.kb_id, span.label) for span in spans}) > 1:
            raise InputError(
                f"spans of the group {group.name!r} with the id {shown(id_)} have different codes "
                "or labels, so they are not one mention",
                where=where,
                remedy="Give each mention an id of its own; Doc.from_docs joins groups whose ids "
                "clash",
            )
    if len(group) and MENTIONS not in group.attrs:
        warn(
            f"{where}: the span group {group.name!r} has no attrs, which Doc.from_docs and "
            "Span.as_doc lose: all slots have their defaults, and mentions of several Docs that "
            f"have one id are one. {_REMEDY}"
        )
    check_extents(group, known, where)
    records: dict[str, Record] = {}
    for id_, spans in tied.items():
        record, code = known.get(id_) or {}, spans[0].kb_id_.replace(NIL, "")
        told = str(record.get(CODE, code) or "")
        if codes and _CODES.fold(told) != _CODES.fold(code):
            raise _stale("another code than", spans, f"{where}, mention {id_}")
        fragments = record.get(SPANS) or [[span.start_char, span.end_char] for span in spans]
        records[id_] = {CODE: code or None, **record, SPANS: fragments}
    strays = known.keys() - records.keys()
    if strays:
        warn(
            f"{where}: attrs tell of mentions without spans, which are left out: "
            f"{listed(sorted(strays))}. {_REMEDY}"
        )
    return records


def check_extents(group: SpanGroup, known: Mapping[str, Record], where: str) -> None:
    """Refuse ``attrs`` that give mentions other fragments than their spans are of."""
    for id_, spans in spans_by_id(group).items():
        place = f"{where}, mention {id_}"
        told = told_fragments(known.get(id_) or {}, place)
        if told and not are_of(spans, told):
            raise _stale("other fragments than", spans, place)


def tell_each(group: SpanGroup | None, items: Sequence[Any], where: str) -> Sequence[Record]:
    """What the span group says of each item."""
    if group is None or not group.attrs:
        return [{}] * len(items)
    if items == [group]:
        return [group.attrs]
    known = group.attrs.get(MENTIONS) or {}
    check_extents(group, known, where)
    known = known or group.attrs.get(ENTRIES) or {}
    return [known.get(span.id_) or {} for span in items]


def told_fragments(record: Record, where: str) -> Sequence[Fragment]:
    """The fragments that attrs tell of, if they do."""
    with located(where):
        return sort_fragments(record[SPANS]) if record.get(SPANS) else ()


def spans_by_id(group: SpanGroup) -> dict[str, list[Span]]:
    """The spans of a group, those of one mention together."""
    tied: dict[str, list[Span]] = {}
    for span in group:
        tied.setdefault(span.id_, []).append(span)
    return tied


def _stale(what: str, spans: Sequence[Span], where: str) -> InputError:
    places = listed([f"{span.start_char}-{span.end_char}" for span in spans])
    return InputError(
        f"attrs tell of {what} the spans {places}, so one of the two is left over from before",
        where=where,
        remedy=_REMEDY,
    )
