"""Mentions on a Doc: one span group holds the fragments of all of them.

``doc.spans["clin"]`` has one span for each fragment. ``span.id_`` is the id of its mention and
ties fragments together, ``span.kb_id_`` is the code, ``span.label_`` the type. The group's
``attrs["mentions"][id]`` holds the slots, and under ``offsets`` the exact characters where they
are not those of tokens; ``attrs["document"]`` is the name of the document.

All of this survives ``Doc.copy``, pickling, ``n_process`` and a ``DocBin`` with or without user
data. Two mentions with the same offsets stay two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from clineval.errors import InputError, listed, shown
from clineval.mentions import Fragment, Mention, Value
from spacy.tokens import Doc, Span, SpanGroup

KEY = "clin"
TYPE = "Disease_Disorder"
"""The label of a mention whose type is not said."""
MENTIONS, DOCUMENT, OFFSETS, CUES = "mentions", "document", "offsets", "cues"

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
        fragments, exact = _place(doc, id_, mention)
        spans += fragments
        attributes[id_] = _attributes_of(mention, exact=exact)
    attrs: dict[str, Any] = {MENTIONS: attributes}
    if name:
        attrs[DOCUMENT] = name
    doc.spans[key] = SpanGroup(doc, name=key, attrs=attrs, spans=spans)
    return doc.spans[key]


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
    return {
        id_: _mention(fragments, code, label, attributes)
        for id_, fragments, code, label, attributes in tie_fragments(group, describe(doc))
    }


Tied = tuple[str, list[list[int]], str, str, Mapping[str, Any]]


def tie_fragments(group: SpanGroup, where: str) -> Iterator[Tied]:
    """The mentions of a group: id, fragments, code, label, and what ``attrs`` says of it.

    Args:
        group: spans whose ``id_`` is that of their mention.
        where: how messages name the document.

    Raises:
        InputError: as :func:`get_mentions`.
    """
    tied: dict[str, tuple[list[list[int]], str, str]] = {}
    for span in group:
        id_, code, label = span.id_, span.kb_id_, span.label_
        fragment = [span.start_char, span.end_char]
        known = tied.setdefault(id_, ([], code, label))
        known[0].append(fragment)
        if known[1] != code or known[2] != label:
            raise _ambiguous(id_, group, where)
    if "" in tied:
        raise _nameless(tied[""][0][0], group, where)
    mentions = group.attrs.get(MENTIONS) or {}
    for id_, (fragments, code, label) in tied.items():
        attributes = mentions.get(id_) or {}
        if OFFSETS in attributes:
            fragments = exact_offsets(fragments, attributes[OFFSETS])  # noqa: PLW2901
        yield id_, fragments, code, label, attributes


def exact_offsets(fragments: list[list[int]], offsets: Sequence[Sequence[int]]) -> list[list[int]]:
    """The exact offsets, unless the spans have been changed or moved since they were noted.

    Examples:
        >>> exact_offsets([[8, 18]], [[12, 18]]), exact_offsets([[58, 68]], [[12, 18]])
        ([[12, 18]], [[58, 68]])
    """
    if len(fragments) != len(offsets):
        return fragments
    pairs = zip(sorted(fragments), sorted(map(tuple, offsets)), strict=True)
    if all(low <= start and end <= high for (low, high), (start, end) in pairs):
        return [list(offset) for offset in offsets]
    return fragments


def get_document_name(doc: Doc) -> str:
    """The name that a Doc was given by :func:`set_mentions`; empty if it has none."""
    for group in doc.spans.values():
        if DOCUMENT in group.attrs:
            return str(group.attrs[DOCUMENT])
    return ""


def describe(doc: Doc, at: int | None = None) -> str:
    """How messages name a document: by its name, or by its position."""
    name = get_document_name(doc)
    if not name:
        name = "without a name" if at is None else str(at)
    return f"document {name}"


def snap(doc: Doc, start: int, end: int, **attributes: str) -> tuple[Span, bool]:
    """The span of whole tokens that covers some characters, and whether it is exactly those.

    Raises:
        InputError: the characters are not in the text.
    """
    span = doc.char_span(start, end, **attributes)
    if span is not None:
        return span, True
    covering = doc.char_span(start, end, alignment_mode="expand", **attributes)
    if covering is None or covering.end_char < end or not len(covering):
        raise InputError(
            f"fragment {start}-{end} is outside the text, which has {_length(doc)} characters",
            where=describe(doc),
            remedy="Do the offsets belong to this text?",
        )
    return covering, False


def _length(doc: Doc) -> int:
    return len(doc.text)


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


def _place(doc: Doc, id_: str, mention: Mention) -> tuple[list[Span], bool]:
    names = {
        "label": str(mention.slots.get("type", TYPE)),
        "kb_id": mention.cui or "",
        "span_id": id_,
    }
    placed = [snap(doc, start, end, **names) for start, end in mention.spans]
    return [span for span, _ in placed], all(exact for _, exact in placed)


def _attributes_of(mention: Mention, *, exact: bool) -> dict[str, Any]:
    attributes = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in mention.slots.items()
        if name != "type"
    }
    if not exact:
        attributes[OFFSETS] = [list(fragment) for fragment in mention.spans]
    if mention.cues:
        attributes[CUES] = {n: [list(f) for f in cue] for n, cue in mention.cues.items()}
    return attributes


def _mention(
    fragments: Sequence[Fragment | list[int]],
    code: str,
    label: str,
    attributes: Mapping[str, Any],
) -> Mention:
    slots: dict[str, Value] = {
        name: tuple(value) if isinstance(value, (list, tuple)) else value
        for name, value in attributes.items()
        if name not in (OFFSETS, CUES)
    }
    if label and label != TYPE:
        slots["type"] = label
    return Mention(fragments, code or None, slots, attributes.get(CUES) or {})


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
