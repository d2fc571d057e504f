"""Where a value is, and what it means: ``kb_id_``, ``_.is_negated``, ``attrs.negation``, a key.

A path begins with ``_`` for an extension, with ``attrs`` for what the span group says of the
mention, with an attribute of the span, with a key of a dict or an attribute of an object. Further
parts go into what is there: keys of a mapping, numbers of a sequence, attributes of an object. On
the way, None and a place that a sequence or a mapping does not have give None. Of spans that are
one mention together, those that have a value must have the same. In place of a path there may be a
function of the item: a span, a list of spans, a dict, an object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span, SpanGroup

from clineval.base.errors import InputError, listed, shown, shown_name
from clineval.kinds.mentions.slots import Slot
from spacy_clin.guards import check_extension, no_attribute, path_name

EXTENSION, ATTRS = "_", "attrs"
Path = str | Callable[[Any], Any]
Told = Mapping[str, Any]
"""What a span group says of an item."""
Values = Mapping[str, str]
_NOTHING: tuple[Any, ...] = (None, "")


@dataclass(frozen=True, slots=True)
class Source:
    """Where the value of one slot is, and what its values mean.

    Args:
        path: a path, or a function of the item.
        values: value found to value of the slot; True and False are written ``true`` and
            ``false``. Of a set, the first of these that is in it counts. For a closed set of slot
            values it must name every value that can be found, None excepted; a code that it does
            not name stays as it is. Empty: values are those of the slot, or true and false as
            :meth:`~clineval.kinds.mentions.slots.Slot.word` has them.
    """

    path: Path
    values: Values = field(default_factory=dict)

    @classmethod
    def of(cls, given: Any, where: str) -> Source:
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
        name = self.path.split(".")[1] if self.root == EXTENSION else ""  # type: ignore[union-attr]
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


def compile_path(path: Path) -> Callable[[Any, Told], Any]:
    """Make a function that reads a path of an item, given what the item's span group says of it.

    Examples:
        >>> import spacy
        >>> fever = spacy.blank("en")("No fever.")[1:2]
        >>> compile_path("text")(fever, {}), compile_path("attrs.negation")(fever, {"negation": 1})
        ('fever', 1)
        >>> compile_path("codes.0.id")({"codes": [{"id": "C0015967"}]}, {})
        'C0015967'
    """
    if callable(path):
        return lambda item, _: path(item)
    root, *parts = path.split(".")
    if root == ATTRS and parts:
        return lambda _, told: step(told, parts)
    if root == EXTENSION and parts:
        check_extension(Span, parts[0])
    return lambda item, told: _read(item, root, parts, told)


def _read(item: Any, root: str, parts: Sequence[str], told: Told) -> Any:
    if isinstance(item, Span):
        if root == EXTENSION and parts:
            return step(item._.get(parts[0]), parts[1:])
        if not hasattr(item, root):
            raise no_attribute("spans have", root)
        return step(getattr(item, root), parts)
    if isinstance(item, (list, tuple, SpanGroup)):
        return agreed([_read(span, root, parts, told) for span in item], f"path {root}")
    if isinstance(item, Mapping):
        return step(item, [root, *parts])
    if not hasattr(item, root):
        raise no_attribute(f"{type(item).__name__} has", root)
    return step(getattr(item, root), parts)


def agreed(values: Sequence[Any], where: str) -> Any:
    """Return the one value of the parts of a mention; parts without a value do not count."""
    found = [value for value in values if value not in _NOTHING]
    if any(value != found[0] for value in found):
        raise InputError(
            "the spans of one mention have different values",
            where=where,
            remedy="Set it on one of them alone, or give a function that says which value counts",
        )
    return found[0] if found else None


ENTITIES, ANY, GROUPS = "ents", "*", "spans."
SpanGetter = str | Sequence[str] | Mapping[str, Any] | Callable[[Any], Iterable[Any]]
"""Where items are: ``"ents"``; the name of a span group, or ``"clin:*"`` for all whose names begin
so, or ``"spans.ents"`` for a group with this very name; ``"_.name"`` for an extension of the Doc; a
list of these; a mapping of these to True or to a list of labels; or a function of the Doc."""


class Found(NamedTuple):
    """What one source has in a Doc: items, their span group, and whether all are its own spans."""

    items: Iterable[Any]
    group: SpanGroup | None = None
    own: bool = False


Finder = Callable[[Any], "list[Found] | None"]


def compile_getter(getter: SpanGetter) -> Finder:
    """Make a function of a Doc that finds the items; None if it has none of the span groups."""
    if callable(getter):
        return lambda doc: [Found(getter(doc))]
    if isinstance(getter, str):
        return _compile_name(getter)
    if isinstance(getter, Mapping):
        finders = [_with_labels(_compile_name(n), wanted) for n, wanted in getter.items()]
    elif isinstance(getter, Sequence):
        finders = [_compile_name(name) for name in getter]
    else:
        raise InputError(
            f"expected where the spans are, got {shown(getter)}",
            remedy="Give 'ents', the name of a span group, '_.name' for an extension of the Doc, "
            "a list of these, a mapping of these to lists of labels, or a function",
        )

    def find(doc: Any) -> list[Found] | None:
        parts = [part for part in (finder(doc) for finder in finders) if part is not None]
        return [found for part in parts for found in part] if parts else None

    return find


def _compile_name(name: Any) -> Finder:
    if not isinstance(name, str):
        raise InputError(f"expected the name of a span group, got {shown(name)}")
    if name == ENTITIES:
        return lambda doc: [Found(doc.ents, own=True)]
    if name.startswith(f"{EXTENSION}."):
        read = compile_doc_path(name)
        return lambda doc: [Found(read(doc) or ())]
    name = name.removeprefix(GROUPS)
    if name.endswith(ANY):
        start = name[: -len(ANY)]
        return lambda doc: [
            Found(group, group, own=True)
            for key, group in sorted(doc.spans.items())
            if key.startswith(start)
        ]

    def find(doc: Any) -> list[Found] | None:
        group = doc.spans.data.get(name)
        return None if group is None else [Found(group, group, own=True)]

    return find


def _with_labels(find: Finder, labels: Any) -> Finder:
    if labels is True:
        return find
    wanted = _as_set(labels)

    def find_some(doc: Any) -> list[Found] | None:
        found = find(doc)
        return found and [
            part._replace(items=[item for item in part.items if _label_of(item) in wanted])
            for part in found
        ]

    return find_some


def _label_of(item: Any) -> str:
    if not isinstance(item, Span):
        raise no_attribute(f"{type(item).__name__} has", "label_")
    return item.label_


def _as_set(labels: Any) -> set[str]:
    wanted = [labels] if isinstance(labels, str) else labels
    if not isinstance(wanted, (list, tuple, set)) or not all(isinstance(w, str) for w in wanted):
        raise InputError(f"expected True or a list of labels of a span group, got {shown(labels)}")
    return set(wanted)


def find_unused_labels(getter: Any, docs: Sequence[Any]) -> str:
    """Describe the labels that are asked for and that no span has; empty if there are none."""
    if not isinstance(getter, Mapping):
        return ""
    for name, labels in getter.items():
        found = (part for doc in docs for part in _compile_name(name)(doc) or ())
        known = {_label_of(item) for part in found for item in part.items}
        unused = set() if labels is True else _as_set(labels) - known
        if known and unused:
            asked, present = (listed(sorted(map(shown_name, s))) for s in (unused, known))
            return f"no span of {shown_name(name)} has the label {asked}; there are {present}"
    return ""


def compile_doc_path(path: str) -> Callable[[Any], Any]:
    """Make a function of a Doc that reads an extension such as ``_.sections``."""
    _, name, *parts = path.split(".")
    check_extension(Doc, name)
    return lambda doc: step(doc._.get(name), parts)


def step(value: Any, parts: Sequence[str]) -> Any:
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


class Meanings(dict[Any, Any]):
    """What the values found of a slot mean; None is the default. Each is looked up once."""

    def __init__(self, slot: Slot, source: Source) -> None:
        super().__init__({None: None, "": None})
        self._slot, self._source = slot, source

    def __missing__(self, found: Any) -> Any:
        self[found] = meaning = _translate(found, self._slot, self._source)
        return meaning

    def of(self, found: Any) -> Any:
        """Return the value of the slot that a value means."""
        try:
            return self[found]
        except TypeError:  # a list or a set, which cannot be a key
            return _translate(found, self._slot, self._source)

    def of_all(self, found: Sequence[Any]) -> Sequence[Any]:
        """Return the values of the slot that many values mean."""
        with suppress(TypeError):
            return list(map(self.__getitem__, found))
        return list(map(self.of, found))


def _translate(found: Any, slot: Slot, source: Source) -> Any:
    several = isinstance(found, (set, frozenset, list, tuple))
    if source.values and several:
        present = {_spell(item) for item in found}
        return next((value for key, value in source.values.items() if key in present), None)
    if several:
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
            where=source.described if callable(source.path) else f"path {path_name(source.path)}",
            remedy="Add it to 'values'",
        )
    return slot.word(found)


def _choose_name(member: Enum, slot: Slot, source: Source) -> Any:
    """Return the value of an enum's member, or its name where that is what the slot knows."""
    known = source.values or slot.values
    names = (member.value, member.name, member.name.lower())
    return next((name for name in names if _spell(name) in known), member.value)


def _spell(value: object) -> str:
    """Spell a value as a key of a configuration, which is always a string."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return str(value)
