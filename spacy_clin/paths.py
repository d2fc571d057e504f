"""Paths to values and the meaning of values: ``kb_id_``, ``_.is_negated``, ``attrs.negation``.

A path begins with ``_`` for an extension, ``attrs`` for the attrs of the mention in its span
group, an attribute of the span, a key of a dict, or an attribute of an object. Further parts are
keys of a mapping, positions in a sequence, or attributes of an object. If a value on the way is
None, or a mapping or sequence lacks the part, the result is None. If a mention has several spans,
all spans that have a value must have the same value. Instead of a path, a reader can use a function
of the item: a span, a list of spans, a dict or an object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup
from spacy.tokens.underscore import Underscore

from clineval.base.arrays import is_array
from clineval.base.errors import InputError, listed, named, shown, shown_name
from clineval.formats.dicts import Record
from clineval.results.slots import Slot

EXTENSION, ATTRS = "_", "attrs"
Path = str | Callable[..., object]
Read = Callable[[object, Record], object]
"""A function that reads a value of an item, given the item's attrs in its span group."""
Values = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Source:
    """The place of the value of one slot, and the meaning of its values.

    Args:
        path: a path, or a function of the item.
        values: a dict of value found to value of the slot; write True and False as ``true`` and
            ``false``. If a set is found, the dict's first key in the set counts. If the slot has a
            closed set of values, the dict must contain every value that can occur, except None.
            Other codes stay unchanged. If the dict is empty, values are values of the slot,
            or true and false as in :meth:`~clineval.results.slots.Slot.word`.
    """

    path: Path
    values: Values = field(default_factory=dict)

    @classmethod
    def of(cls, given: object, where: str) -> Source:
        """Make a source from a configuration: a path, a function, or ``path`` and ``values``."""
        if isinstance(given, Source):
            return given
        if isinstance(given, str) or callable(given):
            return cls(given)
        if not isinstance(given, Mapping) or "path" not in given or set(given) - {"path", "values"}:
            raise InputError(
                f"expected a path, a function, or 'path' and 'values', got {shown(given)}",
                where=where,
            )
        path, values = given["path"], given.get("values") or {}
        if not isinstance(path, str) and not callable(path):
            raise InputError(f"expected a path or a function, got {shown(path)}", where=where)
        if not isinstance(values, Mapping):
            raise InputError(f"values: expected a mapping, got {shown(values)}", where=where)
        return cls(path, {_spell(found): value for found, value in values.items()})

    @property
    def root(self) -> str:
        """The first part of a path; empty for a function."""
        return self.path.partition(".")[0] if isinstance(self.path, str) else ""

    @property
    def stored(self) -> str:
        """The extension at the start of a path, if a Doc's user data hold its values."""
        root, *parts = self.path.split(".") if isinstance(self.path, str) else [""]
        name = parts[0] if root == EXTENSION and parts else ""
        kept = Span.has_extension(name) and Span.get_extension(name)[1:3] == (None, None)
        return name if kept else ""

    @property
    def parts(self) -> Sequence[str]:
        """The rest of a path, after the extension."""
        return self.path.split(".")[2:] if isinstance(self.path, str) else ()

    @property
    def described(self) -> str:
        """The source in readable form."""
        if isinstance(self.path, str):
            return self.path
        return f"the function {getattr(self.path, '__name__', '')}".rstrip()


def compile_path(path: Path) -> Read:
    """Make a function that reads a path of an item, given the item's attrs in its span group.

    Examples:
        >>> import spacy
        >>> fever = spacy.blank("en")("No fever.")[1:2]
        >>> compile_path("text")(fever, {}), compile_path("attrs.negation")(fever, {"negation": 1})
        ('fever', 1)
        >>> compile_path("codes.0.id")({"codes": [{"id": "C0015967"}]}, {})
        'C0015967'
    """
    if not isinstance(path, str):
        return lambda item, _: path(item)
    root, *parts = path.split(".")
    if root == ATTRS and parts:
        return lambda _, told: step(told, parts)
    if root == EXTENSION and parts:
        _check_extension(Span, parts[0])
    return lambda item, _: _read(item, root, parts)


def compile_doc_path(path: str) -> Callable[[Doc], Any]:
    """Make a function of a Doc that reads an extension such as ``_.sections``."""
    _, name, *parts = path.split(".")
    _check_extension(Doc, name)
    return lambda doc: step(doc._.get(name), parts)


def _read(item: object, root: str, parts: Sequence[str]) -> object:
    if isinstance(item, Span) and root == EXTENSION and parts:
        return step(item._.get(parts[0]), parts[1:])
    if isinstance(item, (list, tuple, SpanGroup)):
        return agreed([_read(span, root, parts) for span in item], f"path {root}")
    if isinstance(item, Mapping):
        return step(item, [root, *parts])
    if not hasattr(item, root):
        owner = "spans have" if isinstance(item, Span) else f"{type(item).__name__} has"
        raise no_attribute(owner, root)
    return step(getattr(item, root), parts)


