"""Mentions on a Doc: one span group holds the fragments of all of them.

``doc.spans["clin"]`` has one span for each fragment. ``span.id_`` is the id of its mention and
ties fragments together, ``span.kb_id_`` is the code, ``span.label_`` the type. The group's
``attrs["mentions"][id]`` is the mention as the evaluate modules take it, with the exact characters
under ``spans`` (spans consist of whole tokens), the code and the slots; what it says counts. A
component that predicts slots sets them there. Where ``attrs`` say nothing of a mention, as in a
group that was put together by hand, offsets and code are those of the spans.
``attrs["document"]`` is the name of the document.

All of this survives ``Doc.copy``, pickling, ``n_process`` and a ``DocBin`` with or without user
data. Two mentions with the same offsets stay two.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeGuard

from spacy.tokens import Doc, Span, SpanGroup

from clineval.errors import InputError, InputWarning, listed, shown
from clineval.mentions.mention import Mention

KEY = "clin"
TYPE = "Disease_Disorder"
"""The label of a mention whose type is not said."""
MENTIONS, DOCUMENT, SPANS, CODE = "mentions", "document", "spans", "cui"

GivenMention = Mention | Mapping[str, Any]


def set_mentions(
    doc: Doc,
    mentions: Mapping[str, GivenMention] | Iterable[GivenMention],
    *,
    key: str = KEY,
    document: str | None = None,
) -> SpanGroup:
    """Write mentions to a Doc, instead of those it had.

    Args:
        doc: the document.
        mentions: mentions as objects or dicts as the evaluate modules take them; id to mention,
            or any iterable, which gives ids T1, T2 and so on, unless a dict has an ``id``. A
            slot ``type`` becomes the label.
        key: the name of the span group.
        document: the document's name; None to keep the one that is there.

    Returns:
        The span group.

    Raises:
        InputError: a fragment outside the text, a repeated id, and what
            :class:`~clineval.Mention` raises.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("The left atrium is moderately dilated.")
        >>> group = set_mentions(doc, [{"spans": [[4, 15], [30, 37]], "cui": "C0344720"}])
        >>> [(span.text, span.id_, span.kb_id_) for span in group]
        [('left atrium', 'T1', 'C0344720'), ('dilated', 'T1', 'C0344720')]
    """
    name = get_document_name(doc) if document is None else document
    spans: list[Span] = []
    attributes: dict[str, dict[str, Any]] = {}
    for id_, mention in _with_ids(mentions):
        spans += _place(doc, id_, mention)
        attributes[id_] = {n: v for n, v in mention.as_dict().items() if n != "type"}
    attrs: dict[str, Any] = {MENTIONS: attributes}
    if name:
        attrs[DOCUMENT] = name
    group = SpanGroup(doc, name=key, attrs=attrs, spans=spans)
    doc.spans[key] = group
    return group


def get_mentions(doc: Doc, *, key: str = KEY) -> dict[str, Mention]:
    """The mentions that :func:`set_mentions` wrote, by id; none if there is no such group.

    Raises:
        InputError: a span without id, or spans of one id with different codes or labels.

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
    return {id_: _mention(record, labels[id_]) for id_, record in read_group(group, doc).items()}


Record = Mapping[str, Any]


def read_group(group: SpanGroup, doc: Doc, at: int | None = None) -> Mapping[str, Record]:
    """The mentions of a group as dicts, by id; not to be changed.

    Args:
        group: spans whose ``id_`` is that of their mention.
        doc: the document.
        at: its position, for messages.

    Raises:
        InputError: as :func:`get_mentions`.
    """
    known: Mapping[str, Record] = group.attrs.get(MENTIONS) or {}
    try:
        complete = sum(map(len, map(itemgetter(SPANS), known.values()))) == len(group)
    except KeyError:
        complete = False
    if complete:
        return known
    return _tie_spans(group, known, describe(doc, at))


def share_strings(doc: Doc, key: str, known: dict[str, str]) -> None:
    """Keep equal values of slots once, which files make anew for every mention.

    A corpus takes less memory, and its scores less time.

    Args:
        doc: a document that nobody else has yet.
        key: the name of the span group.
        known: the values of the documents before, and then of this one too.
    """
    if key not in doc.spans:
        return
    for record in doc.spans[key].attrs.get(MENTIONS, {}).values():
        for name, value in record.items():
            if isinstance(value, str):
                record[name] = known.setdefault(value, value)


