"""Settings: the slots of mentions, and their place on a Doc."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Literal

from clineval.base.errors import InputError, shown_name, unknown_name
from clineval.formats.delimited.slots import unknown_value
from clineval.formats.dicts import Record
from clineval.results.challenge import Challenge
from clineval.results.registry import all_challenges
from clineval.results.slots import ANY, Slot
from clineval.results.views import DocView, usual_docs
from spacy_clin.getters import SpanGetter
from spacy_clin.paths import ATTRS, Path, Source

KEY, MENTIONS, ENTRIES, RELATIONS = "clin", "mentions", "entries", "relations"
SPANS, CODE, CONCEPT, NAME = "spans", "cui", "concept", "id"
LABELS, TYPE = ("type", "label"), "Disease_Disorder"
"""The slots that a span stores as its label, and the label of a mention without a type."""
BESIDE = frozenset({"cues", "id", "text", *LABELS})
"""Keys of a mention besides its slots."""
NIL = "NIL"
"""The code that spaCy's entity linker writes if it finds none."""
ID, GROUP = "id_", "group"
_CODE = Source("kb_id_", {NIL: ""})
OF_SPANS = {CODE: _CODE, CONCEPT: _CODE, **{name: Source("label_") for name in LABELS}}
"""The slots stored in attributes of spans."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The place of annotation on a Doc.

    An item is a span, a list of spans, a span group, a dict or an object; each is one mention.
    Paths and functions work on all of them, see :mod:`spacy_clin.paths`.

    Args:
        span_getter: the place of the items, see :data:`~spacy_clin.getters.SpanGetter`; None for
            the challenge's own span group.
        fragments: a path or function that returns the fragments of an item: pairs of offsets, or
            spans. By default, or if the value is missing, a span is its own fragment, and a dict or
            object has its fragments under ``spans``, ``fragments``, or ``start`` and ``end``.
            ``group``: all spans of a span group form one mention.
        tie: a path or function; items with equal values form one mention. ``id_``: spans of a
            span group, as written by :func:`~spacy_clin.set_mentions`.
        attributes: a dict of slot name to the place of its value. Other slots come from the span
            itself (``kb_id_``, ``label_``), from the key or attribute of their name in a dict or
            object, or have their default. None: the slot is not read. ``attrs``: all slots are in
            ``attrs`` of the span group under their names.
        offsets: the unit of pairs of offsets, ``char`` or ``token``; ends are exclusive.
        relations: a path such as ``_.relations``, or a function of the Doc, that returns the
            relations; None for those of :func:`~spacy_clin.set_mentions`, or else
            ``doc._.relations`` if this extension exists.
        note: advice for people who read the scores.

    Examples:
        >>> import spacy
        >>> from spacy_clin.reader import Reading
        >>> doc = spacy.blank("en")("No fever.")
        >>> doc.ents = [doc.char_span(3, 8, label="PROBLEM", kb_id="C0015967")]
        >>> list(Reading(Reader("ents"), [doc], [Slot("cui", "code")]))
        [[{'cui': 'C0015967', 'spans': [(3, 8)]}]]
    """

    span_getter: SpanGetter | None = None
    fragments: Path | None = None
    tie: Path | None = None
    attributes: Mapping[str, object] | Literal["attrs"] = field(default_factory=dict)
    offsets: Literal["char", "token"] = "char"
    relations: Path | None = None
    note: str = ""

    @property
    def sources(self) -> Mapping[str, Source | None]:
        """A dict of slot name to the place of its value in the settings; None: no place."""
        if isinstance(self.attributes, str):
            return {}
        return {
            name: None if given is None else Source.of(given, f"slot {shown_name(name)}")
            for name, given in self.attributes.items()
        }

    def unmapped(self, slots: Iterable[Slot]) -> list[str]:
        """Return the slots that keep their defaults if mentions are spans."""
        if self.attributes == ATTRS:
            return []
        known = {**OF_SPANS, **self.sources}
        return [s.name for s in slots if known.get(s.name) is None and s.name not in OF_SPANS]


@cache
def known_slots(*, coded: bool = False) -> Mapping[str, tuple[Slot, ...]]:
    """Return the slots of mentions in all challenges: name to the challenges' declarations.

    With ``coded``, return only slots of mentions that also have a code.
    """
    slots: dict[str, tuple[Slot, ...]] = {}
    for challenge in all_challenges():
        if view := view_of(challenge):
            of_configs = [view.slots(config) for config in challenge.task.configs]
            beside = [of for of in of_configs if not coded or any(s.name == CODE for s in of)]
            named = (slot for slot in chain.from_iterable(beside) if slot.name != ANY)
            for slot in dict.fromkeys(named):
                slots[slot.name] = (*slots.get(slot.name, ()), slot)
    return slots


def is_free(challenge: Challenge) -> bool:
    """Return whether mentions of a challenge can have slots of any name."""
    return challenge.kind.free


def view_of(challenge: Challenge) -> DocView | None:
    """Return how Docs hold the annotation of a challenge: as declared, as mentions, or None."""
    kind = challenge.kind
    if challenge.faces.docs or kind.given or "docs" in kind.lacks:
        return challenge.faces.docs
    measures = challenge.measures
    shown = dict.fromkeys((*measures.headline, *measures.rank_by("default")))
    return usual_docs(challenge.name, tuple(shown), kind.slots)


def check_slots(record: Record) -> None:
    """Reject slots that no challenge has, and values of closed slots that no challenge has.

    The slots that spans store as labels may have any value, even if a challenge has a closed slot
    of that name. Mentions without a code, or with a label, are not checked, because their data may
    define their own slots. Values are compared with the challenges whose mentions have codes.
    """
    known, coded = known_slots(), known_slots(coded=True)
    for name, value in record.items() if CODE in record and LABELS[1] not in record else ():
        if name not in known and name != SPANS and name not in BESIDE:
            raise unknown_slot(name)
        slots = () if name in BESIDE else coded.get(name, ())
        closed = [slot for slot in slots if slot.kind == "closed"]
        if value is None or not closed or len(closed) < len(slots):
            continue
        words = [(slot.word(value), slot) for slot in closed]
        if not any(isinstance(word, str) and slot.find(word) is not None for word, slot in words):
            raise unknown_value(closed[0], value, "")


def unknown_slot(name: object, where: str = "", known: Iterable[str] = ()) -> InputError:
    """Return the error for a slot that no challenge has; it lists the slots in ``known``."""
    return unknown_name("slot", name, sorted(known or known_slots()), where=where)
