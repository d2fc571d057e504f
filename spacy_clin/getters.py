"""Find the items of annotation in a Doc."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from spacy.tokens import Doc, Span, SpanGroup

from clineval.base.errors import InputError, listed, shown, shown_name
from spacy_clin.paths import EXTENSION, compile_doc_path, no_attribute

ENTITIES, ANY, GROUPS = "ents", "*", "spans."
SpanGetter = (
    str | Sequence[str] | Mapping[str, bool | Sequence[str]] | Callable[..., Iterable[object]]
)
"""The place of the items:

- ``"ents"``
- the name of a span group, such as ``"sc"``; ``"clin:*"`` for all groups whose names begin with
  ``clin:``; ``"spans.ents"`` for a group called ``ents``
- ``"_.name"`` for an extension of the Doc
- a list of these, or a mapping of these to True or to a list of labels
- a function of the Doc
"""


class Found(NamedTuple):
    """Items of one source in a Doc, their span group, and whether all are spans of the Doc."""

    items: Iterable[object]
    group: SpanGroup | None = None
    own: bool = False


Finder = Callable[[Doc], list[Found] | None]


def compile_getter(getter: SpanGetter) -> Finder:
    """Make a function that returns the items of a Doc, or None if the Doc has no such group."""
    if callable(getter):
        return lambda doc: [Found(getter(doc))]
    if isinstance(getter, Mapping):
        finders = [_compile(name, labels) for name, labels in getter.items()]
    elif isinstance(getter, (str, Sequence)):
        names = [getter] if isinstance(getter, str) else getter
        finders = list(map(_compile_name, names))
    else:
        raise InputError(
            f"expected the place of the spans, got {shown(getter)}",
            remedy="Pass 'ents', the name of a span group, '_.name' for an extension of the Doc, "
            "a list of these, a mapping of these to lists of labels, or a function",
        )

    def find(doc: Doc) -> list[Found] | None:
        parts = [part for part in (finder(doc) for finder in finders) if part is not None]
        return list(chain.from_iterable(parts)) if parts else None

    return find


def _compile(name: object, labels: object) -> Finder:
    find = _compile_name(name)
    if labels is True:
        return find
    wanted = _as_set(labels)

    def find_labelled(doc: Doc) -> list[Found] | None:
        found = find(doc)
        return found and [
            part._replace(items=[item for item in part.items if _label_of(item) in wanted])
            for part in found
        ]

    return find_labelled


def _compile_name(name: object) -> Finder:
    if not isinstance(name, str):
        raise InputError(f"expected the name of a span group, got {shown(name)}")
    if name == ENTITIES:
        return lambda doc: [Found(doc.ents, own=True)]
    if name.startswith(f"{EXTENSION}."):
        read = compile_doc_path(name)
        return lambda doc: [Found(read(doc) or ())]
    key = name.removeprefix(GROUPS)
    if key.endswith(ANY):
        start = key.removesuffix(ANY)
        return lambda doc: [
            Found(group, group, own=True)
            for name, group in sorted(doc.spans.items())
            if name.startswith(start)
        ]

    def find(doc: Doc) -> list[Found] | None:
        group = doc.spans.data.get(key)
        return None if group is None else [Found(group, group, own=True)]

    return find


def _label_of(item: object) -> str:
    if not isinstance(item, Span):
        raise no_attribute(f"{type(item).__name__} has", "label_")
    return item.label_


def _as_set(labels: object) -> set[str]:
    wanted = [labels] if isinstance(labels, str) else labels
    if not isinstance(wanted, (list, tuple, set)) or not all(isinstance(w, str) for w in wanted):
        raise InputError(f"expected True or a list of labels of a span group, got {shown(labels)}")
    return set(wanted)


def find_unused_labels(getter: SpanGetter, docs: Sequence[Doc]) -> str:
    """Describe requested labels that no span has; empty if there are none."""
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
