"""Where a value is, and what it means: ``kb_id_``, ``_.is_negated``, ``attrs.negation``, a key.

A path begins with ``_`` for an extension, with ``attrs`` for what the span group says of the
mention, with an attribute of the span, with a key of a dict or an attribute of an object. Further
parts go into what is there: keys of a mapping, numbers of a sequence, attributes of an object. On
the way, None and a place that a sequence or a mapping does not have give None. Of spans that are
one mention together, those that have a value must have the same. In place of a path there may be a
function of the item: a span, a list of spans, a dict, an object.
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
"""Reads a value of an item, given what the item's span group says of it."""
Values = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the value of one slot is, and what its values mean.

    Args:
        path: a path, or a function of the item.
        values: value found to value of the slot; True and False are written ``true`` and
            ``false``. Of a set, the first of these that is in it counts. For a closed set of slot
            values it must name every value that can be found, None excepted; a code that it does
            not name stays as it is. Empty: values are those of the slot, or true and false as
            :meth:`~clineval.results.slots.Slot.word` has them.
    """

    path: Path
    values: Values = field(default_factory=dict)

    @classmethod
    def of(cls, given: object, where: str) -> Source:
        """Read what a configuration says: a path or a function, or ``path`` and ``values``."""
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
        """The extension that a path begins with, if a Doc's user data hold its values."""
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
        """The source as people read it."""
        if isinstance(self.path, str):
            return self.path
        return f"the function {getattr(self.path, '__name__', '')}".rstrip()


def compile_path(path: Path) -> Read:
    """Make a function that reads a path of an item, given what the item's span group says of it.

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
    """Return the one value of the parts of a mention; parts without a value do not count."""
    for value in values:
        _refuse_array(value, where)
    found = [value for value in values if value not in (None, "")]
    if any(value != found[0] for value in found):
        raise InputError(
            "the spans of one mention have different values",
            where=where,
            remedy="Set it on one of them alone, or give a function that says which value counts",
        )
    return found[0] if found else None


def step(value: object, parts: Sequence[str]) -> object:
    """Go on from a value along a path.

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
    """What the values found of a slot mean; None is the default. Each is looked up once."""

    def __init__(self, slot: Slot, source: Source) -> None:
        super().__init__({None: None, "": None})
        self._slot, self._source = slot, source

    def __missing__(self, found: object) -> object:
        self[found] = meaning = _translate(found, self._slot, self._source)
        return meaning

    def of(self, found: object) -> object:
        """Return the value of the slot that a value means."""
        try:
            return self[found]
        except TypeError:  # a list or a set, which cannot be a key
            return _translate(found, self._slot, self._source)

    def of_all(self, found: Sequence[object]) -> Sequence[object]:
        """Return the values of the slot that many values mean."""
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
            f"{slot.name}: no meaning is given for {shown(found)}, only for "
            f"{', '.join(map(shown, source.values))}",
            where=source.described if callable(source.path) else f"path {_shown_path(source.path)}",
            remedy="Add it to 'values'",
        )
    return slot.word(found)


def _refuse_array(value: object, where: str) -> None:
    """Refuse an array, which is neither equal to a value nor another, but is so in parts."""
    if is_array(value):
        problem = "expected a value or a list, got an array"
        raise InputError(problem, where=where, remedy="Give array.tolist()")


def _choose_name(member: Enum, slot: Slot, source: Source) -> object:
    """Return the value of an enum's member, or its name where that is what the slot knows."""
    known = source.values or slot.values
    names = (member.value, member.name, member.name.lower())
    return next((name for name in names if _spell(name) in known), member.value)


def _spell(value: object) -> str:
    """Spell a value as a key of a configuration, which is always a string."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _check_extension(owner: type[Span | Doc], name: str) -> None:
    """Refuse an extension that holds no value."""
    if not owner.has_extension(name):
        extensions = Underscore.span_extensions if owner is Span else Underscore.doc_extensions
        known = listed(sorted(extensions)) or "none"
        raise InputError(
            f"the extension {shown_name(name)} of {owner.__name__} is not registered; registered "
            f"are: {known}",
            remedy="Import the package that registers it, or add its component, before scoring",
        )
    if owner.get_extension(name)[1] is not None:
        raise InputError(
            f"the extension {shown_name(name)} is a method, not a value",
            remedy="Give another path, or a function",
        )


def no_attribute(owner: str, name: str) -> InputError:
    """Return the error for a path that leads nowhere."""
    return InputError(
        f"{owner} no attribute {shown_name(name)}",
        where=f"path {_shown_path(name)}",
        remedy="Give an attribute such as kb_id_, an extension such as _.cui, attrs.NAME, a key of "
        "dicts, or a function",
    )


def _shown_path(path: str) -> str:
    return named(path) or shown_name(path)
