"""Where a value is: ``kb_id_``, ``_.is_negated``, ``_.kb_ents.0.0``, ``attrs.negation``.

A path begins with ``_`` for an extension, with ``attrs`` for what the span group says of the
mention, or is an attribute of the span. Further parts go into what is there: keys of a mapping,
numbers of a sequence, attributes of an object. On the way, None and a place that a sequence or a
mapping does not have give None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import repeat
from typing import Any

from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from clineval.errors import InputError, listed

EXTENSION, ATTRS, KEY = "_", "attrs", "._."
_USUAL_KEY = 4


@dataclass(slots=True, eq=False)
class Batch:
    """Some spans of one Doc, of which the same paths are read.

    Args:
        spans: the spans.
        attrs: what their group says of each.
        starts: the first character of each.
        ends: the character after the last of each.
        user_data: the Doc's, which holds the values of extensions.
    """

    spans: Sequence[Span]
    attrs: Sequence[Mapping[str, Any]]
    starts: list[int] = field(init=False)
    ends: list[int] = field(init=False)
    user_data: Mapping[Any, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.starts = [span.start_char for span in self.spans]
        self.ends = [span.end_char for span in self.spans]
        self.user_data = self.spans[0].doc.user_data if self.spans else {}

    @property
    def places(self) -> list[tuple[int, int]]:
        """Start and end of each."""
        return list(zip(self.starts, self.ends, strict=True))


NOTHING: Sequence[Any] = ()
"""What a reader may give instead of as many None as there are spans."""

SpanReader = Callable[[Batch], Sequence[Any]]
DocReader = Callable[[Doc], Any]


def is_extension(path: str) -> bool:
    """Whether a path begins with an extension."""
    return path.startswith(f"{EXTENSION}.")


def is_stored(path: str) -> bool:
    """Whether a path begins with an extension whose values are in the Doc's user data."""
    name = path.split(".")[1] if is_extension(path) else ""
    return Span.has_extension(name) and Span.get_extension(name)[2] is None


def compile_path(path: str) -> SpanReader:
    """Make a function that reads a path of each span of a batch.

    Values of extensions are read from the Doc's user data, which takes a fifteenth of the time
    that ``span._.name`` does.

    Raises:
        InputError: the extension is not registered, or spans have no such attribute.

    Examples:
        >>> import spacy
        >>> fever = Batch([spacy.blank("en")("No fever.")[1:2]], [{"negation": "yes"}])
        >>> compile_path("text")(fever), compile_path("attrs.negation")(fever)
        (['fever'], ['yes'])
    """
    root, *parts = path.split(".")
    if root == EXTENSION and parts:
        return _follow(_compile_extension(parts[0]), parts[1:])
    if root == ATTRS and parts:
        return _follow(partial(_read_attrs, parts[0]), parts[1:])
    if not hasattr(Span, root):
        raise InputError(
            f"spans have no attribute {root!r}",
            where=f"path {path}",
            remedy="Give an attribute such as kb_id_, an extension such as _.cui, or attrs.NAME",
        )
    return _follow(partial(_read_attribute, root), parts)


def compile_doc_path(path: str) -> DocReader:
    """Make a function of a Doc that reads an extension such as ``_.sections``."""
    _, name, *parts = path.split(".")
    if not Doc.has_extension(name):
        raise _unregistered(name, "Doc")

    def read(doc: Doc) -> Any:
        return step(doc._.get(name), parts)

    return read


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
        else:
            value = getattr(value, part)
    return value


def _follow(read: SpanReader, parts: Sequence[str]) -> SpanReader:
    if not parts:
        return read
    return lambda batch: [step(value, parts) for value in read(batch)]


def _read_attribute(name: str, batch: Batch) -> Sequence[Any]:
    return [getattr(span, name) for span in batch.spans]


def _read_attrs(name: str, batch: Batch) -> Sequence[Any]:
    return [attrs.get(name) for attrs in batch.attrs]


def _compile_extension(name: str) -> SpanReader:
    if not Span.has_extension(name):
        raise _unregistered(name, "Span")
    default, method, getter, _ = Span.get_extension(name)
    if method is not None:
        raise InputError(
            f"the extension {name!r} is a method, not a value", remedy="Give another path"
        )
    if getter is not None or not _has_usual_keys():
        return lambda batch: [span._.get(name) for span in batch.spans]
    return partial(_read_user_data, name, default)


def _read_user_data(name: str, default: Any, batch: Batch) -> Sequence[Any]:
    if not batch.user_data and default is None:
        return NOTHING
    keys = zip(repeat(KEY), repeat(name), batch.starts, batch.ends)
    return list(map(batch.user_data.get, keys, repeat(default)))


@lru_cache
def _has_usual_keys() -> bool:
    """Whether this spaCy keeps extensions by name and offsets; spaCy 4 adds to them."""
    span = Doc(Vocab(), words=["x"])[0:1]
    key = span._._get_key("x")  # noqa: SLF001 - how the keys are shaped is nowhere said
    return key[:2] == (KEY, "x") and len(key) == _USUAL_KEY


def _unregistered(name: str, owner: str) -> InputError:
    from spacy.tokens.underscore import Underscore

    extensions = Underscore.span_extensions if owner == "Span" else Underscore.doc_extensions
    known = listed(sorted(extensions)) or "none"
    return InputError(
        f"the extension {name!r} of {owner} is not registered; registered are: {known}",
        remedy="Import the package that registers it, or add its component, before scoring",
    )
