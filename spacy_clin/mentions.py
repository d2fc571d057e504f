"""Mentions on a Doc: one span group holds the fragments of all mentions, and the relations.

``doc.spans["clin"]`` has one span for each fragment. The spans of a mention share ``span.id_``.
``span.label_`` is its type and ``span.kb_id_`` its code (``NIL``: no code). The group's
``attrs["mentions"][id]`` is the mention in the form that the evaluate modules take: the exact
characters under ``spans`` (spans on a Doc consist of whole tokens), the code and the slots. A
component that predicts slots sets them there. A component that finds mentions or codes calls
:func:`set_mentions`. ``attrs["relations"]`` lists the relations, whose ends are ids.
``attrs["document"]`` is the name of the document.

The spans decide which mentions exist, with which fragments and codes. ``attrs`` of a mention
without spans are ignored, with a warning. If ``attrs`` and spans of a mention have different
fragments or codes, one of the two is out of date, and reading raises an error. If ``attrs`` lack a
mention, its offsets and code come from the spans.

All of this survives ``Doc.copy``, pickling, ``n_process`` and a ``DocBin`` with or without user
data. Two mentions with the same offsets remain separate. ``Doc.from_docs`` and ``Span.as_doc``
lose ``attrs``; reading such a Doc triggers a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from clineval.base.errors import InputError, listed, shown, shown_name, warn
from clineval.formats.dicts import Record
from clineval.kinds.mentions.mention import Fragment, Mention, Relation
from clineval.results.slots import Slot
from spacy_clin import guards, settings
from spacy_clin.guards import DOCUMENT, as_items, describe, located, tell, tell_list
from spacy_clin.places import are_of, snap, told_fragments
from spacy_clin.settings import CODE, KEY, LABELS, MENTIONS, NAME, NIL, RELATIONS, SPANS

ENDS = ("from", "to")
_PARTS = ("label", "source", "target")
"""Attributes of a relation that is an object."""
_REMEDY = "Change mentions with spacy_clin.set_mentions, which writes both spans and attrs"
_CODES = Slot(CODE, "code")


def set_mentions(
    doc: Doc,
    mentions: Mapping[str, object] | Iterable[object],
    *,
    key: str = KEY,
    document: str | None = None,
    relations: Iterable[object] | None = None,
) -> SpanGroup:
    """Write mentions and relations between them to a Doc, in place of earlier ones.

    Args:
        doc: the document.
        mentions: a dict of id to mention, or any iterable of mentions, which get the ids T1, T2
            and so on unless a dict has an ``id``. A mention is a :class:`~clineval.Mention`, a dict
            in the form that the evaluate modules take, a span, or a list of spans. A slot
            ``label``, or else ``type``, becomes the label of the spans. The code of a span is its
            ``kb_id_``.
        key: the name of the span group.
        document: the document's name; None keeps the current name.
        relations: dicts ``{"label", "from", "to"}``, tuples of these three, or objects with
            ``label``, ``source`` and ``target``. Ends are ids of mentions or spans of the group;
            in challenges with relations between concepts, they are concepts. None: relations were
            not annotated.

    Returns:
        The span group.

    Raises:
        InputError: a fragment is outside the text, an id is repeated, no challenge has a slot or
            its value, a relation is invalid, or :class:`~clineval.Mention` rejects a mention.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("The left atrium is moderately dilated.")
        >>> group = set_mentions(doc, [{"spans": [[4, 15], [30, 37]], "cui": "C0344720"}])
        >>> [(span.text, span.id_, span.kb_id_) for span in group]
        [('left atrium', 'T1', 'C0344720'), ('dilated', 'T1', 'C0344720')]
    """
    spans: list[Span] = []
    told: dict[str, Record] = {}
    related: list[Record] = []
    with located(describe(doc)):
        for id_, mention in _with_ids(mentions):
            record = mention.as_dict()
            label = next((str(record[n]) for n in LABELS[::-1] if record.get(n)), settings.TYPE)
            code = record.get(CODE) or ""
            with located(f"mention {id_}"):
                settings.check_slots(record)
                spans += [snap(doc, *each, label, code, id_) for each in mention.spans]
            # with a code, only the spans hold the label; without a code, the label is the class
            left_out = ("id", *LABELS) if mention.coded else ("id",)
            told[id_] = {n: value for n, value in record.items() if n not in left_out}
        items = as_items(() if relations is None else relations, "a list of relations")
        for number, given in enumerate(items):
            with located(f"relation {number}"):
                relation = read_relation(given).items()
            related.append({name: getattr(value, "id_", value) for name, value in relation})
    attrs: dict[str, object] = {} if relations is None else {RELATIONS: related}
    return set_group(doc, key, spans, {MENTIONS: told, **attrs}, document)


def set_group(
    doc: Doc, key: str, spans: Sequence[Span], attrs: dict[str, object], document: str | None
) -> SpanGroup:
    """Write a span group with the document's name; replace a group with the same key."""
    name = guards.get_document_name(doc) if document is None else document
    if not isinstance(name, (str, int)):
        raise InputError(f"document: expected a name, got {shown(name)}")
    named = {**attrs, DOCUMENT: name} if name != "" else attrs
    doc.spans[key] = group = SpanGroup(doc, name=key, attrs=named, spans=spans)
    return group


