"""Values of slots: where one is, and what the values found there mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clineval.errors import InputError, shown
from clineval.mentions.slots import Slot
from spacy_clin.paths import Batch, compile_path

Column = Callable[[Batch], Iterable[Any]]
"""Reads the values of one slot of some spans; None is the default."""


@dataclass(frozen=True, slots=True)
class ValueSource:
    """Where the value of one slot is, and what its values mean.

    Args:
        path: as in :mod:`spacy_clin.paths`.
        values: value found to value of the slot; True and False are written ``true`` and
            ``false``. Of a set, the first of these that is in it counts. For a closed set of slot
            values it must name every value that can be found, None excepted; a code that it does
            not name stays as it is. Empty: values are those of the slot, and True and False are
            the second and the first of a slot that has two.
    """

    path: str
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, given: str | Mapping[str, Any] | ValueSource, where: str) -> ValueSource:
        """Read what a configuration says: a path, or ``path`` and ``values``."""
        if isinstance(given, ValueSource):
            return given
        if isinstance(given, str):
            return cls(given)
        if not isinstance(given, Mapping) or "path" not in given or set(given) - {"path", "values"}:
            raise InputError(
                f"expected a path, or 'path' and 'values', got {shown(given)}", where=where
            )
        values = given.get("values") or {}
        return cls(given["path"], {_spell(found): value for found, value in values.items()})


def compile_column(slot: Slot, source: ValueSource) -> Column:
    """Make a function that reads a slot of some spans."""
    read = compile_path(source.path)
    known: dict[Any, Any] = {None: None, "": None}

    def translate(found: Any) -> Any:
        try:
            if found not in known:
                known[found] = _translate(found, slot, source)
            return known[found]
        except TypeError:  # a list or a set, which cannot be a key
            return _translate(found, slot, source)

    def read_column(batch: Batch) -> Iterable[Any]:
        found = read(batch)
        try:
            return list(map(known.__getitem__, found))
        except (KeyError, TypeError):
            return [translate(value) for value in found]

    return read_column


def _translate(found: Any, slot: Slot, source: ValueSource) -> Any:
    """The value of the slot that a value found means; None for the default."""
    if source.values and isinstance(found, (set, frozenset, list, tuple)):
        present = {_spell(item) for item in found}
        return next((value for key, value in source.values.items() if key in present), None)
    if isinstance(found, (list, tuple, set, frozenset)):
        return sorted(found) if isinstance(found, (set, frozenset)) else list(found) or None
    spelled = _spell(found)
    if spelled in source.values:
        return source.values[spelled] or None
    if source.values and slot.kind == "closed":
        raise InputError(
            f"{slot.name}: no meaning is given for {shown(found)}, only for "
            f"{', '.join(map(shown, source.values))}",
            where=f"path {source.path}",
            remedy="Add it to 'values'",
        )
    if isinstance(found, bool) and len(slot.values) == 2:  # noqa: PLR2004
        return slot.values[found]
    return found


def _spell(value: object) -> str:
    """A value as a key of a configuration, which is always a string."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return str(value)
