"""Annotations that the tags of tokens stand for: fragments of a text with a label.

What else a challenge needs - a code, slots, the medication that a dosage belongs to - is added
where its input is built from them: ``tagged.py`` of each kind, or a function of yours.
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
"""What to do about an empty label."""
Build = Callable[[Sequence[Annotation], str], object]
"""Makes what a challenge takes of a document's annotations and its text."""


def words_of(annotation: Annotation, text: str) -> str:
    """Join the words of an annotation with blanks."""
    parts = (text[start:end] for start, end in annotation.spans)
    return " ".join(" ".join(parts).split())
