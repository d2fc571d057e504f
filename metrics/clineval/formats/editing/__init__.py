"""Corrections of mentions in their files; all other bytes of a file stay unchanged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from clineval.base.errors import InputError, shown, shown_name
from clineval.formats.dicts import UNSCORED
from clineval.kinds.mentions.mention import Fragment
from clineval.results.slots import ANY, INVENTED, Slot, find_slot

_TAKEN = UNSCORED | {"spans", "cui"}
"""Keys of mentions that are never free slots."""
Fragments = tuple[Fragment, ...]
Held = Mapping[str, str]
"""The slots that a mention has in its file, as people write them."""


@dataclass(frozen=True, slots=True)
class Known:
    """Identifies a mention: its fragments, and its class as people write it."""

    spans: Fragments
    label: str

    def __str__(self) -> str:
        return f"{spell_spans(self.spans)} {self.label}".strip()


@dataclass(frozen=True, slots=True)
class Edit:
    """A correction of one mention.

    Args:
        document: the document's name.
        old: the mention to change or remove; None to add a mention.
        new: the corrected mention; None to remove it.
        slots: the values of its other slots, as people write them; None to keep the values.
        where: the source of the correction, for messages.
        own: the slots of ``old``, as people write them, which distinguish it from other mentions
            with its span and class; empty if it has none, or if they are unknown.
        scored: the slots that were scored when the correction was made; None if unknown.
        changed: the slots that changed, each with its value before and after; editors fill it.
    """

    document: str
    old: Known | None
    new: Known | None
    slots: Mapping[str, str] | None = None
    where: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    scored: Collection[str] | None = None
    changed: dict[str, tuple[str, str]] = field(default_factory=dict, compare=False)

    def refuse(self, problem: str, remedy: str = "") -> InputError:
        """Return an error that names the correction."""
        return InputError(f"{self.old or self.new}: {problem}", where=self.where, remedy=remedy)


@dataclass(frozen=True, slots=True)
class Labels:
    """The class and slots of a metric's mentions.

    Args:
        classes: the slot with the class; None if there is none.
        slots: the slots of all mentions, with the class.
        free: whether mentions can have any other slots.
        events: the classes that are events in brat's files.
        noted: the slot that is a note in brat's files; empty for none.
    """

    classes: Slot | None
    slots: Sequence[Slot] = field(default=())
    free: bool = False
    events: tuple[str, ...] = ()
    noted: str = ""

    def spell(self, value: object) -> str:
        """Write a class as people do, to compare it with others."""
        if self.classes is None:
            return ""
        given = value if isinstance(value, str) else ""
        return self.classes.spell(self.classes.fold(given))

    def others(self) -> list[Slot]:
        """List the slots without the class."""
        return [slot for slot in self.slots if slot != self.classes]

    @property
    def eventless(self) -> str:
        """The class of mentions without an event, if other classes are events."""
        known = self.classes.values if self.classes else ()
        return next((label for label in known if label not in self.events), "")

    def check(self, edit: Edit) -> None:
        """Reject a correction with a class or a slot that the metric's mentions cannot have."""
        for name, value in (edit.slots or {}).items():
            slot = self.find(name)
            if slot is None:
                raise edit.refuse(f"to_slots: the metric has no slot {shown_name(name)}")
            if value == INVENTED or (slot.kind == "closed" and slot.fold(value) not in slot.values):
                problem = f"to_slots: {shown_name(name)} cannot be {shown(value)}"
                raise edit.refuse(problem, "Correct it by hand")
        for name in edit.own:
            if self.find(name) is None:
                raise edit.refuse(f"slots: the metric has no slot {shown_name(name)}")
        known = self.classes.values if self.classes else ()
        label = edit.new.label if edit.new and edit.new != edit.old else ""
        if label == INVENTED or (label and known and label not in known and not _keeps(edit)):
            raise edit.refuse(f"to_class: the metric has no class {shown(label)}")

    def list_slots(self, edit: Edit) -> list[tuple[Slot, str]]:
        """List the slots that a correction sets, with their values; free slots last, by name."""
        given = edit.slots or {}
        declared = [slot.name for slot in self.others() if slot.name in given]
        named = [*declared, *sorted(given.keys() - set(declared))]
        return [(slot, given[slot.name]) for slot in filter(None, map(self.find, named))]

    def agree(self, one: Held, other: Held, names: Iterable[str]) -> bool:
        """Return whether two mentions have the same values in some slots."""
        slots = filter(None, map(self.find, names))
        return all(_folded(one, slot) == _folded(other, slot) for slot in slots)

    def find(self, name: str) -> Slot | None:
        """Find a slot other than the class by name; None if mentions cannot have this slot."""
        if name in _TAKEN or (self.classes and name == self.classes.name):
            return None
        return find_slot([*self.others(), *([Slot(ANY, "free")] if self.free else [])], name)


def _folded(held: Held, slot: Slot) -> str:
    return slot.fold(held.get(slot.name, slot.default or ""))


def _keeps(edit: Edit) -> bool:
    return edit.old is not None and edit.new is not None and edit.old.label == edit.new.label


Text = Callable[[str], str | None]
"""Returns the text of a document by name; None if unknown."""


def spell_spans(spans: Fragments) -> str:
    """Write fragments as pages and pipe files do.

    Examples:
        >>> spell_spans(((4, 15), (31, 38)))
        '4-15,31-38'
    """
    return ",".join(f"{start}-{end}" for start, end in spans)


def lines_of(text: str) -> list[str]:
    r"""Split text after each ``\n``, and at no other character.

    Examples:
        >>> lines_of("a\u2028b\nc")
        ['a\u2028b\n', 'c']
    """
    return list(StringIO(text, newline="\n"))


def find_meant(edit: Edit, labels: Labels, twins: Sequence[Held]) -> list[int]:
    """Find the mentions to correct, by slots, among mentions with the same span and class.

    Mentions with equal values of all scored slots count as one, and are corrected together.

    Args:
        edit: the correction.
        labels: the slots of mentions.
        twins: the slots of each mention with this span and class.

    Returns:
        The indices of the mentions to correct.

    Raises:
        InputError: the correction does not identify the mention.
    """
    meant = [at for at, of in enumerate(twins) if labels.agree(of, edit.own, edit.own)]
    names = {name for at in meant for name in twins[at]} if edit.scored is None else edit.scored
    if any(not labels.agree(twins[at], twins[meant[0]], names) for at in meant):
        raise edit.refuse(
            f"{len(meant)} mentions have this span and class and differ in slots, and the remark "
            "does not identify one of them",
            "Decide again in a new report that shows these slots",
        )
    return meant


def refuse_lost(edits: Sequence[Edit], done: set[int]) -> None:
    """Reject corrections of mentions that were not found."""
    for number, edit in enumerate(edits):
        if number not in done and edit.old is not None:
            raise edit.refuse(
                "the gold standard has no such mention",
                "Pass the gold standard of the report",
            )
