"""Units of events, counted and listed by event type, label and value."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.ratios import Columns
from clineval.kinds.events.scheme import Row
from clineval.kinds.events.units import EVENT, LABEL, VALUE, EventCorpus
from clineval.kinds.mentions.match import VERDICTS, Match
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import list_units

PAIRED = "paired"
"""The match of all units, as they are scored."""


def list_paired(corpus: EventCorpus, pairs: Pairs | Match) -> Match:
    """List the outcomes of all units."""
    if isinstance(pairs, Match):
        return pairs
    return Match(*list_units(pairs, len(corpus.gold), len(corpus.prediction)), VERDICTS)


def _number_kinds(
    corpus: EventCorpus, whole: Match, rows: Mapping[str, Row]
) -> tuple[IntArray, Mapping[str, IntArray]]:
    """Give what the units of outcomes are numbers, ``[n]``, and list those that each row counts.

    A unit is of an event type, a label and a value; a pair is what its gold unit is.
    """
    slots = EVENT.name, LABEL.name, VALUE.name
    values = [corpus.gold.columns.attributes[slot].values for slot in slots]
    kind = np.zeros(len(whole), np.int64)
    for slot, known in zip(slots, values, strict=True):
        kind = kind * len(known) + whole.choose(corpus.gold.ids(slot), corpus.prediction.ids(slot))
    there, kind = np.unique(kind, return_inverse=True)
    names = zip(*np.unravel_index(there, [max(len(of), 1) for of in values]), strict=True)
    told = [[of[at] for of, at in zip(values, each, strict=True)] for each in names]
    held = {
        key: np.array([at for at, each in enumerate(told) if row.holds(*each)], np.int64)
        for key, row in rows.items()
    }
    return kind, held


def count_rows(corpus: EventCorpus, pairs: Pairs | Match, rows: Mapping[str, Row]) -> Columns:
    """Count the units of every row, ``[documents]`` each."""
    whole = list_paired(corpus, pairs)
    kind, held = _number_kinds(corpus, whole, rows)
    width, size = int(kind.max(initial=0)) + 1, len(corpus.documents)
    document = whole.choose(corpus.gold.columns.document, corpus.prediction.columns.document)
    cells = document.astype(np.int64) * width + kind
    columns: dict[str, IntArray] = {}
    for at, verdict in enumerate(VERDICTS[:3]):
        counts = np.bincount(cells[whole.verdict == at], minlength=size * width)
        table = counts.reshape(size, width)
        columns |= {f"{key}_{verdict}": table[:, of].sum(axis=1) for key, of in held.items()}
    return columns


def split_rows(
    corpus: EventCorpus, pairs: Pairs | Match, rows: Mapping[str, Row]
) -> dict[str, Match]:
    """List the outcomes of the units of every row."""
    whole = list_paired(corpus, pairs)
    kind, held = _number_kinds(corpus, whole, rows)
    return {key: whole.take(np.flatnonzero(np.isin(kind, of)), {}) for key, of in held.items()}
