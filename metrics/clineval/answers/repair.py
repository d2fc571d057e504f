"""JSON as models write it: in code fences, with words around it, cut off in the middle, as Python.

What was meant is taken where there is no doubt of it, and nothing is guessed: an answer that could
mean two things, or that is broken in the middle, is unreadable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

LISTS = ("mentions", "entities", "extractions", "answers")
"""Names under which an object can hold the list of items."""


class Shape(NamedTuple):
    """How items look, and where an object holds their list.

    Args:
        lists: names under which an object can hold the list of items.
        marks: fields of which an item has one at least.
        words: whether a string alone is an item.
        parts: names of lists that an item has itself.
        label: the field of an item's label, which an object of lists of quotes has as their names;
            empty if such names are none.
        alone: strings without case that are a whole answer, outside of any JSON.
    """

    lists: tuple[str, ...]
    marks: tuple[str, ...]
    words: bool = True
    parts: tuple[str, ...] = ()
    label: str = ""
    alone: frozenset[str] = frozenset()

    def is_item(self, given: object) -> bool:
        """Tell whether something is an item without any doubt."""
        return isinstance(given, Mapping) and any(mark in given for mark in self.marks)

    def may_be(self, members: Sequence[object]) -> bool:
        """Tell whether a list that stands in a text could be one of items."""
        if self.words:
            return all(isinstance(member, (str, Mapping)) for member in members)
        return not members or any(isinstance(member, Mapping) for member in members)

    @property
    def beginning(self) -> re.Pattern[str]:
        """How a list of items begins."""
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
"""What a model thinks before it answers; the templates of some swallow the first tag."""
_PYTHON = re.compile(
    r"""'((?:[^'\\\n]|\\[^\n])*)('|\\?(?=\n)|\\?\Z)"""  # to the end, so that time is linear
    r"""|"(?:[^"\\]|\\[\s\S])*(?:"|\\?\Z)|\b(?:True|False|None)\b|,(?=\s*[\]}])"""
)
_IN_QUOTES = re.compile(r"\\.|\"")
_WORDS = {"True": "true", "False": "false", "None": "null", ",": "", "\\'": "'", '"': '\\"'}
_AROUND = " \t\r\n.\"'`*"
"""What may stand around an answer of one word."""
_decoder = json.JSONDecoder()
_Errors = (ValueError, RecursionError)


def read_items(answer: object, shape: Shape = QUOTED) -> tuple[list[object], str]:
    r"""Return the items of an answer, and whether it was fine, repaired or unreadable.

    Args:
        answer: what a model wrote, or what was read of it: a list of items, or an object that
            holds it under a name of the shape, or as its only list; or one item.
        shape: how items look.

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
    """Write what may be Python as JSON: quotation marks, words, no commas before what closes."""
    opening = _OPENING.search(text)
    return _PYTHON.sub(_respell, text[opening.start() :]) if opening else ""


def _respell(match: re.Match[str]) -> str:
    if match[1] is None or (match[2] != "'" and match.end() < len(match.string)):
        return _WORDS.get(match[0], match[0])
    words = _IN_QUOTES.sub(lambda mark: _WORDS.get(mark[0], mark[0]), match[1])
    return f'"{words}"' if match[2] == "'" else f'"{words}'  # cut off


def _items_of(answer: object, shape: Shape) -> list[object] | None:
    """Return the list of items in what was read; None if it is not an answer.

    The only list of an object is one of items, unless the object is an item that has a list.
    """
    if isinstance(answer, (list, tuple)):
        return list(answer)
    if not isinstance(answer, Mapping):
        return None
    if not answer:
        return []
    by_label = _items_by_label(answer, shape)
    if by_label is not None:
        return by_label
    named = [answer[name] for name in shape.lists if name in answer]
    lists = named or [
        value
        for name, value in answer.items()
        if isinstance(value, (list, tuple)) and name not in shape.parts
    ]
    only = list(lists[0]) if len(lists) == 1 and isinstance(lists[0], (list, tuple)) else None
    holds_items = bool(only) and all(map(shape.is_item, only or ()))
    return [answer] if shape.is_item(answer) and not named and not holds_items else only


def _items_by_label(answer: Mapping[str, object], shape: Shape) -> list[object] | None:
    """Return the items of an object of labels with their quotes, which may stand under a name.

    None if it is something else: what is not a list of quotes could be anything.

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
    """Tell whether something is a list of quotes, or of the fragments of quotes."""
    if not isinstance(given, (list, tuple)):
        return False
    parts = (each if isinstance(each, (list, tuple)) else [each] for each in given)
    return all(isinstance(text, str) for of in parts for text in of)


class _Piece(NamedTuple):
    """An answer in a text, where it is, and whether it is one item by itself."""

    items: list[object]
    start: int
    end: int
    alone: bool


def _find_answers(text: str, shape: Shape) -> list[list[object]]:
    """Find the answers in a text; items by themselves, one after the other, are one answer.

    Of such lines none is left out, but what is cut off at the end.
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
        items = _items_of(value, shape)
        if items is not None and shape.may_be(items):
            alone = isinstance(value, Mapping) and items == [value]
            pieces.append(_Piece(items, start, end, alone))
            at = end
    return pieces, True


def _find_torn(text: str, shape: Shape) -> list[list[object]]:
    """Find the whole items of an answer that ends in the middle of one."""
    text = re.sub(r"\s*```\s*\Z", "", text)
    next_item = shape.beginning.search(text)
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
