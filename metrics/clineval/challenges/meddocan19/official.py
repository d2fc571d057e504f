"""Merged spans as the released evaluate.py of MEDDOCAN counts them."""

from __future__ import annotations

import numpy as np

from clineval.base.ratios import Columns
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.corpus import Corpus

Spans = list[set[tuple[int, int]]]
"""The spans of each document."""


def count_merged(before: Corpus, after: Corpus) -> Columns:
    """Count merged spans.

    Hits are spans that both sides have, before or after merging; what is left is counted before
    merging, but for spans inside of a hit.
    """
    size = len(before.documents)
    sides = [_group(corpus.gold.columns, size) for corpus in (before, after)] + [
        _group(corpus.prediction.columns, size) for corpus in (before, after)
    ]
    rows = [_count(*spans) for spans in zip(*sides, strict=True)]
    table = np.array(rows, np.int64).reshape(-1, 3)
    return {f"merged_{verdict}": table[:, k] for k, verdict in enumerate(("tp", "fp", "fn"))}


def _group(columns: MentionColumns, size: int) -> Spans:
    found: Spans = [set() for _ in range(size)]
    spans = zip(columns.starts.tolist(), columns.ends.tolist(), strict=True)
    for document, span in zip(columns.document.tolist(), spans, strict=True):
        found[document].add(span)
    return found


def _count(
    gold: set[tuple[int, int]],
    merged_gold: set[tuple[int, int]],
    system: set[tuple[int, int]],
    merged_system: set[tuple[int, int]],
) -> tuple[int, int, int]:
    hits = (gold & system) | (merged_gold & merged_system)

    def left(spans: set[tuple[int, int]]) -> int:
        return sum(not any(h[0] <= s[0] and s[1] <= h[1] for h in hits) for s in spans)

    return len(hits), left(system - gold), left(gold - system)