def get_mentions(doc: Doc, *, key: str = KEY) -> dict[str, Mention]:
    """Return the mentions from :func:`set_mentions` by id; empty if there is no such group.

    Args:
        doc: the document.
        key: the name of the span group.

    Raises:
        InputError: a span has no id, spans with one id have different codes or labels, or
            ``attrs`` and spans of a mention have different fragments or codes.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("No fever.")
        >>> _ = set_mentions(doc, [{"spans": [[3, 8]], "cui": None, "negation": "yes"}])
        >>> get_mentions(doc)["T1"].as_dict()
        {'spans': [[3, 8]], 'cui': None, 'negation': 'yes'}
    """
    if key not in doc.spans:
        return {}
    group = doc.spans[key]
    labels = {span.id_: span.label_ for span in group}
    with located(describe(doc)):
        found = read_group(group, describe(doc))
    named = RELATIONS in group.attrs
    return {
        id_: _with_label({NAME: id_, **record} if named else record, labels[id_])
        for id_, record in found.items()
    }


def _with_label(record: Record, label: str) -> Mention:
    if not record.get(CODE) and any(name in record for name in LABELS):
        return Mention.from_dict({n: value for n, value in record.items() if n != CODE})
    typed = {} if label in ("", settings.TYPE) else {"type": label}
    return Mention.from_dict({**record, **typed})


def _with_ids(
    mentions: Mapping[str, object] | Iterable[object],
) -> Iterable[tuple[str, Mention]]:
    if isinstance(mentions, Mapping):
        ids, given = list(mentions), list(mentions.values())
    else:
        given = list(as_items(mentions, "mentions"))
        ids = list(map(_id_of, given))
        taken = {id_ for id_ in ids if isinstance(id_, str)}
        fresh = (f"T{number}" for number in count(1) if f"T{number}" not in taken)
        ids = [id_ or next(fresh) for id_ in ids]
    for id_ in ids:
        if not isinstance(id_, str) or not id_:
            raise InputError(f"expected an id, got {shown(id_)}", remedy="Give a string")
    repeated = sorted(id_ for id_, number in Counter(ids).items() if number > 1)
    if repeated:
        problem = f"repeated mention ids: {listed(repeated)}"
        raise InputError(problem, remedy="Give each mention its own id")
    return list(zip(ids, map(as_mention, given), strict=True))


def _id_of(mention: object) -> object:
    if isinstance(mention, Mapping):
        return mention.get(NAME)
    return getattr(mention, "id" if isinstance(mention, Mention) else "id_", "")


def as_mention(given: object) -> Mention:
    """Make a mention from a dict, a span, or a list of spans; ignore an ``id`` in a dict."""
    if isinstance(given, Mention):
        return given
    if isinstance(given, Mapping):
        return Mention.from_dict({name: value for name, value in given.items() if name != "id"})
    spans = [given] if isinstance(given, Span) else given
    if not isinstance(spans, (list, tuple, SpanGroup)) or not all(
        isinstance(span, Span) for span in spans
    ):
        raise InputError(f"expected a mention, a dict or spans, got {shown(given)}")
    codes, labels = ({getattr(s, name) for s in spans} for name in ("kb_id_", "label_"))
    if len(codes) != 1 or len(labels) != 1:
        raise InputError("the spans of one mention have different codes or labels")
    slots = {"type": label} if (label := labels.pop()) else {}
    code = "".join(codes).replace(NIL, "")
    return Mention([[span.start_char, span.end_char] for span in spans], code or None, slots)


def read_relation(given: object) -> dict[str, str | Span]:
    """Return a relation as a dict; its ends may be ids or spans.

    Examples:
        >>> read_relation(("ADE-Drug", "T2", "T1"))
        {'label': 'ADE-Drug', 'from': 'T2', 'to': 'T1'}
    """
    if all(hasattr(given, name) for name in _PARTS):
        given = [getattr(given, name) for name in _PARTS]
    if isinstance(given, (list, tuple)) and len(given) == len(ENDS) + 1:
        given = dict(zip((LABELS[1], *ENDS), given, strict=True))
    if not isinstance(given, Mapping) or given.keys() != {LABELS[1], *ENDS}:
        raise InputError(
            f"expected a relation, got {shown(given)}",
            remedy="Pass a dict with 'label', 'from' and 'to', a tuple of these three, or an "
            "object with label, source and target",
        )
    wanted = {LABELS[1]: "a string", **dict.fromkeys(ENDS, "the id of a mention or a span")}
    for name, value in given.items():
        if not isinstance(value, str) and not (name in ENDS and isinstance(value, Span)):
            raise InputError(f"{name}: expected {wanted[name]}, got {shown(value)}")
    return dict(given)


