"""Values that records of some kinds may have, where they depend on another field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.base.errors import warn
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.fields import AND
from clineval.kinds.records.values import INVALID


@dataclass(frozen=True, slots=True)
class Allowed:
    """The values that each kind of record may have; other values are kept, with a warning.

    Args:
        by: the field that holds the kind of a record.
        values: kind to the names of its other fields, and their values in any case. A field that a
            kind does not have is ignored, with a warning.
    """

    by: str
    values: Mapping[str, Mapping[str, tuple[str, ...]]]

    def apply(self, side: Side) -> Side:
        """Empty the fields that kinds of records do not have, and warn about other values."""
        ignored, odd = (np.zeros(len(side.mentions), np.bool_) for _ in range(2))
        columns = dict(side.mentions.attributes)
        for name, column in side.mentions.attributes.items():
            if name == self.by:
                continue
            lacking = {kind for kind, fields in self.values.items() if name not in fields}
            without = columns[self.by].is_among(lacking)
            ignored |= without & ~column.is_among({""})
            columns[name] = column.blank(without)
            odd |= self._find_odd(side, name)
        _warn_of(side, ignored, f"fields that their {self.by} does not have, which are ignored")
        _warn_of(side, odd, "values that are not listed, which are compared as they are")
        return replace(side, mentions=replace(side.mentions, attributes=columns))

    def _find_odd(self, side: Side, name: str) -> BoolArray:
        """Return which records have an unlisted value in a field of their kind, ``[n]``."""
        column = side.mentions.attributes[name]
        odd = np.zeros(len(side.mentions), np.bool_)
        for kind, fields in self.values.items():
            listed = {INVALID, *map(str.lower, fields.get(name, ()))}
            values = {v for v in column.values if not listed.issuperset(_split(v))}
            if name in fields:
                odd |= side.mentions.attributes[self.by].is_among({kind}) & column.is_among(values)
        return odd


def _split(text: str) -> list[str]:
    """Return the labels of a text, in lower case."""
    return text.lower().split(AND)


def _warn_of(side: Side, rows: BoolArray, what: str) -> None:
    """Warn about the documents of some rows."""
    numbers = np.unique(side.mentions.document[rows]).tolist()
    names = [side.documents[number] or str(number) for number in numbers]
    warn(f"{{n}} {{document has|documents have}} {what}: {{names}}", names)
