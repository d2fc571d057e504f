"""Units of events, counted and listed by event type, label and value."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import numpy as np

from clineval.kinds.events.units import EventCorpus, UnitKind, list_kinds
from clineval.kinds.mentions.rows import Split
from clineval.results.scheme import Row

PAIRED = "paired"
"""The match of all units, as they are scored."""


def split_rows(corpus: EventCorpus, rows: Mapping[str, Row]) -> Split:
    """Return the parts of the units of a corpus, by event type, label and value."""
    columns = corpus.gold.columns, corpus.prediction.columns
    sides = [list_kinds(*side) for side in zip(columns, corpus.heads, strict=True)]
    kinds = [*dict.fromkeys(chain.from_iterable(found for found, _ in sides))]
    numbers = {kind: number for number, kind in enumerate(kinds)}
    of_event: dict[str | None, list[UnitKind]] = {None: kinds}
    for kind in kinds:
        of_event.setdefault(kind.event, []).append(kind)
    held = {
        key: [numbers[kind] for kind in of_event.get(row.event, ()) if _holds(row, kind)]
        for key, row in rows.items()
    }
    gold, prediction = (
        np.array([numbers[kind] for kind in found], np.int64)[ids] for found, ids in sides
    )
    return Split(gold, prediction, held)


def _holds(row: Row, kind: UnitKind) -> bool:
    return row.holds(kind.event, kind.label, kind.value, trigger=kind.trigger)
