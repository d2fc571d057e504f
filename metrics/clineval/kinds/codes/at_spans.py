"""Codes of mentions: a code is compared with codes of the same fragments and the same label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from clineval.base.arrays import rank_rows
from clineval.kinds.codes.placed import PlacedSides, place_values
from clineval.kinds.mentions.corpus import Corpus
from clineval.results.slots import Slot


def place_at_spans(corpus: Corpus, slot: Slot, others: Sequence[Slot]) -> PlacedSides:
    """Place the codes of mentions at their fragments and the values of other slots.

    A mention without a code has the slot's default, which stands for itself.

    Args:
        corpus: both sides.
        slot: the slot of codes.
        others: the slots that must be equal, such as the label.
    """
    sides = corpus.gold, corpus.prediction
    keys = [np.concatenate([side.place for side in sides])]
    keys.append(np.concatenate([side.shape for side in sides]))
    keys += [np.concatenate([side.ids(other.name) for side in sides]) for other in others]
    gold, prediction = np.split(rank_rows(keys), [len(corpus.gold)])

    def split(value: str) -> Iterable[str]:
        return value.split(",") if slot.kind == "codes" else (value,)

    columns = corpus.gold.columns, corpus.prediction.columns
    values = columns[0].attributes[slot.name], columns[1].attributes[slot.name]
    return place_values(columns, values, (gold, prediction), split)
