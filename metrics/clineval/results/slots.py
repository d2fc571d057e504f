"""Slots of mentions: a code or label, and attributes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Literal, TypeVar

import numpy as np

from clineval.base.errors import unknown_name
from clineval.results.declaring import check_words

T = TypeVar("T")
CUI_LESS = "cui-less"
NULL = "null"
_CUI_LESS_SPELLINGS = frozenset({"", "cuiless", CUI_LESS})
_SPELT = "CUI-less"
KINDS = ("closed", "label", "free", "code", "codes")
_USUAL = {"label": "", "free": "no", "code": CUI_LESS, "codes": NULL}
_TRUTH = {"true": True, "false": False}
ANY = "*"
"""The name of a slot that stands for any slots of mentions; ``values`` are names."""
INVENTED = "(invalid\u00a0value)"
"""Stands for an invalid value; no slot has a value with this kind of space."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot of a mention.

    Args:
        name: the slot's name, as in the inputs and in the keys of the results.
        kind: ``closed`` (a closed set of values), ``label`` (words, compared as they are written),
            ``free`` (words, or true and false, which mean ``yes`` and ``no``; the default is
            ``no``), ``code`` (one code) or ``codes`` (a set of codes).
        values: the closed set, default value first; inputs may use any case, results use the case
            of this set. For labels, all labels, or empty for any label. For codes, empty.
        required: whether a mention must have it; otherwise it has a default value. By default a
            code is required (None stands for CUI-less), and other slots are not.

    Examples:
        >>> Slot("negation", "closed", ("no", "yes")).default
        'no'
        >>> Slot("type", "closed", ("problem", "test", "treatment"), required=True).default
        >>> Slot("assertion", "closed", ("Present", "Absent")).fold("absent")
        'Absent'
    """

    name: str
    kind: Literal["closed", "label", "free", "code", "codes"]
    values: tuple[str, ...] = ()
    required: bool | None = None

    def __post_init__(self) -> None:
        check_words((self.name,), "the name of a slot")
        where = f"slot {self.name!r}"
        if self.kind not in KINDS:
            raise unknown_name("kind", self.kind, KINDS, where=where)
        closed = self.kind == "closed"
        fold = str.lower if closed else str
        check_words(self.values, f"{where}, values", fold=fold, least=int(closed), empty=True)

    @property
    def default(self) -> str | None:
        """The value of a slot that is left out; None if it may not be left out."""
        if self.required or (self.required is None and self.kind == "code"):
            return None
        return self.values[0] if self.kind == "closed" else _USUAL[self.kind]

    def find(self, value: str) -> str | None:
        """Find a value of the closed set, whatever its case; None if it is not in the set.

        Examples:
            >>> Slot("assertion", "closed", ("Present", "Absent")).find("absent")
            'Absent'
        """
        if value in self.values:
            return value
        lowered = value.lower()
        return next((known for known in self.values if known.lower() == lowered), None)

    def word(self, value: T) -> T | str:
        """Return the slot's own word for true or false, and any other value unchanged.

        True becomes ``yes`` or ``true`` if the slot has that value. Otherwise, if the slot has two
        values and one is the default, true becomes the other one. 1 and 0 count as true and false.

        Examples:
            >>> negation = Slot("negation", "closed", ("no", "yes"))
            >>> negation.word(True), negation.word("false"), negation.word("maybe")
            ('yes', 'no', 'maybe')
            >>> Slot("subject", "closed", ("patient", "family", "other")).word(True)
            True
        """
        own = isinstance(value, str) and self.find(value) is not None
        if self.kind not in ("closed", "free") or own:
            return value
        truth = _TRUTH.get(value.lower()) if isinstance(value, str) else as_truth(value)
        if truth is None:
            return value
        words = ("yes", "true") if truth else ("no", "false")
        if self.kind == "free":
            return words[0]
        has_two = self.default is not None and len(self.values) == 2  # noqa: PLR2004
        by_place = self.values[truth : truth + 1] if has_two else ()
        found = (self.find(word) for word in (*words, *by_place))
        return next((word for word in found if word is not None), value)

    def fold(self, value: str) -> str:
        """Return the form in which two values of this slot compare equal.

        Codes are in lower case, and values of a closed set have the case of the set; labels stay
        unchanged. An empty code is CUI-less. A set of codes is sorted, and contains ``null`` only
        if it contains nothing else.

        Args:
            value: a valid value of the slot.

        Examples:
            >>> Slot("cui", "code").fold("C0020538"), Slot("cui", "code").fold("CUIless")
            ('c0020538', 'cui-less')
            >>> Slot("body_location", "codes").fold("C2, C1,NULL")
            'c1,c2'
        """
        if self.kind in ("label", "free"):
            return value
        if self.kind == "closed":
            return self.find(value) or value.lower() or self.values[0]
        value = value.lower()
        if self.kind == "code":
            return CUI_LESS if value in _CUI_LESS_SPELLINGS else value
        given = {code.strip() for code in value.split(",")} - {"", NULL}
        codes = {CUI_LESS if code in _CUI_LESS_SPELLINGS else code for code in given}
        return ",".join(sorted(codes)) or NULL

    def judge(self, value: str) -> str:  # noqa: ARG002
        """Describe the problem of a ``value``; challenges override this for their own slots."""
        return ""

    def spell(self, value: str) -> str:
        """Write a folded value as people do.

        Examples:
            >>> Slot("cui", "code").spell("c0020538"), Slot("cui", "code").spell("cui-less")
            ('C0020538', 'CUI-less')
        """
        if self.kind in ("closed", "label", "free"):
            return value
        codes = value.split(",")
        return ",".join(_SPELT if code == CUI_LESS else code.upper() for code in codes)


def find_slot(slots: Iterable[Slot], name: str) -> Slot | None:
    """Return the slot with a name, or the free slot if there is one; otherwise None.

    Examples:
        >>> find_slot([Slot("*", "free")], "severity")
        Slot(name='severity', kind='free', values=(), required=None)
    """
    named = {slot.name: slot for slot in slots}
    return named.get(name) or (Slot(name, "free") if ANY in named and is_free(name) else None)


def name_slots(slots: Iterable[Slot]) -> list[Slot]:
    """Return the slots; named slots replace a free one."""
    named_slots = []
    for slot in slots:
        named_slots += [Slot(name, "free") for name in slot.values] if slot.name == ANY else [slot]
    return named_slots


def is_free(name: object) -> bool:
    """Return whether a free slot can have this name."""
    return isinstance(name, str) and name.isprintable() and bool(name.strip()) and name != ANY


def as_truth(value: object) -> bool | None:
    """Return True or False for a truth value; None for anything else."""
    # 1 and 0 too, because dicts take them for the same key, so that the order would decide
    known = isinstance(value, (Integral, float, np.bool_)) and value in {0, 1}
    return bool(value) if known else None
