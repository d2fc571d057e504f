"""What mentions can have, and where it is on a Doc, as settings."""

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
from clineval.results.slots import Slot
from clineval.results.views import DocView, usual_docs
from spacy_clin.getters import SpanGetter
from spacy_clin.paths import ATTRS, Path, Source

KEY, MENTIONS, ENTRIES, RELATIONS = "clin", "mentions", "entries", "relations"
SPANS, CODE, CONCEPT, NAME = "spans", "cui", "concept", "id"
LABELS, TYPE = ("type", "label"), "Disease_Disorder"
"""The slots that a span has as its label, and the label of a mention whose type is not said."""
BESIDE = frozenset({"cues", "id", "text", *LABELS})
"""What can be said of a mention besides its slots."""
NIL = "NIL"
"""What spaCy's entity linker writes where it finds no code."""
ID, GROUP = "id_", "group"
_CODE = Source("kb_id_", {NIL: ""})
OF_SPANS = {CODE: _CODE, CONCEPT: _CODE, **{name: Source("label_") for name in LABELS}}
"""The slots that spans have by themselves."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Where annotation is on a Doc.

    An item is a span, a list of spans, a span group, a dict or an object; each is one mention.
    Paths and functions work on all of them, see :mod:`spacy_clin.paths`.

    Args:
        span_getter: where the items are, see :data:`~spacy_clin.getters.SpanGetter`; None for the
            challenge's own span group.
        fragments: a path or function that gives the fragments of an item: pairs of offsets, or
            spans. None, or nothing there: a span is its own fragment, and a dict or object has
            them under ``spans``, ``fragments``, or ``start`` and ``end``. ``group``: all spans of
            a span group are one mention.
        tie: a path or function whose equal values join items to one mention. ``id_``: spans of a
            span group as :func:`~spacy_clin.set_mentions` writes them.
        attributes: slot name to where its value is; a slot left out is what a span says of itself
            (``kb_id_``, ``label_``), or what a dict or object has under its name, or its default.
            None for a slot that is not to be read. ``attrs``: all are in ``attrs`` of the span
            group under their names.
        offsets: ``char`` or ``token``: what pairs of offsets count, ends exclusive.
        relations: a path such as ``_.relations``, or a function of the Doc, that gives the
            relations; None for those of :func:`~spacy_clin.set_mentions`, or else
            ``doc._.relations`` if there is such an extension.
        note: what a reader of the scores should know.

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
        """Slot name to where its value is, as the settings say; None: nowhere."""
        if isinstance(self.attributes, str):
            return {}
        return {
            name: None if given is None else Source.of(given, f"slot {shown_name(name)}")
            for name, given in self.attributes.items()
        }

    def unmapped(self, slots: Iterable[Slot]) -> list[str]:
        """Return the slots that stay at their defaults, of mentions that are spans."""
        if self.attributes == ATTRS:
            return []
        known = {**OF_SPANS, **self.sources}
        return [s.name for s in slots if known.get(s.name) is None and s.name not in OF_SPANS]


@cache
def known_slots(*, coded: bool = False) -> Mapping[str, tuple[Slot, ...]]:
    """Return the slots of mentions in any challenge: name to the challenges' declarations.

    Those ``coded`` are slots of mentions that have a code besides.
    """
    slots: dict[str, tuple[Slot, ...]] = {}
    for challenge in all_challenges():
        if view := view_of(challenge):
            of_configs = [view.slots(config) for config in challenge.task.configs]
            beside = [of for of in of_configs if not coded or any(s.name == CODE for s in of)]
            for slot in dict.fromkeys(chain.from_iterable(beside)):
                slots[slot.name] = (*slots.get(slot.name, ()), slot)
    return slots


def is_free(challenge: Challenge) -> bool:
    """Tell whether mentions of a challenge can have slots of any name."""
    return challenge.kind.free


def view_of(challenge: Challenge) -> DocView | None:
    """Return how Docs hold what a challenge scores: as declared, or as any mentions; else None."""
    kind = challenge.kind
    if challenge.faces.docs or kind.given or "docs" in kind.lacks:
        return challenge.faces.docs
    return usual_docs(challenge.name, challenge.measures.headline, kind.slots)


def check_slots(record: Record) -> None:
    """Refuse slots that no challenge has, and values that none has of slots that are closed.

    What is the label of spans in every challenge can be any, though some have a closed slot of
    that name. A mention without a code, or with a label beside it, may be of data that name their
    slots themselves; values are those of challenges whose mentions have codes.
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
    """Return the error for a name that is not a slot of any challenge; lists those ``known``."""
    return unknown_name("slot", name, sorted(known or known_slots()), where=where)
