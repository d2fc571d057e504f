"""What ties the spans of a Doc together to mentions, which may be discontiguous."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from spacy.tokens import Span

from clineval.errors import InputError, shown
from spacy_clin.mentions import read_group
from spacy_clin.paths import Batch, SpanReader, compile_path
from spacy_clin.spans import Found

ID, GROUP = "id", "group"


@dataclass(frozen=True, slots=True, eq=False)
class Tied:
    """The mentions that spans make up: the fragments of each, and a span to read its values of."""

    fragments: list[Any]
    batch: Batch


Tie = Callable[[Found, str], Tied]


def compile_tie(fragments: str | None) -> Tie:
    """Make a function that ties spans as :class:`~spacy_clin.getters.MentionGetter` has it."""
    if fragments is None:
        return _tie_nothing
    if fragments == ID:
        return _tie_by_id
    if fragments == GROUP:
        return _tie_by_group
    return partial(_tie_by_path, compile_path(fragments))


def _tie_nothing(found: Found, _: str) -> Tied:
    spans = list(found.items)
    batch = Batch(spans, _attrs(found, spans))
    return Tied([[place] for place in batch.places], batch)


def _attrs(found: Found, spans: Sequence[Span]) -> list[Mapping[str, Any]]:
    """What a group says of each of its spans."""
    known = found.attrs.get("mentions") or {}
    return [known.get(span.id_) or {} for span in spans] if known else [{}] * len(spans)


def _tie_by_id(found: Found, where: str) -> Tied:
    if found.group is None:
        raise InputError("fragments='id' needs the name of a span group", where=where)
    first: dict[str, Span] = {}
    for span in found.items:
        first.setdefault(span.id_, span)
    records = {
        id_: r for id_, r in read_group(found.group, found.group.doc).items() if id_ in first
    }
    spans = [first[id_] for id_ in records]
    fragments = [record["spans"] for record in records.values()]
    return Tied(fragments, Batch(spans, list(records.values())))


def _tie_by_group(found: Found, where: str) -> Tied:
    if found.group is None:
        raise InputError("fragments='group' needs the names of span groups", where=where)
    spans = list(found.items)
    fragments = [[s.start_char, s.end_char] for s in spans]
    return Tied([fragments], Batch(spans[:1], [found.attrs]))


def _tie_by_path(read: SpanReader, found: Found, where: str) -> Tied:
    spans = list(found.items)
    batch = Batch(spans, _attrs(found, spans))
    places = batch.places
    fragments: list[Any] = [[place] for place in places]
    for at, given in enumerate(read(batch)):
        if given:
            fragments[at] = _check_fragments(given, where, places[at])
    return Tied(fragments, batch)


def _check_fragments(given: Any, where: str, place: tuple[int, int]) -> list[list[int]]:
    try:
        return [[start, end] for start, end in given]
    except (TypeError, ValueError):
        raise InputError(
            f"expected fragments such as [[10, 20], [31, 38]], got {shown(given)}",
            where=f"{where}, span {place[0]}-{place[1]}",
        ) from None
