"""The questions and classes of counts: which answers belong to them, and their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from clineval.kinds.classes.scheme import Scheme
from clineval.results.averages import label_key

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


def number_questions(
    scheme: Scheme, groups: Mapping[str, Sequence[str]]
) -> dict[str, tuple[int, ...]]:
    """Map the keys of questions, and of groups of questions, to the numbers of their questions.

    A single question needs no key.

    Examples:
        >>> pain = Scheme(("yes", "no"), ("chest pain", "leg pain"))
        >>> number_questions(pain, {"pain": pain.questions})
        {'chest_pain': (0,), 'leg_pain': (1,), 'pain': (0, 1)}
    """
    if scheme.alone:
        return {}
    alone = {label_key(name): (number,) for number, name in enumerate(scheme.questions)}
    number = scheme.questions.index
    return alone | {key: tuple(map(number, names)) for key, names in groups.items()}


def number_classes(
    scheme: Scheme, groups: Mapping[str, Sequence[str]]
) -> dict[str, tuple[int, ...]]:
    """Map the beginning of counts to the numbers of their answers.

    The number of an answer is the number of its question, times the number of classes, plus the
    number of its class.

    Examples:
        >>> number_classes(Scheme(("yes", "no"), ("pain", "fever")), {})["fever_no"]
        (3,)
    """
    keys, classes = list(map(label_key, scheme.values)), len(scheme.values)
    known = [{*map(label_key, scheme.values_of(name))} for name in scheme.questions]
    parts = {
        key: tuple(question * classes + number for question in range(len(known)))
        for number, key in enumerate(keys)
    }
    for name, questions in number_questions(scheme, groups).items():
        firsts = [question * classes for question in questions]
        parts[f"{name}{_MICRO}"] = tuple(first + at for first in firsts for at in range(classes))
        parts |= {
            f"{name}_{key}": tuple(first + number for first in firsts)
            for number, key in enumerate(keys)
            if any(key in known[question] for question in questions)
        }
    return parts
