"""What a challenge says of a mention besides its span: a code and attribute slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CUI_LESS = "cui-less"
NULL = "null"
_CUI_LESS_SPELLINGS = frozenset({"", "cuiless", CUI_LESS})


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot of a mention.

    Args:
        name: the slot's name, as in the inputs and in the keys of the results.
        kind: ``closed`` for a closed set of values, ``code`` for one code, ``codes`` for a set.
        values: the closed set, default value first; empty for codes.
        optional: whether a code may be left out; then it is CUI-less.

    Examples:
        >>> Slot("negation", "closed", ("no", "yes")).default
        'no'
    """

    name: str
    kind: Literal["closed", "code", "codes"]
    values: tuple[str, ...] = ()
    optional: bool = False

    @property
    def default(self) -> str | None:
        """The value of a slot that is left out; None for a code that may not be left out."""
        if self.kind == "closed":
            return self.values[0]
        if self.kind == "code" and self.optional:
            return CUI_LESS
        return NULL if self.kind == "codes" else None

    def fold(self, value: str) -> str:
        """The form in which two values of this slot compare equal.

        Case is folded; an empty code is CUI-less; a set of codes is sorted, and contains ``null``
        only when it contains nothing else.

        Examples:
            >>> Slot("cui", "code").fold("C0020538"), Slot("cui", "code").fold("CUIless")
            ('c0020538', 'cui-less')
            >>> Slot("body_location", "codes").fold("C2, C1,NULL")
            'c1,c2'
        """
        value = value.lower()
        if self.kind == "closed":
            return value or self.values[0]
        if self.kind == "code":
            return CUI_LESS if value in _CUI_LESS_SPELLINGS else value
        codes = {_fold_location(code.strip()) for code in value.split(",")} - {NULL}
        return ",".join(sorted(codes)) or NULL


def _fold_location(code: str) -> str:
    if code == "":
        return NULL
    return CUI_LESS if code in _CUI_LESS_SPELLINGS else code
