"""Mentions on a Doc: one span group holds the fragments of all of them.

``doc.spans["clin"]`` has one span for each fragment (:mod:`spacy_clin.span_group`); ``span.label_``
is the type. The group's ``attrs["mentions"][id]`` is the mention as the evaluate modules take it,
with the exact characters under ``spans`` (spans consist of whole tokens), the code and the slots. A
component that predicts slots sets them there; one that finds mentions or codes calls
:func:`set_mentions`. ``attrs["document"]`` is the name of the document.

All of this survives ``Doc.copy``, pickling, ``n_process`` and a ``DocBin`` with or without user
data. Two mentions with the same offsets stay two. ``Doc.from_docs`` and ``Span.as_doc`` lose
``attrs``, which is warned about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from clineval.challenge import Challenge
from clineval.errors import InputError, listed, shown
from clineval.formats.slot_cells import unknown_value
from clineval.mentions.mention import Mention
from clineval.mentions.slots import Slot
from clineval.registry import find_challenge, known_names
from clineval.views import DocView, MentionView
from spacy_clin.guards import describe, snap, warns
from spacy_clin.relations import read_relation
from spacy_clin.span_group import (
    BESIDE,
    CODE,
    KEY,
    LABELS,
    MENTIONS,
    NAME,
    NIL,
    RELATIONS,
    SPANS,
    TYPE,
    Record,
    read_group,
    set_group,
)


@cache
def known_slots() -> Mapping[str, tuple[Slot, ...]]:
    """The slots that mentions can have in any challenge: name to how the challenges have it."""
    slots: dict[str, tuple[Slot, ...]] = {}
    for challenge in map(find_challenge, known_names()):
        if view := view_of(challenge):
            for slot in dict.fromkeys(s for c in challenge.configs for s in view.slots(c)):
                slots[slot.name] = (*slots.get(slot.name, ()), slot)
    return slots


def view_of(challenge: Challenge) -> DocView | None:
    """How Docs hold what a challenge scores: as it says, or as any mentions; None if they don't."""
    shown = challenge.view
    if challenge.docs or not isinstance(shown, MentionView) or shown.spans_given:
        return challenge.docs
    columns = {"default": challenge.headline}
    return DocView(challenge.name, {}, columns, KEY, slots=shown.slots, format="jsonl", take=list)


@warns
def set_mentions(
    doc: Doc,
    mentions: Mapping[str, Any] | Iterable[Any],
    *,
    key: str = KEY,
    document: str | None = None,
    relations: Iterable[Any] | None = None,
) -> SpanGroup:
    """Write mentions to a Doc, and relations between them, instead of those it had.

    Args:
        doc: the document.
        mentions: mentions as objects, as dicts as the evaluate modules take them, as spans, or as
            lists of spans that are one mention each; id to mention, or any iterable, which gives
            ids T1, T2 and so on, unless a dict has an ``id``. A slot ``type`` or ``label`` becomes
            the label of the spans. A span's code is its ``kb_id_``.
        key: the name of the span group.
        document: the document's name; None to keep the one that is there.
        relations: ``{"label", "from", "to"}``, a tuple of the three, or an object with ``label``,
            ``source`` and ``target``. They go between ids of mentions or spans of the group; or,
            for a challenge that has them between concepts, between these. None where nobody
            looked for any.

    Returns:
        The span group.

    Raises:
        InputError: a fragment outside the text, a repeated id, a slot or a value of one that no
            challenge has, what is no relation, and what :class:`~clineval.Mention` raises.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("The left atrium is moderately dilated.")
        >>> group = set_mentions(doc, [{"spans": [[4, 15], [30, 37]], "cui": "C0344720"}])
        >>> [(span.text, span.id_, span.kb_id_) for span in group]
        [('left atrium', 'T1', 'C0344720'), ('dilated', 'T1', 'C0344720')]
    """
    spans: list[Span] = []
    attributes: dict[str, dict[str, Any]] = {}
    where = describe(doc)
    for id_, mention in _with_ids(mentions):
        record = mention.as_dict()
        _check_slots(record, f"{where}, mention {id_}")
        label = next((str(record[n]) for n in LABELS if record.get(n)), TYPE)
        code = record.get(CODE) or ""
        for start, end in mention.spans:
            spans.append(snap(doc, start, end, label=label, kb_id=code, span_id=id_))
        # of a mention with a code the label is the spans' alone; without one it is its class
        left_out = ("id", *LABELS) if mention.coded else ("id",)
        attributes[id_] = {n: value for n, value in record.items() if n not in left_out}
    attrs: dict[str, Any] = {MENTIONS: attributes}
    if relations is not None:
        read = (read_relation(r, f"{where}, relation {n}") for n, r in enumerate(relations))
        attrs[RELATIONS] = [{n: getattr(end, "id_", end) for n, end in r.items()} for r in read]
    return set_group(doc, key, spans, attrs, document)


