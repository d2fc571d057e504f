"""Answers in their notes as documents, to be written in other formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clineval.answers.placing import PlacedAnswers
from clineval.answers.repair import UNREADABLE
from clineval.base.errors import warn
from clineval.formats.dicts import UNSCORED, spell
from clineval.kinds.mentions.mention import Document, Mention
from clineval.kinds.mentions.slots import Slot


def as_documents(placed: PlacedAnswers, slots: Sequence[Slot]) -> list[Document]:
    """Return the mentions that have a place; warn of how many others there are.

    Of slots that are not in ``slots`` values are kept if they are words.

    Examples:
        >>> from clineval.answers import Alignment, place_answers, read_answers
        >>> answers = read_answers({"a": [{"text": "fever", "label": "problem"}]})
        >>> placed = place_answers(answers, None, {"a": "No fever."}, Alignment())
        >>> as_documents(placed, [])[0].mentions[0].as_dict()
        {'spans': [[3, 8]], 'label': 'problem'}
    """
    known = {slot.name: slot for slot in slots}
    documents, dropped = [], 0
    for answer, text, of in zip(placed.answers, placed.texts, placed.placements, strict=True):
        mentions = []
        for item, placement in zip(answer.items, of, strict=True):
            values = {n: v for n, v in item.values.items() if _is_kept(n, v, known)}
            dropped += len(item.values) - len(values)
            mentions += [Mention.from_dict({**values, "spans": s}) for s in placement.places]
        documents.append(Document(answer.document, mentions, text))
    _warn(placed, dropped)
    return documents


def _is_kept(name: str, value: Any, known: Mapping[str, Slot]) -> bool:
    if name in UNSCORED or name == "spans":
        return False
    if name in known:
        return spell(value, known[name]) is not None
    return name.isidentifier() and (
        isinstance(value, str)
        or (isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value))
    )


def _warn(placed: PlacedAnswers, dropped: int) -> None:
    nowhere = sum(not p.places for of in placed.placements for p in of)
    unreadable = sum(answer.state == UNREADABLE for answer in placed.answers)
    parts = {"quotes without a place": nowhere, "unreadable answers": unreadable}
    parts["values that their slots cannot have"] = dropped
    told = [f"{number} {what}" for what, number in parts.items() if number]
    if told:
        warn(f"left out: {', '.join(told)}")
