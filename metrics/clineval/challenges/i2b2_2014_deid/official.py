"""Relaxed mentions as the released evaluate.py of i2b2 2014 counts them."""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.ratios import Columns
from clineval.challenges.i2b2_2014_deid.views import HIPAA_BEGINNINGS, LABEL, REACH
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.corpus import Corpus


def count_relaxed(written: Corpus, order: tuple[IntArray, IntArray]) -> Columns:
    """Count relaxed mentions, all of them and those that HIPAA names.

    Each side keeps those of its mentions, in the order of the file, that are near none that was
    kept before; a hit is one that is near any that the other side kept.

    Args:
        written: the mentions as the script reads them.
        order: for each side ``[n]``, a number for the place of each mention in its file.
    """
    counts: dict[str, IntArray] = {}
    size = len(written.documents)
    for prefix, wanted in (("", ("",)), ("hipaa_", HIPAA_BEGINNINGS)):
        gold, system = (
            _thin(side.columns, places, wanted)
            for side, places in zip((written.gold, written.prediction), order, strict=True)
        )
        golds, hit_golds = _count_hits(gold, system, size)
        found, hits = _count_hits(system, gold, size)
        name = f"{prefix}relaxed"
        counts[f"{name}_tp"] = np.where(found > golds, hit_golds, hits)
        counts[f"{name}_fp"] = found - hits
        counts[f"{name}_fn"] = golds - hit_golds
    return counts


Kept = dict[tuple[int, str, str], list[int]]
"""Document, label and start as it is written, to the ends that were kept."""


def _thin(columns: MentionColumns, order: IntArray, wanted: tuple[str, ...]) -> Kept:
    """Keep mentions that are near none before them, of labels that begin as ``wanted``."""
    labels, spelled = columns.attributes[LABEL.name], columns.spelling
    kept: Kept = {}
    for row in np.argsort(order, kind="stable").tolist():
        label = labels.values[labels.ids[row]]
        if label.startswith(wanted):
            start, end = int(columns.starts[row]), int(columns.ends[row])
            written = spelled.values[spelled.ids[row]].partition("-")[0] or str(start)
            key = int(columns.document[row]), label.upper(), written
            ends = kept.setdefault(key, [])
            if not any(abs(end - other) <= REACH for other in ends):
                ends.append(end)
    return kept


def _count_hits(side: Kept, other: Kept, size: int) -> tuple[IntArray, IntArray]:
    """Count what a side has kept, and how many of it are hits; ``[size]`` each."""
    kept, hits = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for key, ends in side.items():
        near = other.get(key, ())
        kept[key[0]] += len(ends)
        hits[key[0]] += sum(any(abs(end - one) <= REACH for one in near) for end in ends)
    return kept, hits
