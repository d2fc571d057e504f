"""Annotations from tags of tokens: fragments of a text with a label.

A challenge may need more, such as a code, slots, or the medication of a dosage. The function that
builds its input adds these: ``tagged.py`` of each kind, or your own function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Annotation(NamedTuple):
    """Fragments of a text, and their label.

    Examples:
        >>> Annotation(((4, 15), (31, 38)), "Disorder").label
        'Disorder'
    """

    spans: tuple[tuple[int, int], ...]
    """``(start, end)`` of each fragment in characters, ends exclusive."""
    label: str
    """The label."""


TYPELESS = "Tags without a type, such as B and I, give none: from_words(..., label=...)"
"""The advice about an empty label."""
Build = Callable[[Sequence[Annotation], str], object]
"""Builds a document of a challenge from annotations and the text."""


def words_of(annotation: Annotation, text: str) -> str:
    """Join the words of an annotation with spaces."""
    parts = (text[start:end] for start, end in annotation.spans)
    return " ".join(" ".join(parts).split())
