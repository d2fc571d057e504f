"""Mentions as ``doc.ents``: spaCy's own components learn from these, and they cannot overlap."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from spacy.tokens import Doc, Span
from spacy.util import filter_spans

from clineval.base.errors import warn
from spacy_clin import guards

ENTITIES = ("none", "envelopes", "fragments")
_SPANS, _LEFT_OUT, _JOINED = "spans", "left out", "joined"


def set_entities(doc: Doc, entities: str, key: str) -> Counter[str]:
    """Put mentions into ``doc.ents``; if mentions overlap, keep the longest.

    Args:
        doc: the document.
        entities: ``envelopes``: each mention from its first to its last character; ``fragments``:
            each fragment; or ``none``.
        key: the name of the span group.

    Returns:
        Counts for :func:`warn_of_entities`; those for several documents can be added.

    Examples:
        >>> import spacy
        >>> from spacy_clin import set_mentions
        >>> doc = spacy.blank("en")("The left atrium is dilated.")
        >>> _ = set_mentions(doc, [{"spans": [[4, 15], [19, 26]]}, {"spans": [[9, 15]]}])
        >>> set_entities(doc, "envelopes", "clin")["left out"], doc.ents
        (1, (left atrium is dilated,))
    """
    spans = list(doc.spans.get(key, ()))
    joined = 0
    if entities == "envelopes":
        tied = defaultdict[tuple[str, str], list[Span]](list)
        for span in spans:
            tied[span.id_, span.label_].append(span)
        spans = list(map(_envelope, tied.values()))
        joined = sum(len(fragments) > 1 for fragments in tied.values())
    doc.ents = filter_spans(spans) if entities != "none" else []
    left_out = len(spans) - len(doc.ents) if entities != "none" else 0
    return Counter({_SPANS: len(spans), _LEFT_OUT: left_out, _JOINED: joined})


def with_entities(docs: Iterable[Doc], entities: str | None, key: str) -> Iterator[Doc]:
    """Yield Docs with entities: copies if they have none yet.

    Args:
        docs: the documents.
        entities: as for :func:`set_entities`; None: envelopes, unless a Doc has entities, even an
            empty list; these are kept.
        key: the name of the span group.
    """
    seen = Counter[str]()
    for doc in docs:
        if entities is None and doc.has_annotation("ENT_IOB"):
            yield doc
            continue
        written = guards.copied(doc, doc.copy)
        seen += set_entities(written, entities or "envelopes", key)
        yield written
    warn_of_entities(seen, key)


def warn_of_entities(seen: Counter[str], key: str) -> None:
    """Warn once about mentions that are not entities, and about mentions longer as entities."""
    warn(
        f"{{n}} of {seen[_SPANS]} mentions {{overlaps a longer one and is|overlap longer ones and "
        f"are}} not in doc.ents, only in the span group {key!r}",
        n=seen[_LEFT_OUT],
    )
    warn(
        "{n} discontiguous {mention is|mentions are} in doc.ents from {its|their} first to "
        "{its|their} last character",
        n=seen[_JOINED],
    )


def _envelope(spans: list[Span]) -> Span:
    one, first, last = spans[0], min(s.start for s in spans), max(s.end for s in spans)
    return Span(one.doc, first, last, one.label, kb_id=one.kb_id, span_id=one.id)
