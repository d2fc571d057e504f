"""Documents of two sides, before their mentions are brought together."""

from __future__ import annotations

from clineval.base.errors import InputError, called
from clineval.kinds.mentions.columns import Side


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