def _tie_spans(group: SpanGroup, known: Mapping[str, Record], where: str) -> dict[str, Record]:
    """Mentions of which ``attrs`` do not say all, from the spans themselves."""
    tied: dict[str, tuple[list[list[int]], str, str]] = {}
    for span in group:
        fragment = [span.start_char, span.end_char]
        fragments, code, label = tied.setdefault(span.id_, ([], span.kb_id_, span.label_))
        fragments.append(fragment)
        if code != span.kb_id_ or label != span.label_:
            raise _ambiguous(span.id_, group, where)
    if "" in tied:
        raise _nameless(tied[""][0][0], group, where)
    records: dict[str, Record] = {}
    for id_, (fragments, code, _) in tied.items():
        record = known.get(id_) or {}
        exact = record.get(SPANS, ())
        spans = exact if len(exact) == len(fragments) else fragments
        records[id_] = {CODE: code or None, **record, SPANS: spans}
    _warn_of_strays(known, records, where)
    return records


def _warn_of_strays(known: Mapping[str, Record], records: Mapping[str, Record], where: str) -> None:
    """Say what attrs tell of that spans do not."""
    strays = {
        "mentions, which are left out": known.keys() - records.keys(),
        "other fragments, in place of which those of the spans count, of mentions": {
            id_
            for id_, record in records.items()
            if known.get(id_, record).get(SPANS, record[SPANS]) != record[SPANS]
        },
    }
    for what, ids in strays.items():
        if ids:
            warnings.warn(
                f"{where}: attrs tell of {what}: {listed(sorted(ids))}. Change mentions with "
                "spacy_clin.set_mentions, which writes their spans too",
                InputWarning,
                stacklevel=4,
            )


def get_document_name(doc: Doc) -> str:
    """The name that a Doc was given by :func:`set_mentions`; empty if it has none."""
    # the dict within, because views of spans are iterated in Python
    for group in doc.spans.data.values():
        if DOCUMENT in group.attrs:
            return str(group.attrs[DOCUMENT])
    return ""


def describe(doc: Doc, at: int | None = None) -> str:
    """How messages name a document: by its name, or by its position."""
    name = get_document_name(doc)
    if not name:
        name = "without a name" if at is None else str(at)
    return f"document {name}"


def snap(  # noqa: PLR0913 - what a span has
    doc: Doc, start: int, end: int, *, label: str = "", kb_id: str = "", span_id: str = ""
) -> Span:
    """The span of the tokens that some characters are in.

    A blank that ends a token belongs to it, though the text of a span ends before it.

    Raises:
        InputError: the characters are not in the text.
    """
    span = doc.char_span(start, end, label, kb_id, span_id=span_id)
    if span is not None:
        return span
    size = doc[-1].idx + len(doc[-1].text_with_ws) if len(doc) else 0
    if end > size:
        raise InputError(
            f"fragment {start}-{end} is outside the text, which has {size} characters",
            where=describe(doc),
            remedy="Do the offsets belong to this text?",
        )
    begins = [token.idx for token in doc]
    first, last = bisect_right(begins, start) - 1, bisect_right(begins, end - 1)
    return Span(doc, first, last, label, kb_id=kb_id, span_id=span_id)


def _with_ids(
    mentions: Mapping[str, GivenMention] | Iterable[GivenMention],
) -> Iterator[tuple[str, Mention]]:
    if isinstance(mentions, Mapping):
        pairs = [(id_, as_mention(mention)) for id_, mention in mentions.items()]
    else:
        given = list(mentions)
        ids = [m.get("id") if _is_dict(m) else None for m in given]
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
    return iter(pairs)


def as_mention(given: GivenMention) -> Mention:
    """A mention from a dict; an ``id`` in it is left out."""
    if isinstance(given, Mention):
        return given
    if not isinstance(given, Mapping):
        raise InputError(f"expected a mention or a dict, got {shown(given)}")
    return Mention.from_dict({name: value for name, value in given.items() if name != "id"})


def _is_dict(mention: GivenMention) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(mention, Mapping)


def _place(doc: Doc, id_: str, mention: Mention) -> list[Span]:
    label, code = str(mention.slots.get("type", TYPE)), mention.cui or ""
    return [
        snap(doc, start, end, label=label, kb_id=code, span_id=id_) for start, end in mention.spans
    ]


def _mention(record: Record, label: str) -> Mention:
    mention = as_mention(record)
    if not label or label == TYPE:
        return mention
    return Mention(mention.spans, mention.cui, {**mention.slots, "type": label}, mention.cues)


def _nameless(fragment: Sequence[int], group: SpanGroup, where: str) -> InputError:
    return InputError(
        f"the span {fragment[0]}-{fragment[1]} of the group {group.name!r} has no id, which ties "
        "the fragments of a mention together",
        where=where,
        remedy="Write mentions with spacy_clin.set_mentions, or read each span as a mention with "
        "a getter that has fragments=None",
    )


def _ambiguous(id_: str, group: SpanGroup, where: str) -> InputError:
    return InputError(
        f"spans of the group {group.name!r} with the id {shown(id_)} have different codes or "
        "labels, so they are not one mention",
        where=where,
        remedy="Give each mention an id of its own; Doc.from_docs joins groups whose ids clash",
    )
