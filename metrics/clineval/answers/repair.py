"""JSON as models write it: in code fences, with words around it, cut off in the middle, as Python.

What was meant is taken where there is no doubt of it, and nothing is guessed: an answer that could
mean two things, or that is broken in the middle, is unreadable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import chain, pairwise
from typing import NamedTuple

LISTS = ("mentions", "entities", "extractions", "answers")
"""Names under which an object can hold the list of items."""
FINE, REPAIRED, UNREADABLE = "fine", "repaired", "unreadable"
_OPENING = re.compile(r"[\[{]")
_NEXT = re.compile(r"\s*,\s*")
_CLOSING = re.compile(r"\s*(?:\]\s*(?:,[^\[\]{}]*)?)?\Z")
_STUMP = re.compile(r"\s*(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)?\s*\Z")
_DRAFT = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|.*</think(?:ing)?>", re.DOTALL)
"""What a model thinks before it answers; the templates of some swallow the first tag."""
_PYTHON = re.compile(
    r"""'((?:[^'\\\n]|\\[^\n])*)('|\\?(?=\n)|\\?\Z)"""  # to the end, so that time is linear
    r"""|"(?:[^"\\]|\\[\s\S])*(?:"|\\?\Z)|\b(?:True|False|None)\b|,(?=\s*[\]}])"""
)
_IN_QUOTES = re.compile(r"\\.|\"")
_WORDS = {"True": "true", "False": "false", "None": "null", ",": "", "\\'": "'", '"': '\\"'}
_decoder = json.JSONDecoder()
_Errors = (ValueError, RecursionError)


def read_items(answer: object) -> tuple[list[object], str]:
    r"""Return the items of an answer, and whether it was fine, repaired or unreadable.

    Args:
        answer: what a model wrote, or what was read of it: a list of items, or an object that
            holds it under ``mentions``, ``entities``, ``extractions`` or ``answers``, or as its
            only list; or one item.

    Examples:
        >>> read_items('Here they are:\n```json\n[{"text": "fever"}]\n```')
        ([{'text': 'fever'}], 'repaired')
        >>> read_items('[{"text": "fever"}, {"text": "cou')
        ([{'text': 'fever'}], 'repaired')
        >>> read_items("{'text': 'fever', 'cui': None}\n{'text': 'cough',}")
        ([{'text': 'fever', 'cui': None}, {'text': 'cough'}], 'repaired')
        >>> read_items('[{"text": "fever"} {"text": "cough"}]')
        ([], 'unreadable')
    """
    try:
        items = _items_of(json.loads(answer) if isinstance(answer, str) else answer)
    except _Errors:
        items = None
    if items is not None:
        return items, FINE
    if not isinstance(answer, str):
        return [], UNREADABLE
    draft = _DRAFT.match(answer)
    final = answer[draft.end() :] if draft else answer
    for find in (_find_answers, _find_torn):
        for text in (final, _as_json(final)):
            answers = find(text)
            if answers:
                certain = all(other == answers[0] for other in answers)
                return (answers[0], REPAIRED) if certain else ([], UNREADABLE)
    return [], UNREADABLE


def _as_json(text: str) -> str:
    """Write what may be Python as JSON: quotation marks, words, no commas before what closes."""
    opening = _OPENING.search(text)
    return _PYTHON.sub(_respell, text[opening.start() :]) if opening else ""


def _respell(match: re.Match[str]) -> str:
    if match[1] is None or (match[2] != "'" and match.end() < len(match.string)):
        return _WORDS.get(match[0], match[0])
    words = _IN_QUOTES.sub(lambda mark: _WORDS.get(mark[0], mark[0]), match[1])
    return f'"{words}"' if match[2] == "'" else f'"{words}'  # cut off


def _items_of(answer: object) -> list[object] | None:
    """Return the list of items in what was read; None if it is not an answer."""
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


class _Piece(NamedTuple):
    """An answer in a text, where it is, and whether it is one item by itself."""

    items: list[object]
    start: int
    end: int
    alone: bool


def _find_answers(text: str) -> list[list[object]]:
    """Find the answers in a text; items by themselves, one after the other, are one answer.

    Of such lines none is left out, but what is cut off at the end.
    """
    pieces, whole = _find_json(text)
    answers = [each.items for each in pieces]
    if not all(each.alone for each in pieces):
        return answers
    gaps = (text[one.end : other.start] for one, other in pairwise(pieces))
    if whole and any(gap.strip(" \t\r\n,") for gap in gaps):
        return answers
    return [list(chain.from_iterable(answers))] if whole and pieces else []


def _find_json(text: str) -> tuple[list[_Piece], bool]:
    """Find outermost JSON with items; tell whether nothing broken follows but a cut-off end."""
    pieces: list[_Piece] = []
    at = 0
    while opening := _OPENING.search(text, at):
        at, start = opening.end(), opening.start()
        try:
            value, end = _decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if _is_cut_off(text, error):
                return pieces, True
            if text[at : error.pos].strip() or text[error.pos : error.pos + 1] == "'":
                return pieces, False  # what follows may be parts of something broken
            continue  # a bracket in a sentence
        except _Errors:
            return pieces, False
        items = _items_of(value)
        if items is not None and all(isinstance(item, (str, Mapping)) for item in items):
            alone = isinstance(value, Mapping) and items == [value]
            pieces.append(_Piece(items, start, end, alone))
            at = end
    return pieces, True


def _find_torn(text: str) -> list[list[object]]:
    """Find the whole items of an answer that ends in the middle of one."""
    text = re.sub(r"\s*```\s*\Z", "", text)
    next_item = re.search(r"\[\s*(?=[{\"])", text)
    items: list[object] = []
    while next_item:
        try:
            item, at = _decoder.raw_decode(text, next_item.end())
        except json.JSONDecodeError as error:
            return [items] if _is_cut_off(text, error) else []
        except _Errors:
            return []
        items.append(item)
        next_item = _NEXT.match(text, at)
    # a closing bracket, and then the end, or the middle of the object around the list
    return [items] if items and _CLOSING.match(text, at) else []


def _is_cut_off(text: str, error: json.JSONDecodeError) -> bool:
    """Tell whether reading failed because the text ends."""
    if error.msg.startswith("Unterminated string"):
        return True
    return bool(_STUMP.match(text, error.pos)) or (
        error.msg.startswith("Invalid \\u") and len(text) - error.pos < len("\\u1234")
    )
