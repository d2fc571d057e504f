"""Read JSON as models write it: in code fences, within sentences, cut off, or as Python.

Repair an answer only if its meaning is certain. An answer that is ambiguous, or broken in the
middle, is unreadable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

LISTS = ("mentions", "entities", "extractions", "answers")
"""Keys under which an object can contain the list of items."""


class Shape(NamedTuple):
    """The shape of items, and the keys of their list in an object.

    Args:
        lists: keys under which an object can contain the list of items.
        marks: fields; an item has at least one of them.
        words: whether a string alone is an item.
        parts: keys of lists inside an item.
        label: the field of an item's label, if an answer may be an object of label to quotes; else
            empty.
        alone: strings without case that are complete answers outside JSON.
        objects: whether any object is an item, unless it contains the list under a key.
    """

    lists: tuple[str, ...]
    marks: tuple[str, ...]
    words: bool = True
    parts: tuple[str, ...] = ()
    label: str = ""
    alone: frozenset[str] = frozenset()
    objects: bool = False

    def is_item(self, given: object) -> bool:
        """Return whether a value is certainly an item."""
        if not isinstance(given, Mapping):
            return False
        return self.objects or any(mark in given for mark in self.marks)

    def may_be(self, members: Sequence[object]) -> bool:
        """Return whether a list in a text could be a list of items."""
        if self.words:
            return all(isinstance(member, (str, Mapping)) for member in members)
        return not members or any(isinstance(member, Mapping) for member in members)

    @property
    def beginning(self) -> re.Pattern[str]:
        """A pattern for the beginning of a list of items."""
        return _LIST if self.words else _LIST_OF_OBJECTS


QUOTED = Shape(LISTS, ("text", "extraction_text"))
"""Items that quote a note."""
FINE, REPAIRED, UNREADABLE = "fine", "repaired", "unreadable"
_OPENING = re.compile(r"[\[{]")
_LIST, _LIST_OF_OBJECTS = re.compile(r"\[\s*(?=[{\"])"), re.compile(r"\[\s*(?={)")
_NEXT = re.compile(r"\s*,\s*")
_CLOSING = re.compile(r"\s*(?:\]\s*(?:,[^\[\]{}]*)?)?\Z")
_STUMP = re.compile(r"\s*(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)?\s*\Z")
_DRAFT = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|.*</think(?:ing)?>", re.DOTALL)
"""Reasoning before the answer; the templates of some models drop the first tag."""
_PYTHON = re.compile(
    r"""'((?:[^'\\\n]|\\[^\n])*)('|\\?(?=\n)|\\?\Z)"""  # to the end, so that time is linear
    r"""|"(?:[^"\\]|\\[\s\S])*(?:"|\\?\Z)|\b(?:True|False|None)\b|,(?=\s*[\]}])"""
)
_IN_QUOTES = re.compile(r"\\.|\"")
_WORDS = {"True": "true", "False": "false", "None": "null", ",": "", "\\'": "'", '"': '\\"'}
_AROUND = " \t\r\n.\"'`*"
"""Characters that may surround an answer of one word."""
_decoder = json.JSONDecoder()
_Errors = (ValueError, RecursionError)


