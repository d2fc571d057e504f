"""Documents of two sides, before their mentions are brought together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clineval.base.errors import InputError, called, warn
from clineval.kinds.mentions.columns import Side


def keep_common(gold: Side, prediction: Side) -> tuple[Side, Side]:
    """Keep the documents that both sides have, since released scripts score no others.

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


def check_texts(gold: Side, prediction: Side) -> None:
    """Refuse sides with different texts of a document, and say where these begin to differ."""
    named = gold.keys is not None and prediction.keys is not None
    keys = [side.keys if named else range(len(side.documents)) for side in (gold, prediction)]
    texts = dict(zip(keys[0] or (), gold.texts, strict=False))
    for key, name, text in zip(keys[1] or (), prediction.documents, prediction.texts, strict=False):
        other = texts.get(key)
        if text is not None and other is not None and text != other:
            pairs = enumerate(zip(text, other, strict=False))
            shorter = min(len(text), len(other))
            at = next((at for at, (one, two) in pairs if one != two), shorter)
            raise InputError(
                f"the texts of the two sides differ from offset {at} on",
                where=f"document {called(str(name or key))}",
                remedy="Offsets mean the same only in the same text",
            )
