"""Units of events, counted and listed by event type, label and value."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clineval.kinds.events.units import EVENT, LABEL, VALUE, EventCorpus
from clineval.kinds.mentions.rows import Split
from clineval.results.scheme import Row

PAIRED = "paired"
"""The match of all units, as they are scored."""


def split_rows(corpus: EventCorpus, rows: Mapping[str, Row]) -> Split:
    """Return the parts of the units of a corpus, by event type, label and value."""
    sides = corpus.gold.columns.attributes, corpus.prediction.columns.attributes
    slots = EVENT.name, LABEL.name, VALUE.name
    values = [sides[0][slot].values for slot in slots]
    shape = [max(len(distinct_values), 1) for distinct_values in values]
    kinds = [np.ravel_multi_index([side[slot].ids for slot in slots], shape) for side in sides]
    there, numbers = np.unique(np.concatenate(kinds), return_inverse=True)
    names = zip(*np.unravel_index(there, shape), strict=True)
    units = [
        [distinct_values[number] for distinct_values, number in zip(values, unit, strict=True)]
        for unit in names
    ]
    held = {
        key: [number for number, unit in enumerate(units) if row.holds(*unit)]
        for key, row in rows.items()
    }
    gold, prediction = np.split(numbers, [len(corpus.gold)])
    return Split(gold, prediction, held)
