"""The order in which trec_eval 9 ranks the documents of a topic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_Scored = tuple[float, str, int]
"""Score, document and position."""


def rank(documents: Sequence[str], scores: Sequence[float]) -> list[int]:
    """Return positions of the documents, best first: by score, then by id, both descending.

    Scores are compared as 32-bit numbers, ids byte by byte. NaN ties with every score, so that
    the order depends on the sorting: on glibc's merge sort of the documents in the order of their
    ids, which trec_eval was run with.

    Examples:
        >>> rank(["a", "b", "c"], [1.0, 1.0 + 1e-9, 2.0])
        [2, 1, 0]
    """
    with np.errstate(over="ignore"):
        values = np.array(scores, np.float64).astype(np.float32)
    scored = list(zip(values.tolist(), documents, range(len(documents)), strict=True))
    if np.isnan(values).any():
        ranked = _merge_sort(sorted(scored, key=lambda item: item[1]))
    else:
        ranked = sorted(scored, reverse=True)
    return [position for *_, position in ranked]


def _merge_sort(scored: Sequence[_Scored]) -> list[_Scored]:
    if len(scored) <= 1:
        return list(scored)
    half = len(scored) // 2
    left, right = _merge_sort(scored[:half]), _merge_sort(scored[half:])
    merged: list[_Scored] = []
    at = 0
    for item in left:
        while at < len(right) and not _may_precede(item, right[at]):
            merged.append(right[at])
            at += 1
        merged.append(item)
    return merged + right[at:]


def _may_precede(one: _Scored, other: _Scored) -> bool:
    if one[0] > other[0]:
        return True
    return not one[0] < other[0] and one[1] >= other[1]
