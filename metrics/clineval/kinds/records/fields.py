"""The fields of records: their possible values, and how two values are compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from clineval.base.errors import InputError, shown, unknown_name
from clineval.kinds.records.values import INVALID, MOST_BRACKETS, is_too_deep, spell, write_json
from clineval.results.declaring import check_words

KINDS = ("label", "closed", "value", "number", "words", "set")
AND = " + "
"""Joins the labels of a :class:`JoinedField`."""
Fold = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record.

    Args:
        name: its name in outcomes, and in the keys of scores.
        kind: ``label`` (words, compared as they are written), ``closed`` (one of ``values``),
            ``value`` (any JSON value, compared by :func:`~clineval.kinds.records.values.spell`),
            ``number`` (a JSON number, compared within ``tolerance``), ``words`` (a text, compared
            by its words) or ``set`` (a list, compared by its members).
        values: the values of a closed field.
        required: whether a record must have it; a ``value`` may be null.
        key: its name in the input, if it differs.
        fold: returns the form in which labels, closed values, strings in values, and members as
            JSON are compared; for words, the text that is split at spaces.
        tolerance: the largest difference between two numbers that count as equal.

    Examples:
        >>> kind = Field("order_type", "closed", ("lab", "imaging"), fold=str.lower)
        >>> kind.read("Lab"), kind.take("biopsy"), Field("turns", "set").read([2, 1, 2.0])
        ('lab', '(invalid)', '["1", "2"]')
        >>> dose = Field("dose", "number", tolerance=0.5)
        >>> dose.read(12.0), dose.take("12"), dose.take(None)
        ('12', '(invalid)', '')
    """

    name: str
    kind: Literal["label", "closed", "value", "number", "words", "set"]
    values: tuple[str, ...] = ()
    required: bool = False
    key: str = ""
    fold: Fold = str
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        where = f"field {self.name!r}"
        check_words((self.name,), "name of a field")
        if self.kind not in KINDS:
            raise unknown_name("kind", self.kind, KINDS, where=where)
        least = int(self.kind == "closed")
        check_words(self.values, f"{where}, values", fold=self.fold, least=least)
        if not 0 <= self.tolerance < inf or (self.tolerance and self.kind != "number"):
            problem = "expected a number of at least 0, and a field of numbers"
            raise InputError(problem, where=f"tolerance of the field {self.name!r}")

    def find(self, record: Mapping[str, object]) -> object:
        """Return the value of this field in a record; None if there is none."""
        return record.get(self.key or self.name)

    def declares(self, text: str) -> bool:
        """Return whether a text consists of declared values, so that a page may always show it."""
        return text in self.values

    def take(self, value: object) -> str:
        """Return the text of a value; an invalid value becomes ``INVALID``.

        Args:
            value: a JSON value.
        """
        try:
            return self.read(value)
        except InputError:
            return INVALID

    def read(self, value: object) -> str:
        """Return the text of a value; empty if there is none.

        Labels that are numbers become their digits.

        Args:
            value: a JSON value.

        Raises:
            InputError: a required value is missing, or the value is invalid.
        """
        text = self._read(value)
        if text == INVALID or (self.required and text in ("", "[]")):
            raise self._refusal(value)
        return text

    def _refusal(self, value: object) -> InputError:
        name = self.key or self.name
        if not isinstance(value, str) and is_too_deep(value):
            return InputError(
                f"{name}: a value with too many brackets, expected fewer than {MOST_BRACKETS}",
                remedy="Nest lists and objects less deeply, or split the record",
            )
        return InputError(f"{name}: expected {self._wanted}, got {shown(value)}")

    def _read(self, value: object) -> str:
        if self.kind == "value":
            return write_json(value) or INVALID
        if value is None:
            return "[]" if self.kind == "set" else ""
        if self.kind == "set":
            return self._read_set(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = spell(value) if write_json(value) else None
        elif self.kind == "number":
            return INVALID
        if not isinstance(value, str):
            return INVALID
        text = self.fold(value)
        known = self.kind != "closed" or not text or text in map(self.fold, self.values)
        return text if known else INVALID

    def _read_set(self, value: object) -> str:
        if not isinstance(value, (list, tuple)) or not write_json(value):
            return INVALID
        members = {self.fold(spell(member)) for member in value}
        return json.dumps(sorted(members), ensure_ascii=False)

    @property
    def _wanted(self) -> str:
        if self.kind == "closed":
            return f"one of {', '.join(self.values)}"
        words = {"label": "a word or words", "value": "a JSON value", "set": "a list"}
        return {**words, "number": "a number"}.get(self.kind, "a text")


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


class Written(Field):
    """A field that is kept exactly as it was written, even NaN, for released programs."""

    def find(self, record: Mapping[str, object]) -> object:
        """Return a list with the value of this field in a record; empty if there is none."""
        key = self.key or self.name
        return [record[key]] if key in record else []

    def read(self, value: Any) -> str:
        """Return the value as JSON; empty if there is none."""
        try:
            return json.dumps(value[0], ensure_ascii=False) if value else ""
        except (TypeError, ValueError, RecursionError):
            wanted = "expected a JSON value that is not nested too deeply"
            raise InputError(f"{self.key or self.name}: {wanted}") from None