def get_relations(doc: Doc, *, key: str = KEY) -> list[Relation]:
    """Return the relations from :func:`set_mentions`."""
    group = doc.spans.get(key)
    told = tell_list(group, RELATIONS) if group is not None else None
    return list(map(Relation.from_dict, told or ()))


def read_group(group: SpanGroup, where: str, *, whole: bool = True) -> Mapping[str, Record]:
    """Return the mentions of a group as dicts by id; callers must not change them.

    ``where`` is the place that warnings name. ``whole`` is true for groups of
    :func:`set_mentions`.
    """
    known = tell(group, MENTIONS)
    if _tells_all(known, group):
        return known
    return _tie_spans(group, known, where, whole=whole)


def _tells_all(known: Mapping[str, Record], group: SpanGroup) -> bool:
    """Return whether ``attrs`` have the ids, codes and extents of the spans, in the same order.

    This loop takes a third of the time of scoring, so it stores no values.
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
    group: SpanGroup, known: Mapping[str, Record], where: str, *, whole: bool
) -> dict[str, Record]:
    """Read mentions whose ``attrs`` are incomplete or differ from the spans."""
    tied = spans_by_id(group)
    for id_, spans in tied.items():
        if not id_:
            raise InputError(
                f"the span {spans[0].start_char}-{spans[0].end_char} of the group "
                f"{shown_name(group.name)} has no id to link the fragments of its mention",
                remedy="Write mentions with spacy_clin.set_mentions, or read each span as a "
                "mention with tie=None",
            )
        if len({(span.kb_id, span.label) for span in spans}) > 1:
            raise InputError(
                f"spans of the group {shown_name(group.name)} with the id {shown(id_)} have "
                "different codes or labels, so they are not one mention",
                remedy="Give each mention its own id; Doc.from_docs joins groups whose ids clash",
            )
    if whole and len(group) and MENTIONS not in group.attrs:
        warn(
            f"{where}: the span group {shown_name(group.name)} has no attrs, because Doc.from_docs "
            "and Span.as_doc lose them. All slots have their defaults, and mentions of different "
            f"Docs with the same id count as one. {_REMEDY}"
        )
    extents = _find_extents(tied, known)
    records: dict[str, Record] = {}
    for id_, spans in tied.items():
        record, code = known.get(id_) or {}, spans[0].kb_id_.replace(NIL, "")
        told = record.get(CODE, code)
        told = "" if told is None else told
        if whole and (not isinstance(told, str) or _CODES.fold(told) != _CODES.fold(code)):
            raise _stale("codes", spans)
        fragments = extents[id_] or [(span.start_char, span.end_char) for span in spans]
        records[id_] = {CODE: code or None, **record, SPANS: fragments}
    strays = known.keys() - records.keys()
    if strays:
        warn(
            f"{where}: attrs contain mentions without spans, which are left out: "
            f"{listed(sorted(strays))}. {_REMEDY}"
        )
    return records


def _find_extents(
    tied: Mapping[str, Sequence[Span]], known: Mapping[str, Record]
) -> Mapping[str, Sequence[Fragment]]:
    """Return the fragments of mentions from ``attrs``; reject those that differ from the spans."""
    extents: dict[str, Sequence[Fragment]] = {}
    for id_, spans in tied.items():
        with located(f"mention {id_}"):
            extents[id_] = told = told_fragments(known.get(id_) or {})
            stale = told and not are_of(spans, told)
        if stale:
            raise _stale("fragments", spans)
    return extents


def tell_each(group: SpanGroup | None, items: Sequence[Any]) -> Sequence[Record]:
    """Return the attrs of each item in the span group."""
    if group is None or not group.attrs:
        return [{}] * len(items)
    if items == [group]:
        return [group.attrs]
    known = tell(group, MENTIONS)
    _find_extents(spans_by_id(group), known)
    known = known or tell(group, settings.ENTRIES)
    return [known.get(span.id_) or {} for span in items]


def spans_by_id(group: SpanGroup) -> dict[str, list[Span]]:
    """Return the spans of a group, grouped by mention."""
    tied: dict[str, list[Span]] = {}
    for span in group:
        tied.setdefault(span.id_, []).append(span)
    return tied


def _stale(what: str, spans: Sequence[Span]) -> InputError:
    places = listed([f"{span.start_char}-{span.end_char}" for span in spans])
    return InputError(
        f"attrs and the spans {places} have different {what}, so one of the two is out of date",
        where=f"mention {spans[0].id_}",
        remedy=_REMEDY,
    )
