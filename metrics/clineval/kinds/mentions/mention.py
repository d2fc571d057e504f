"""Mentions and documents as objects for users; the engine works on columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from operator import index
from types import MappingProxyType
from typing import Any, NoReturn

from clineval.base.arrays import expect_all, expect_list, is_array
from clineval.base.errors import InputError, agree, called, shown
from clineval.base.offsets import judge_offset

Fragment = tuple[int, int]
Value = str | tuple[str, ...]
_EMPTY: Mapping[str, NoReturn] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention: its span, its code or label, and its attributes.

    Args:
        spans: fragments ``(start, end)`` in characters (Unicode code points) from the start of
            the document, ends exclusive. They are kept sorted, and may not overlap.
        cui: the concept's code; None stands for CUI-less.
        slots: slot name to value; a missing slot has its default value. A slot with several codes
            holds a tuple.
        cues: slot name to the fragments of the words that led to the value. Files keep them, and
            they are never scored.
        id: its id, which relations use; unique in its document.
        coded: whether it has a code, even CUI-less; False if mentions have labels instead.

    Raises:
        InputError: there is no fragment; an offset is not an integer, negative or too large; an end
            is not after its start; fragments overlap; an id, a code or a name is not a string.

    Examples:
        >>> Mention([(31, 38), (4, 15)], "C0344720", {"severity": "moderate"}).spans
        ((4, 15), (31, 38))
        >>> Mention([(0, 7)], slots={"label": "Drug"}, id="T1", coded=False).as_dict()
        {'id': 'T1', 'spans': [[0, 7]], 'label': 'Drug'}
    """

    spans: tuple[Fragment, ...]
    cui: str | None
    slots: Mapping[str, Value]
    cues: Mapping[str, tuple[Fragment, ...]]
    id: str | None
    coded: bool

    def __init__(  # noqa: PLR0913 - what a mention has
        self,
        spans: Iterable[Sequence[int]],
        cui: str | None = None,
        slots: Mapping[str, Value] = _EMPTY,
        cues: Mapping[str, Iterable[Sequence[int]]] = _EMPTY,
        *,
        id: str | None = None,  # noqa: A002 - what everyone calls it
        coded: bool = True,
    ) -> None:
        for held, kind in ((slots, "slots"), (cues, "cues")):
            if not isinstance(held, Mapping):
                raise InputError(f"expected a dict, got {shown(held)}", where=kind)
            for name in held:
                if not isinstance(name, str):
                    raise InputError(f"expected strings as names, got {shown(name)}", where=kind)
        _judge_string("id", id)
        _judge_string("cui", cui, "a code or None")
        cue_fragments = {name: sort_fragments(cue) for name, cue in cues.items()}
        object.__setattr__(self, "spans", sort_fragments(spans))
        object.__setattr__(self, "cui", cui)
        object.__setattr__(self, "slots", MappingProxyType(dict(slots)))
        object.__setattr__(self, "cues", MappingProxyType(cue_fragments))
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "coded", coded)

    def __hash__(self) -> int:
        return hash((self.spans, self.cui))

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), id=self.id, coded=self.coded), (
            self.spans, self.cui, dict(self.slots), dict(self.cues)
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Return the mention as the evaluate modules take it.

        Examples:
            >>> Mention([(4, 15)], "C0344720", {"negation": "yes"}).as_dict()
            {'spans': [[4, 15]], 'cui': 'C0344720', 'negation': 'yes'}
        """
        slots = {k: list(v) if isinstance(v, tuple) else v for k, v in self.slots.items()}
        result: dict[str, object] = {} if self.id is None else {"id": self.id}
        result["spans"] = [list(span) for span in self.spans]
        if self.coded:
            result["cui"] = self.cui
        result |= slots
        if self.cues:
            result["cues"] = {k: [list(span) for span in cue] for k, cue in self.cues.items()}
        return result

    @classmethod
    def from_dict(cls, mention: object) -> Mention:
        """Reverse :meth:`as_dict`.

        Args:
            mention: a dict, as :meth:`as_dict` returns it.

        Raises:
            InputError: the argument is not a mention as a dict.

        Examples:
            >>> Mention.from_dict({"spans": [[4, 15]], "cui": None, "negation": "yes"}).slots
            mappingproxy({'negation': 'yes'})
        """
        if not isinstance(mention, Mapping):
            raise InputError(f"expected a mention as a dict, got {shown(mention)}")
        if "spans" not in mention:
            raise InputError("a mention has no 'spans'")
        name, code, cues = (mention.get(key) for key in ("id", "cui", "cues"))
        none = cues is None or (isinstance(cues, (list, str)) and not cues)
        if not none and not isinstance(cues, Mapping):
            raise InputError(f"cues: expected a dict, got {shown(cues)}")
        reserved = ("id", "spans", "cui", "cues")
        slots = {
            name: tuple(value) if isinstance(value, (list, tuple)) else value
            for name, value in mention.items()
            if name not in reserved
        }
        arrays = [key for key, value in slots.items() if is_array(value)]
        if arrays:
            problem = f"{shown(arrays[0])}: expected a value or a list, got an array"
            raise InputError(problem, remedy="Give array.tolist()")
        held = cues if isinstance(cues, Mapping) else {}
        return cls(mention["spans"], code, slots, held, id=name, coded="cui" in mention)


class Trigger(Mention):
    """A mention that brat's files hold as the trigger of an event, which may have no arguments.

    Other formats hold it as an ordinary mention.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two mentions of one document.

    Args:
        label: its label.
        source: the id of the mention that it goes from.
        target: the id of the mention that it goes to.

    Raises:
        InputError: an argument is not a string.

    Examples:
        >>> Relation("Strength-Drug", "T2", "T1").as_dict()
        {'label': 'Strength-Drug', 'from': 'T2', 'to': 'T1'}
    """

    label: str
    source: str
    target: str

    def __post_init__(self) -> None:
        for name, value in self.as_dict().items():
            if not isinstance(value, str):
                raise InputError(f"{name}: expected a string, got {shown(value)}")

    def as_dict(self) -> dict[str, str]:
        """Return the relation as the evaluate modules take it."""
        return {"label": self.label, "from": self.source, "to": self.target}

    @classmethod
    def from_dict(cls, relation: object) -> Relation:
        """Reverse :meth:`as_dict`.

        Args:
            relation: a dict, as :meth:`as_dict` returns it.

        Raises:
            InputError: the argument is not a relation as a dict.
        """
        if not isinstance(relation, Mapping) or set(relation) != {"label", "from", "to"}:
            raise InputError("expected a relation as a dict with 'label', 'from' and 'to'")
        return cls(relation["label"], relation["from"], relation["to"])


@dataclass(frozen=True, slots=True)
class Equivalence(Relation):
    """A relation that brat's files hold as an equivalence, without a direction.

    Other formats hold it as an ordinary relation.
    """


@dataclass(frozen=True, slots=True)
class Document:
    """The mentions of one document.

    Args:
        id: the document's name; documents with names are paired by name.
        mentions: the mentions, in any order.
        text: the note's text; needed for ``overlap="word"`` only. It is never shown.
        relations: the relations between mentions, which then have ids.
        language: the code of the note's language, such as ``es``, if a corpus has several.

    Raises:
        InputError: an argument has the wrong type or form.

    Examples:
        >>> Document("note-1", [Mention([(4, 15)], "C0344720")])
        Document(id='note-1', 1 mention)
    """

    id: str | None
    mentions: tuple[Mention, ...]
    text: str | None
    relations: tuple[Relation, ...]
    language: str | None = None

    def __init__(
        self,
        id: str | None,  # noqa: A002 - what everyone calls it
        mentions: Iterable[Mention] = (),
        text: str | None = None,
        relations: Iterable[Relation] = (),
        language: str | None = None,
    ) -> None:
        held = expect_all(Mention, mentions, "Mentions", "mentions")
        related = expect_all(Relation, relations, "Relations", "relations")
        _judge_string("id", id)
        _judge_string("text", text)
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "mentions", tuple(held))
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "relations", tuple(related))
        object.__setattr__(self, "language", judge_language(language))

    @property
    def place(self) -> str:
        """The document's name in messages."""
        return f"document {called(str(self.id))}"

    def __repr__(self) -> str:
        held = agree("{n} {mention|mentions}", len(self.mentions))
        if self.relations:
            held += agree(", {n} {relation|relations}", len(self.relations))
        return f"Document(id={self.id!r}, {held})"


def _judge_string(name: str, given: object, expected: str = "a string") -> None:
    if not (given is None or isinstance(given, str)):
        raise InputError(f"{name}: expected {expected}, got {shown(given)}")


def judge_language(language: object) -> str | None:
    """Return the code of a language, or None if there is none; reject anything else."""
    if language is None or (isinstance(language, str) and language.isprintable()):
        return language or None
    raise InputError("language: expected a code such as 'es'")


def sort_fragments(spans: Iterable[Sequence[int]]) -> tuple[Fragment, ...]:
    """Check the fragments of one mention, with the errors of :class:`Mention`, and sort them."""
    fragments = sorted(map(_fragment, expect_list(spans, "spans such as [[10, 20]]")))
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
    return judge_offset(number)
