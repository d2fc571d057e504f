"""Sections from annotations of a note, such as tagged words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clineval.kinds.sections.segmentation import split_text
from clineval.results.tagged import Annotation


def as_sections(annotations: Sequence[Annotation], text: str) -> dict[str, object]:
    """Build a note's sections.

    A section begins with the word between white space that contains its first token. If several
    sections begin with the same word, the first one counts. A section ends at the start of the next
    one.

    Args:
        annotations: annotations with the challenge's labels, and offsets in characters.
        text: the note.

    Returns:
        The note as a dict, for :func:`clineval.score`.

    Examples:
        >>> found = [Annotation(((7, 16),), "PLAN"), Annotation(((17, 18),), "OTHER")]
        >>> as_sections(found, "Fever (Reposo en cama)")["sections"]
        [{'start': 6, 'end': 16, 'label': 'PLAN'}, {'start': 17, 'end': 18, 'label': 'OTHER'}]
    """
    words = split_text(text)
    begins: dict[int, tuple[int, str]] = {}
    for spans, label in sorted(annotations):
        start, end = spans[0]
        word = int(np.searchsorted(words[:, 1], start, side="right"))
        begin = int(words[word, 0]) if word < len(words) else start
        begins.setdefault(begin, (end, label))
    stops = [*begins, len(text)][1:]
    sections = [
        {"start": begin, "end": min(end, stop), "label": label}
        for (begin, (end, label)), stop in zip(begins.items(), stops, strict=True)
    ]
    return {"text": text, "sections": sections}
