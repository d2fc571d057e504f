"""Codes as they were read: one row for each time that a document was given a code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from clineval.base.arrays import Coded
from clineval.kinds.mentions.columns import MentionColumns, Side

CODE = "code"
Spans = Sequence[tuple[int, int]]
Row = tuple[int, str, Spans]
"""Number of the document, code, and where the text says so; no place if none was given."""


def is_code(text: str) -> bool:
    """Tell whether a string can be a code: printable, and one word.

    Examples:
        >>> is_code(" E11.9"), is_code("no fever"), is_code("")
        (True, False, False)
    """
    return len(text.split()) == 1 and text.strip().isprintable()


def as_side(names: Sequence[str], rows: Iterable[Row], *, by_name: bool = True) -> Side:
    """Build one side of a corpus, a document's rows in the order in which they were given.

    Examples:
        >>> side = as_side(["a", "b"], [(1, "I10", []), (0, "E11.9", [(4, 12)]), (1, "J45", [])])
        >>> side.mentions.document.tolist(), side.mentions.attributes["code"].values
        ([0, 1, 1], ('E11.9', 'I10', 'J45'))
    """
    ordered = sorted(rows, key=lambda row: row[0])
    spans = [span for *_, found in ordered for span in found]
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    columns = MentionColumns(
        np.array([document for document, *_ in ordered], np.int32),
        np.cumsum([0, *(len(found) for *_, found in ordered)]),
        starts,
        ends,
        {CODE: Coded.of([code for _, code, _ in ordered])},
    )
    return Side(tuple(names), tuple(names) if by_name else None, columns)


def number(documents: Sequence[str]) -> tuple[tuple[str, ...], list[int]]:
    """Return the distinct names in the order of their first appearance, and each one's number."""
    numbers = {name: at for at, name in enumerate(dict.fromkeys(documents))}
    return tuple(numbers), [numbers[name] for name in documents]
