"""JSON as models write it: in code fences, with words around it, cut off in the middle.

What was meant is taken where there is no doubt of it, and nothing is guessed: an answer that could
mean two things, or that is broken in the middle, is unreadable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

LISTS = ("mentions", "entities", "extractions", "answers")
"""Names under which an object can hold the list of items."""
FINE, REPAIRED, UNREADABLE = "fine", "repaired", "unreadable"
_OPENING = re.compile(r"[\[{]")
_NEXT = re.compile(r"\s*,\s*")
_STUMP = re.compile(r"\s*(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)?\s*\Z")
_decoder = json.JSONDecoder()
_Errors = (ValueError, RecursionError)


def read_items(answer: Any) -> tuple[list[Any], str]:
    r"""The items of an answer, and whether it was fine, repaired or unreadable.

    Args:
        answer: what a model wrote, or what was read of it: a list of items, or an object that
            holds it under ``mentions``, ``entities``, ``extractions`` or ``answers``, or as its
            only list; or one item.

    Examples:
        >>> read_items('Here they are:\n```json\n[{"text": "fever"}]\n```')
        ([{'text': 'fever'}], 'repaired')
        >>> read_items('[{"text": "fever"}, {"text": "cou')
        ([{'text': 'fever'}], 'repaired')
        >>> read_items('[{"text": "fever"} {"text": "cough"}]')
        ([], 'unreadable')
    """
    if not isinstance(answer, str):
        items = _items_of(answer)
        return ([], UNREADABLE) if items is None else (items, FINE)
    try:
        items = _items_of(json.loads(answer))
    except _Errors:
        items = None
    if items is not None:
        return items, FINE
    found = list(_find_answers(answer))
    if not found:
        found = list(_find_torn(answer))
    if not found or any(other != found[0] for other in found):
        return [], UNREADABLE
    return found[0], REPAIRED


def _items_of(answer: Any) -> list[Any] | None:
    """The list of items in what was read; None if it is no answer."""
    if isinstance(answer, (list, tuple)):
        return list(answer)
    if not isinstance(answer, Mapping):
        return None
    named = [answer[name] for name in LISTS if name in answer]
    if "text" in answer and not named:
        return [answer]
    lists = named or [value for value in answer.values() if isinstance(value, (list, tuple))]
    if not answer:
        return []
    return list(lists[0]) if len(lists) == 1 and isinstance(lists[0], (list, tuple)) else None


def _find_answers(text: str) -> Iterator[list[Any]]:
    """The answers in a text: outermost JSON that holds items."""
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        try:
            value, end = _decoder.raw_decode(text, opening.start())
        except json.JSONDecodeError as error:
            if text[at : error.pos].strip() or not text[error.pos :].strip():
                return  # what follows may be parts of something broken
            continue  # a bracket in a sentence
        except _Errors:
            return
        items = _items_of(value)
        if items is not None and all(isinstance(item, (str, Mapping)) for item in items):
            at = end
            yield items


def _find_torn(text: str) -> Iterator[list[Any]]:
    """The whole items of an answer that ends in the middle of one."""
    text = re.sub(r"\s*```\s*\Z", "", text)
    opening = re.search(r"\[\s*(?=[{\"])", text)
    if not opening:
        return
    items: list[Any] = []
    at = opening.end()
    while True:
        try:
            item, at = _decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            if _is_cut_off(text, error):
                yield items
            return
        except _Errors:
            return
        items.append(item)
        comma = _NEXT.match(text, at)
        if not comma:
            # a closing bracket, and then the end, or the middle of the object around the list
            if re.match(r"\s*(?:\]\s*(?:,[^\[\]{}]*)?)?\Z", text[at:]):
                yield items
            return
        at = comma.end()


def _is_cut_off(text: str, error: json.JSONDecodeError) -> bool:
    """Whether reading failed because the text ends."""
    if error.msg.startswith("Unterminated string"):
        return True
    return bool(_STUMP.match(text, error.pos)) or (
        error.msg.startswith("Invalid \\u") and len(text) - error.pos < len("\\u1234")
    )
