"""Documents that both sides have, where released programs score no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clineval.base.errors import warn
from clineval.kinds.mentions.columns import Side


def keep_common(gold: Side, prediction: Side) -> tuple[Side, Side]:
    """Keep the documents that both sides have.

    A warning counts the others. Documents that are paired by position are all kept.
    """
    if gold.keys is None or prediction.keys is None:
        return gold, prediction
    common = set(gold.keys) & set(prediction.keys)
    for side, name in ((gold, "gold"), (prediction, "predicted")):
        others = [
            d for d, key in zip(side.documents, side.keys or (), strict=True) if key not in common
        ]
        warn(
            f"{{n}} {name} {{document is|documents are}} on one side only and {{does|do}} not "
            "count: {names}",
            others,
        )
    return _take(gold, gold.keys, common), _take(prediction, prediction.keys, common)


def _take(side: Side, keys: Sequence[str], wanted: set[str]) -> Side:
    kept = [at for at, key in enumerate(keys) if key in wanted]
    if len(kept) == len(keys):
        return side
    numbers = np.full(len(keys), -1)
    numbers[kept] = np.arange(len(kept))
    document = numbers[side.mentions.document]
    mentions = replace(side.mentions, document=document.astype(np.int32))
    return Side(
        tuple(side.documents[at] for at in kept),
        tuple(keys[at] for at in kept),
        mentions.take(np.flatnonzero(document >= 0)),
        tuple(side.texts[at] for at in kept) if side.texts else (),
    )