def agreed(values: Sequence[object], where: str) -> object:
    """Return the value that all parts of a mention share; ignore parts without a value."""
    for value in values:
        _refuse_array(value, where)
    found = [value for value in values if value not in (None, "")]
    if any(value != found[0] for value in found):
        raise InputError(
            "the spans of one mention have different values",
            where=where,
            remedy="Set the value on one of them only, or pass a function that chooses a value",
        )
    return found[0] if found else None


def step(value: object, parts: Sequence[str]) -> object:
    """Follow a path from a value.

    Examples:
        >>> step([("C0015967", 0.9), ("C0424755", 0.4)], ["0", "0"])
        'C0015967'
        >>> step([], ["0", "0"]) is step({}, ["Negation", "value"]) is None
        True
    """
    for part in parts:
        if value is None:
            return None
        if isinstance(value, Mapping):
            value = value.get(part)
        elif part.isdigit() and isinstance(value, Sequence):
            value = value[int(part)] if int(part) < len(value) else None
        elif hasattr(value, part):
            value = getattr(value, part)
        else:
            raise no_attribute(f"{type(value).__name__} has", part)
    return value


class Meanings(dict[object, object]):
    """Map the values found for a slot to values of the slot, each once; None is the default."""

    def __init__(self, slot: Slot, source: Source) -> None:
        super().__init__({None: None, "": None})
        self._slot, self._source = slot, source

    def __missing__(self, found: object) -> object:
        self[found] = meaning = _translate(found, self._slot, self._source)
        return meaning

    def of(self, found: object) -> object:
        """Return the slot's value for a value found."""
        try:
            return self[found]
        except TypeError:  # a list or a set, which cannot be a key
            return _translate(found, self._slot, self._source)

    def of_all(self, found: Sequence[object]) -> Sequence[object]:
        """Return the slot's values for many values found."""
        with suppress(TypeError):
            return list(map(self.__getitem__, found))
        return list(map(self.of, found))


def _translate(found: object, slot: Slot, source: Source) -> object:
    _refuse_array(found, slot.name)
    if isinstance(found, (set, frozenset, list, tuple)):
        if source.values:
            present = set(map(_spell, found))
            return next((value for key, value in source.values.items() if key in present), None)
        return sorted(found) if isinstance(found, (set, frozenset)) else list(found) or None
    if isinstance(found, Enum):
        found = _choose_name(found, slot, source)
    spelled = _spell(found)
    if spelled in source.values:
        return source.values[spelled] or None
    if source.values and slot.kind == "closed":
        raise InputError(
            f"{slot.name}: 'values' lacks {shown(found)}, it contains "
            f"{', '.join(map(shown, source.values))}",
            where=source.described if callable(source.path) else f"path {_shown_path(source.path)}",
            remedy="Add it to 'values'",
        )
    return slot.word(found)


def _refuse_array(value: object, where: str) -> None:
    """Reject an array, because comparing an array with a value compares its elements."""
    if is_array(value):
        problem = "expected a value or a list, got an array"
        raise InputError(problem, where=where, remedy="Pass array.tolist()")


def _choose_name(member: Enum, slot: Slot, source: Source) -> object:
    """Return the value of an enum's member, or its name if the slot accepts only the name."""
    known = source.values or slot.values
    names = (member.value, member.name, member.name.lower())
    return next((name for name in names if _spell(name) in known), member.value)


def _spell(value: object) -> str:
    """Spell a value as a key of a configuration; these are always strings."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _check_extension(owner: type[Span | Doc], name: str) -> None:
    """Reject an extension that is not registered, or is a method."""
    if not owner.has_extension(name):
        extensions = Underscore.span_extensions if owner is Span else Underscore.doc_extensions
        known = listed(sorted(extensions)) or "none"
        raise InputError(
            f"the extension {shown_name(name)} of {owner.__name__} is not registered; available: "
            f"{known}",
            remedy="Import the package that registers it, or add its component, before scoring",
        )
    if owner.get_extension(name)[1] is not None:
        raise InputError(
            f"the extension {shown_name(name)} is a method, not a value",
            remedy="Pass another path, or a function",
        )


def no_attribute(owner: str, name: str) -> InputError:
    """Return the error for a path whose attribute does not exist."""
    return InputError(
        f"{owner} no attribute {shown_name(name)}",
        where=f"path {_shown_path(name)}",
        remedy="Pass an attribute such as kb_id_, an extension such as _.cui, attrs.NAME, a key of "
        "dicts, or a function",
    )


def _shown_path(path: str) -> str:
    return named(path) or shown_name(path)
