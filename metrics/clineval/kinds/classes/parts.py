"""The questions and classes of counts, by their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

_TP, _MICRO = "_tp", "_micro"
EXACT, OVERLAP = MATCHES = ("evidence_exact", "evidence_overlap")
"""The beginning of the counts of evidence, which belongs to no class."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The questions and classes whose names the counts have.

    Args:
        classes: the keys of classes.
        each: the key of a question to the keys of its classes.
    """

    classes: Sequence[str]
    each: Mapping[str, Sequence[str]]

    @property
    def keys(self) -> dict[str, Sequence[str]]:
        """The beginning of keys, of all questions and of each, to the classes."""
        return {"": self.classes} | {f"{key}_": classes for key, classes in self.each.items()}


def find_parts(names: Collection[str]) -> Parts:
    """Find questions and classes among the names of counts.

    Examples:
        >>> names = ["micro_tp", "yes_tp", "no_tp", "pain_micro_tp", "pain_yes_tp", "pain_no_tp"]
        >>> find_parts(names)
        Parts(classes=['yes', 'no'], each={'pain': ['yes', 'no']})
    """
    keys = [name.removesuffix(_TP) for name in names if name.endswith(_TP)]
    keys = [key for key in keys if key not in MATCHES]
    questions = [key.removesuffix(_MICRO) for key in keys if key.endswith(_MICRO)]
    known = dict.fromkeys(keys)
    each = {
        question: [key for key in keys if f"{question}_{key}" in known] for question in questions
    }
    taken = {f"{question}_{key}" for question, classes in each.items() for key in classes}
    taken |= {"micro", *(f"{question}{_MICRO}" for question in questions)}
    classes = [key for key in keys if key not in taken]
    own = set(classes)
    return Parts(classes, {q: [key for key in of if key in own] for q, of in each.items()})