@warns
def get_mentions(doc: Doc, *, key: str = KEY) -> dict[str, Mention]:
    """The mentions that :func:`set_mentions` wrote, by id; none if there is no such group.

    Raises:
        InputError: a span without id, spans of one id with different codes or labels, or
            ``attrs`` that give a mention other fragments or another code than its spans do.

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
    found = read_group(group, describe(doc))
    named = RELATIONS in group.attrs
    return {
        id_: _with_label({NAME: id_, **record} if named else record, labels[id_])
        for id_, record in found.items()
    }


def _with_label(record: Record, label: str) -> Mention:
    if not record.get(CODE) and any(name in record for name in LABELS):
        return Mention.from_dict({n: value for n, value in record.items() if n != CODE})
    typed = {} if label in ("", TYPE) else {"type": label}
    return Mention.from_dict({**record, **typed})


def _with_ids(mentions: Mapping[str, Any] | Iterable[Any]) -> Iterable[tuple[str, Mention]]:
    if isinstance(mentions, Mapping):
        pairs = [(id_, as_mention(mention)) for id_, mention in mentions.items()]
    else:
        given = list(mentions)
        ids = list(map(_id_of, given))
        taken = {id_ for id_ in ids if id_}
        fresh = (f"T{number}" for number in range(1, len(given) + len(taken) + 1))
        free = (id_ for id_ in fresh if id_ not in taken)
        pairs = [(id_ or next(free), as_mention(m)) for id_, m in zip(ids, given, strict=True)]
    for id_, _ in pairs:
        if not isinstance(id_, str) or not id_:
            raise InputError(f"expected an id, got {shown(id_)}", remedy="Give a string")
    names = [id_ for id_, _ in pairs]
    if len(set(names)) < len(names):
        repeated = sorted({id_ for id_ in names if names.count(id_) > 1})
        raise InputError(f"repeated mention ids: {listed(repeated)}", remedy="Give each its own")
    return pairs


def _id_of(mention: Any) -> Any:
    if isinstance(mention, Mention):
        return mention.id
    return mention.get(NAME) if isinstance(mention, Mapping) else getattr(mention, "id_", "")


def as_mention(given: Any) -> Mention:
    """A mention from a dict, a span, or a list of spans; an ``id`` in a dict is left out."""
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


def _check_slots(record: Record, where: str) -> None:
    known = known_slots()
    for name, value in record.items():
        if name in known:
            _check_value(known[name], value, where)
        elif name != SPANS and name not in BESIDE:
            raise unknown_slot(name, where)


def unknown_slot(name: object, where: str) -> InputError:
    """A name that is no slot of any challenge."""
    return InputError(
        f"unknown slot {shown(name)}, expected one of {', '.join(sorted(known_slots()))}",
        where=where,
    )


def _check_value(slots: Sequence[Slot], value: Any, where: str) -> None:
    """Refuse a value that no challenge has, of slots that are closed."""
    closed = [slot for slot in slots if slot.kind == "closed"]
    if value is None or len(closed) < len(slots):
        return
    if not isinstance(value, str) or not any(value.lower() in slot.values for slot in closed):
        raise unknown_value(closed[0], value, where)
