"""Which spans of a Doc are meant: its entities, span groups, or what an extension holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from spacy.tokens import Doc, SpanGroup

from clineval.errors import InputError, shown
from spacy_clin.paths import compile_doc_path, is_extension

ENTITIES, ANY, GROUPS = "ents", "*", "spans."

SpanSource: TypeAlias = str | Sequence[str] | Mapping[str, Any] | Callable[[Doc], Iterable[Any]]
"""``"ents"``; the name of a span group, or ``"clin:*"`` for all whose names begin so, or
``"spans.ents"`` for a group with this very name; ``"_.name"`` for an extension of the Doc; a list
of these; a mapping of these to True or to a list of labels; or a function of the Doc."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What one source has in a Doc.

    Args:
        items: spans, or mentions as objects or dicts.
        group: the span group, if they are of one.
    """

    items: Iterable[Any]
    group: SpanGroup | None = None

    @property
    def attrs(self) -> Mapping[str, Any]:
        """What is said of the group."""
        return {} if self.group is None else self.group.attrs


Finder = Callable[[Doc], "list[Found] | None"]


def compile_source(source: SpanSource) -> Finder:
    """Make a function of a Doc that finds the spans; None if it has none of the span groups.

    Raises:
        InputError: an extension that is not registered, or something that is no source.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("No fever.")
        >>> doc.spans["sc"] = [doc[1:2]]
        >>> [span.text for found in compile_source("sc")(doc) for span in found.items]
        ['fever']
    """
    if callable(source):
        return lambda doc: [Found(source(doc))]
    if isinstance(source, str):
        return _compile_name(source)
    if isinstance(source, Mapping):
        finders = [_with_labels(_compile_name(name), labels) for name, labels in source.items()]
    elif isinstance(source, Sequence):
        finders = [_compile_name(name) for name in source]
    else:
        raise InputError(
            f"expected where the spans are, got {shown(source)}",
            remedy="Give 'ents', the name of a span group, '_.name' for an extension of the Doc, "
            "a list of these, or a mapping of these to lists of labels",
        )
    return lambda doc: _join(finder(doc) for finder in finders)


def _join(parts: Iterable[list[Found] | None]) -> list[Found] | None:
    present = [part for part in parts if part is not None]
    return [found for part in present for found in part] if present else None


def _compile_name(name: str) -> Finder:
    if name == ENTITIES:
        return lambda doc: [Found(doc.ents)]
    if is_extension(name):
        read = compile_doc_path(name)
        return lambda doc: [Found(read(doc) or ())]
    name = name.removeprefix(GROUPS)
    if name.endswith(ANY):
        return lambda doc: [
            Found(group, group)
            for key, group in sorted(doc.spans.items())
            if key.startswith(name[: -len(ANY)])
        ]

    def find(doc: Doc) -> list[Found] | None:
        group = doc.spans.data.get(name)
        return None if group is None else [Found(group, group)]

    return find


def _with_labels(find: Finder, labels: Any) -> Finder:
    if labels is True:
        return find
    wanted = {labels} if isinstance(labels, str) else set(labels or ())

    def find_some(doc: Doc) -> list[Found] | None:
        found = find(doc)
        return found and [Found(list(_labelled(f.items, wanted)), f.group) for f in found]

    return find_some


def _labelled(items: Iterable[Any], labels: set[str]) -> Iterator[Any]:
    return (item for item in items if item.label_ in labels)
