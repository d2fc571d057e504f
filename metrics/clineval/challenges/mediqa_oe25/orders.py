"""Read the files of MEDIQA-OE 2025: a JSON object of encounters with orders, or JSON Lines."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from clineval.base.errors import InputError, named, shown
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.kinds.records.fields import Field
from clineval.kinds.records.values import INVALID, spell, write_json

DESCRIPTION, REASON, TYPE, TURNS = "description", "reason", "order_type", "provenance"
TYPES = ("medication", "lab", "imaging", "followup")
FILES = r"\.jsonl?$"
_EXPECTED = "expected_orders"
KEYS = "orders", _EXPECTED
_POINTS = re.compile(r"[?!,]|(?<!\d)\.|\.(?!\d)")
_DASH = re.compile(r"(?<=\d)-")
_EDGES = ";:()[]{}<>\"'\u2018\u2019\u201c\u201d*-\u2013\u2014/"


def clean(text: str) -> str:
    """Return the form in which words are compared.

    Convert to lower case. Remove commas, question and exclamation marks, and periods that do not
    stand between digits. Replace a dash after a digit by a blank. Remove other marks at the ends of
    words.

    Examples:
        >>> clean("Aspirin, 12.5 mg. (daily)"), clean("7-day x-ray;"), clean("?!")
        ('aspirin 12.5 mg daily', '7 day x-ray', '')
    """
    plain = _DASH.sub(" ", _POINTS.sub("", text.lower()))
    words = (word.strip(_EDGES) for word in plain.split())
    return " ".join(word for word in words if word)


class Turns(Field):
    """The numbers of the turns of a dialogue: a list, or a value that can be read as one.

    Examples:
        >>> turns = Turns("provenance", "set")
        >>> turns.read(["2", 1.0]), turns.read("[3, 4]"), turns.take([1, "turn 2"])
        ('["1", "2"]', '["3", "4"]', '["1", "turn 2"]')
    """

    def read(self, given: object) -> str:
        """Return the turns as a list in JSON; reject values that are not numbers."""
        text = self.take(given)
        if text == INVALID or not all(map(str.isdigit, json.loads(text))):
            raise InputError(f"{self.name}: expected a list of turns, got {shown(given)}")
        return text

    def take(self, given: object) -> str:
        """Return the turns as a list in JSON; other values are members that match no gold turn."""
        if isinstance(given, str):
            given = _parse_turns(given)
        members = given if isinstance(given, (list, tuple)) else [] if given is None else [given]
        if not write_json(members):
            return INVALID
        texts = sorted({_read_turn(member) for member in members})
        return json.dumps(texts, ensure_ascii=False)


def _parse_turns(text: str) -> object:
    if not text.strip():
        return None
    try:
        return parse_json(text) if text.strip().startswith("[") else text
    except NotJsonError:
        return text


def _read_turn(member: object) -> str:
    bare = member.strip() if isinstance(member, str) else spell(member)
    return bare.lstrip("0") or "0" if bare.isascii() and bare.isdigit() else bare or '""'


FIELDS = (
    Field(DESCRIPTION, "words", required=True, fold=clean),
    Field(REASON, "words", fold=clean),
    Field(TYPE, "closed", TYPES, required=True, fold=clean),
    Turns(TURNS, "set"),
)


def choose_part(given: Mapping[str, object], where: str, dataset: str | None) -> object:
    """Return the encounters of a file: all, or one data set of a published file.

    Args:
        given: the object that the file contains.
        where: the file, for messages.
        dataset: the part of a published file; not needed if the file has only one.
    """
    if not any(map(_is_published, given.values())):
        return given
    if dataset is None and len(given) == 1:
        return next(iter(given.values()))
    if dataset is not None and dataset in given:
        return given[dataset]
    parts = ", ".join(filter(None, map(named, given)))
    problem = f"the file has the data sets {parts}"
    raise InputError(problem, where=where, remedy="Name one with part or --part")


def _is_published(part: object) -> bool:
    """Return whether a value is a list of encounters."""
    first = part[0] if isinstance(part, list) and part else None
    return isinstance(first, Mapping) and _EXPECTED in first
