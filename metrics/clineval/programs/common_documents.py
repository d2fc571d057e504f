"""Select documents for released programs that score only documents of both sides."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from clineval.base.errors import warn
from clineval.kinds.mentions.columns import Side
from clineval.kinds.relations.columns import RelatedSide

SideT = TypeVar("SideT", bound=Side)
RelatedT = TypeVar("RelatedT", bound=RelatedSide)


def keep_common(gold: Side, prediction: Side) -> tuple[Side, Side]:
    """Keep the documents that both sides have; a warning counts the others.

    If documents are paired by position, keep all of them.
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
    sides = (gold, gold.keys), (prediction, prediction.keys)
    golds, found = (take_documents(side, keys, common) for side, keys in sides)
    return golds, found


def keep_common_related(gold: RelatedT, prediction: RelatedT) -> tuple[RelatedT, RelatedT]:
    """Keep the documents that both sides have, with their relations; see :func:`keep_common`."""
    golds, found = keep_common(gold.side, prediction.side)
    return _follow(gold, golds), _follow(prediction, found)


def _follow(related: RelatedT, side: Side) -> RelatedT:
    """Return annotations with only the documents of a side, which was taken from them."""
    if side is related.side:
        return related
    known = {*(side.keys or ())}
    kept = np.array([key in known for key in related.side.keys or ()], np.bool_)
    numbers, rows = (np.cumsum(of) - 1 for of in (kept, kept[related.side.mentions.document]))
    links = related.relations.take(np.flatnonzero(kept[related.relations.document]))
    links = replace(
        links,
        document=numbers[links.document],
        source=rows[links.source],
        target=rows[links.target],
    )
    return replace(related, side=side, relations=links)


def keep_known(gold: Side, prediction: SideT) -> SideT:
    """Keep the predicted documents that the gold standard has."""
    if gold.keys is None or prediction.keys is None:
        return prediction
    return take_documents(prediction, prediction.keys, set(gold.keys))


def take_documents(side: SideT, keys: Sequence[str], wanted: Collection[str]) -> SideT:
    """Return a side with only these documents.

    Args:
        side: the side to select from.
        keys: the keys of all its documents.
        wanted: the keys of the documents to keep.
    """
    kept = [at for at, key in enumerate(keys) if key in wanted]
    if len(kept) == len(keys):
        return side
    numbers = np.full(len(keys), -1)
    numbers[kept] = np.arange(len(kept))
    document = numbers[side.mentions.document]
    mentions = replace(side.mentions, document=document.astype(np.int32))
    return replace(
        side,
        documents=tuple(side.documents[at] for at in kept),
        keys=tuple(keys[at] for at in kept),
        mentions=mentions.take(np.flatnonzero(document >= 0)),
        texts=tuple(side.texts[at] for at in kept) if side.texts else (),
        intake=None,
    )