def read_items(answer: object, shape: Shape = QUOTED) -> tuple[list[object], str]:
    r"""Return the items of an answer, and whether it was fine, repaired or unreadable.

    Args:
        answer: the text of a model, or parsed JSON: a list of items, an object that contains the
            list under a key of the shape or as its only list, or one item.
        shape: the shape of items.

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
    if isinstance(answer, str) and answer.strip(_AROUND).casefold() in shape.alone:
        return [answer.strip(_AROUND)], FINE
    try:
        items = _items_of(json.loads(answer) if isinstance(answer, str) else answer, shape)
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
            answers = find(text, shape)
            if answers:
                certain = all(other == answers[0] for other in answers)
                return (answers[0], REPAIRED) if certain else ([], UNREADABLE)
    return [], UNREADABLE


def _as_json(text: str) -> str:
    """Convert Python syntax to JSON: quotation marks, constants, no commas before brackets."""
    opening = _OPENING.search(text)
    return _PYTHON.sub(_respell, text[opening.start() :]) if opening else ""


def _respell(match: re.Match[str]) -> str:
    if match[1] is None or (match[2] != "'" and match.end() < len(match.string)):
        return _WORDS.get(match[0], match[0])
    words = _IN_QUOTES.sub(lambda mark: _WORDS.get(mark[0], mark[0]), match[1])
    return f'"{words}"' if match[2] == "'" else f'"{words}'  # cut off


def _items_of(answer: object, shape: Shape) -> list[object] | None:
    """Return the list of items in parsed JSON; None if it is not an answer.

    The only list of an object is the list of items, unless the object is an item with a list.
    """
    if isinstance(answer, (list, tuple)):
        return list(answer)
    if not isinstance(answer, Mapping):
        return None
    if not answer:
        return [answer] if shape.objects else []
    by_label = _items_by_label(answer, shape)
    if by_label is not None:
        return by_label
    named = [answer[name] for name in shape.lists if name in answer]
    lists = named or [
        value
        for name, value in answer.items()
        if isinstance(value, (list, tuple)) and name not in shape.parts
    ]
    if shape.objects and not named:
        return [answer]
    only = list(lists[0]) if len(lists) == 1 and isinstance(lists[0], (list, tuple)) else None
    holds_items = bool(only) and all(map(shape.is_item, only or ()))
    return [answer] if shape.is_item(answer) and not named and not holds_items else only


def _items_by_label(answer: Mapping[str, object], shape: Shape) -> list[object] | None:
    """Return the items of an object of label to quotes, which may be nested under a key.

    Return None for anything else, because only lists of quotes are unambiguous.

    Examples:
        >>> shape = QUOTED._replace(label="label")
        >>> _items_by_label({"entities": {"Sign": ["pain"], "Device": []}}, shape)
        [{'text': 'pain', 'label': 'Sign'}]
    """
    inner = [answer[name] for name in shape.lists if isinstance(answer.get(name), Mapping)]
    quotes = inner[0] if len(inner) == 1 else answer
    if not shape.label or not isinstance(quotes, Mapping) or {*quotes} & {*shape.lists}:
        return None
    lists = {label: [] if given is None else given for label, given in quotes.items()}
    if shape.is_item(quotes) or not all(map(_holds_quotes, lists.values())):
        return None
    return [{"text": text, shape.label: label} for label, of in lists.items() for text in of]


def _holds_quotes(given: object) -> bool:
    """Return whether a value is a list of quotes, or of lists of fragments."""
    if not isinstance(given, (list, tuple)):
        return False
    parts = (each if isinstance(each, (list, tuple)) else [each] for each in given)
    return all(isinstance(text, str) for of in parts for text in of)


class _Piece(NamedTuple):
    """An answer in a text, its place, and whether it is a single item."""

    items: list[object]
    start: int
    end: int
    alone: bool


def _find_answers(text: str, shape: Shape) -> list[list[object]]:
    """Find the answers in a text; consecutive single items form one answer.

    All such items must be readable, except one that is cut off at the end.
    """
    pieces, whole = _find_json(text, shape)
    answers = [each.items for each in pieces]
    if not all(each.alone for each in pieces):
        return answers
    gaps = (text[one.end : other.start] for one, other in pairwise(pieces))
    if whole and any(gap.strip(" \t\r\n,") for gap in gaps):
        return answers
    return [list(chain.from_iterable(answers))] if whole and pieces else []


def _find_json(text: str, shape: Shape) -> tuple[list[_Piece], bool]:
    """Find outermost JSON with items; also return whether only a cut-off end follows."""
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
                return pieces, False  # the rest may be parts of broken JSON
            continue  # a bracket in a sentence
        except _Errors:
            return pieces, False
        items = _items_of(value, shape)
        if items is not None and shape.may_be(items):
            alone = isinstance(value, Mapping) and items == [value]
            pieces.append(_Piece(items, start, end, alone))
            at = end
    return pieces, True


def _find_torn(text: str, shape: Shape) -> list[list[object]]:
    """Find the complete items of an answer that ends in the middle of an item."""
    text = re.sub(r"\s*```\s*\Z", "", text)
    next_item = shape.beginning.search(text)
    opening = _OPENING.search(text)
    if shape.objects and next_item and opening and opening.start() < next_item.start():
        return []  # the list may be inside an item
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
    """Return whether parsing failed because the text ends."""
    if error.msg.startswith("Unterminated string"):
        return True
    return bool(_STUMP.match(text, error.pos)) or (
        error.msg.startswith("Invalid \\u") and len(text) - error.pos < len("\\u1234")
    )
