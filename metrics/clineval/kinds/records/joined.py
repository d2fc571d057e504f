"""Fields with several values in one text, such as the types of a drug."""

from __future__ import annotations

from dataclasses import dataclass

from clineval.kinds.records.fields import Field

AND = " + "
"""Joins the values."""


@dataclass(frozen=True, slots=True)
class JoinedField(Field):
    """Labels in any order, joined by `` + `` or in a list.

    Args:
        distinct: whether repeated and empty labels are left out.

    Examples:
        >>> types = JoinedField("types", "label", ("arb", "statin"), fold=str.lower)
        >>> types.read("Statin + ARB + statin"), types.read(["ARB", "aspirin"])
        ('arb + statin', 'arb + aspirin')
        >>> types.declares("arb + statin"), types.declares("arb + aspirin")
        (True, False)
    """

    distinct: bool = True

    def read(self, value: object) -> str:
        """Return the labels, sorted and joined; empty if there are none."""
        if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
            value = AND.join(value)
        members = value.split(AND) if isinstance(value, str) else [value]
        texts = [Field.read(self, one) for one in members]
        return AND.join(sorted(set(texts) - {""} if self.distinct else texts))

    def declares(self, text: str) -> bool:
        """Return whether all labels in a text are declared."""
        return set(text.split(AND)).issubset(self.values)
