"""Mentions and documents as objects, for people; the engine works on columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import index
from types import MappingProxyType
from typing import Any

from clineval.errors import InputError, shown

Fragment = tuple[int, int]
Value = str | tuple[str, ...]
_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention: where it is, what it is, and what is said of it.

    Args:
        spans: fragments ``(start, end)`` in characters (Unicode code points) from the start of
            the document, ends exclusive. They are kept sorted, and may not overlap.
        cui: the concept's code; None stands for CUI-less.
        slots: slot name to value; a slot left out has its default value. A slot with several
            codes holds a tuple.
        cues: slot name to the fragments of the words that led to the value. They are carried
            from file to file and never scored.

    Raises:
        InputError: no fragment, an offset that is no integer or negative, an end that is not
            after its start, or overlapping fragments.

    Examples:
        >>> Mention([(31, 38), (4, 15)], "C0344720", {"severity": "moderate"}).spans
        ((4, 15), (31, 38))
    """

    spans: tuple[Fragment, ...]
    cui: str | None
    slots: Mapping[str, Value]
    cues: Mapping[str, tuple[Fragment, ...]]

    def __init__(
        self,
        spans: Iterable[Sequence[int]],
        cui: str | None = None,
        slots: Mapping[str, Value] = _EMPTY,
        cues: Mapping[str, Iterable[Sequence[int]]] = _EMPTY,
    ) -> None:
        cue_fragments = {name: sort_fragments(cue) for name, cue in cues.items()}
        object.__setattr__(self, "spans", sort_fragments(spans))
        object.__setattr__(self, "cui", cui)
        object.__setattr__(self, "slots", MappingProxyType(dict(slots)))
        object.__setattr__(self, "cues", MappingProxyType(cue_fragments))

    def __hash__(self) -> int:
        return hash((self.spans, self.cui))

    def __reduce__(self) -> tuple[Any, ...]:
        return Mention, (self.spans, self.cui, dict(self.slots), dict(self.cues))

    def as_dict(self) -> dict[str, Any]:
        """The mention as the evaluate modules take it.

        Examples:
            >>> Mention([(4, 15)], "C0344720", {"negation": "yes"}).as_dict()
            {'spans': [[4, 15]], 'cui': 'C0344720', 'negation': 'yes'}
        """
        slots = {k: list(v) if isinstance(v, tuple) else v for k, v in self.slots.items()}
        spans = [list(span) for span in self.spans]
        result: dict[str, Any] = {"spans": spans, "cui": self.cui, **slots}
        if self.cues:
            result["cues"] = {k: [list(span) for span in cue] for k, cue in self.cues.items()}
        return result

    @classmethod
    def from_dict(cls, mention: Mapping[str, Any]) -> Mention:
        """The opposite of :meth:`as_dict`.

        Examples:
            >>> Mention.from_dict({"spans": [[4, 15]], "cui": None, "negation": "yes"}).slots
            mappingproxy({'negation': 'yes'})
        """
        for name in ("spans", "cui"):
            if name not in mention:
                raise InputError(f"a mention has no {name!r}")
        known = ("spans", "cui", "cues")
        slots = {
            name: tuple(value) if isinstance(value, (list, tuple)) else value
            for name, value in mention.items()
            if name not in known
        }
        return cls(mention["spans"], mention["cui"], slots, mention.get("cues") or {})


@dataclass(frozen=True, slots=True)
class Document:
    """The mentions of one document.

    Args:
        id: the document's name; documents of two sides that have names are paired by name.
        mentions: the mentions, in any order.
        text: the note's text; needed for ``overlap="word"`` only. It is never shown.

    Examples:
        >>> Document("note-1", [Mention([(4, 15)], "C0344720")])
        Document(id='note-1', 1 mention)
    """

    id: str | None
    mentions: tuple[Mention, ...]
    text: str | None

    def __init__(
        self,
        id: str | None,  # noqa: A002 - what everyone calls it
        mentions: Iterable[Mention] = (),
        text: str | None = None,
    ) -> None:
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "mentions", tuple(mentions))
        object.__setattr__(self, "text", text)

    def __repr__(self) -> str:
        plural = "" if len(self.mentions) == 1 else "s"
        return f"Document(id={self.id!r}, {len(self.mentions)} mention{plural})"


def sort_fragments(spans: Iterable[Sequence[int]]) -> tuple[Fragment, ...]:
    """Check the fragments of one mention and sort them.

    Raises:
        InputError: as :class:`Mention`.
    """
    fragments = sorted(_fragment(span) for span in spans)
    if not fragments:
        raise InputError("a mention has no fragment, expected spans such as [[10, 20]]")
    for (start, end), (next_start, next_end) in pairwise(fragments):
        if next_start < end:
            raise InputError(f"fragments {start}-{end} and {next_start}-{next_end} overlap")
    return tuple(fragments)


def _fragment(span: Sequence[int]) -> Fragment:
    try:
        start, end = (_offset(offset) for offset in span)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"expected a fragment [start, end], got {shown(span)}") from None
    if end <= start:
        raise InputError(f"fragment {start}-{end}: the end is not after the start")
    return start, end


def _offset(offset: object) -> int:
    try:
        if isinstance(offset, bool):
            raise TypeError  # noqa: TRY301
        number = index(offset)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"expected an integer offset, got {shown(offset)}") from None
    if number < 0:
        raise InputError(f"offset {number} is negative")
    return number
