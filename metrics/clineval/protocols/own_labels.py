"""Labels, types and slots of a user's own scheme: chosen by an option, or found in the data."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from clineval.base.errors import (
    InputError,
    NewNamesWarning,
    one_line,
    shown,
    shown_name,
    warn_user,
)
from clineval.base.hashing import hash_text
from clineval.base.subjects import about, name_subject, system_name
from clineval.results.averages import label_key
from clineval.results.slots import INVENTED, Slot

_RESERVED = frozenset({"macro"})
_FEW = 8
"""The most labels that a signature lists."""


@dataclass(frozen=True, slots=True)
class AnsweredLabel(Slot):
    """The label of an answer, which is checked against the known labels.

    Args:
        keys: known labels by their key in the results.
    """

    keys: Mapping[str, str] = field(default_factory=dict)

    def judge(self, value: str) -> str:
        """Return a message if a label has no key in the results, or another label's key."""
        key = label_key(value)
        if key and key not in _RESERVED and self.keys.get(key, value) == value:
            return ""
        return f"{self.name} {shown(value)} is not one of the labels"


def parse_labels(labels: object) -> tuple[str, ...] | None:
    """Parse the labels to score.

    Raises:
        InputError: a value is not a label, or two labels have the same key.

    Examples:
        >>> parse_labels("Drug,ADE")
        ('Drug', 'ADE')
    """
    remedy = "Rename it, or leave it out with labels="
    return None if labels is None else parse_names(labels, "labels", "label", remedy)


def key_labels(labels: Iterable[str]) -> dict[str, str]:
    """Return labels by their key in the results; of several labels with one key, the first counts.

    The placeholder for an impossible label of an answer is ignored.

    Examples:
        >>> key_labels(["Drug", "drug", "ADE"])
        {'drug': 'Drug', 'ade': 'ADE'}
    """
    keys: dict[str, str] = {}
    for label in labels:
        key = label_key(label)
        if label != INVENTED and key and key not in _RESERVED:
            keys.setdefault(key, label)
    return keys


def parse_slots(slots: object) -> tuple[str, ...] | None:
    """Parse the slots to score, None without any; raise as :func:`parse_labels` does."""
    return (None if slots is None else parse_names(slots, "slots", "slot")) or None


def parse_names(names: object, where: str, kind: str, remedy: str = "Rename it") -> tuple[str, ...]:
    """Parse names; reject two names with the same key in the results."""
    if not isinstance(names, (str, list, tuple, set, frozenset)):
        raise InputError(f"expected a list of {where}, got {shown(names)}", where=where)
    given = tuple(names.split(",") if isinstance(names, str) else names)
    if not all(isinstance(name, str) for name in given):
        raise InputError(f"expected {where} as strings, got {shown(names)}", where=where)
    keys: dict[str, str] = {}
    for name in given:
        key = label_key(name)
        if not key:  # without a letter it cannot be a word of a note, so it may be shown
            problem = f"the {kind} {one_line(name)!r} has no letter or digit to name its scores by"
            raise InputError(problem, where=where, remedy=remedy)
        if key in _RESERVED or keys.setdefault(key, name) != name:
            other = f", like {shown_name(keys[key])}" if key in keys else ""
            raise InputError(
                f"the {kind} {shown_name(name)} would be called {key!r} in the results{other}",
                where=where,
                remedy=remedy,
            )
    return tuple(keys.values())


def list_in_signature(labels: Sequence[str]) -> str:
    """Write the labels for a signature; many become their number and a digest.

    Examples:
        >>> list_in_signature(("Drug", "ADE")), list_in_signature([*"abcdefghij"])
        ('drug+ade', '10-edc46ae77')
    """
    name = "+".join(map(label_key, labels))
    return name if len(labels) <= _FEW else f"{len(labels)}-{hash_text(name):016x}"[:12]


def warn_of_new(
    references: Collection[str], systems: Iterable[Collection[str]], word: str = "label"
) -> None:
    """Warn about each system's labels that the references lack.

    Args:
        references: the labels in the references.
        systems: the labels of each system that have scores of their own.
        word: the word for a label.
    """
    for number, labels in enumerate(systems):
        with about(system_name(number)):
            problem = (
                f"{{n}} {{{word}|{word}s}} of predictions {{does|do}} not occur in the references, "
                "and {has|have} F1 0 in the means over " + f"{word}s: {{names}}"
            )
            if new := [label for label in labels if label not in references]:
                warn_user(NewNamesWarning(name_subject(problem), new, n=len(new)))
