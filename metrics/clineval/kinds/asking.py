"""Instructions for language models: how to write answers of a kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain

from clineval.results.slots import Slot

Key = tuple[str, str]
"""A key of an object, and a description of its value."""
_WORDS = (
    "the words of the mention as they stand in the note, or a list of such quotes if words between "
    "them do not belong to it"
)
QUOTE: Key = "text", _WORDS


def ask_for_list(noun: str, keys: Iterable[Key]) -> list[str]:
    """Ask for a list of objects.

    Args:
        noun: what an object stands for.
        keys: its keys.

    Examples:
        >>> for line in ask_for_list("drug", [("name", "a word")]):
        ...     print(line)
        Answer with JSON and nothing else: a list with an object for each drug, or
        an empty list. The keys of an object:
        - "name": a word
    """
    return [
        f"Answer with JSON and nothing else: a list with an object for each {noun}, or",
        "an empty list. The keys of an object:",
        *list_keys(keys),
    ]


def ask_for_object(lists: Iterable[tuple[str, str, Sequence[Key]]]) -> list[str]:
    """Ask for an object of lists: the name, the meaning and the keys of each list's objects."""
    parts = [
        [f"{quote(name)}: a list with an object for each {each}. Its keys:", *list_keys(keys)]
        for name, each, keys in lists
    ]
    return ["Answer with JSON and nothing else: an object with", *chain.from_iterable(parts)]


def list_keys(keys: Iterable[Key]) -> list[str]:
    """Return a line for each key."""
    return [f"- {quote(key)}: {described}" for key, described in keys]


def describe_slots(slots: Iterable[Slot]) -> list[Key]:
    """Describe the value of each slot."""
    return [(slot.name, _describe_slot(slot)) for slot in slots]


def _describe_slot(slot: Slot) -> str:
    described = {
        "closed": say_values(slot.values),
        "label": say_values(slot.values) or "the label, as the guidelines spell it",
        "free": "a word, or true or false",
        "code": "the code, or null if there is none",
        "codes": "a list of codes",
    }[slot.kind]
    if slot.default is None:  # a code may be null, but is not left out
        return described
    usual = "may be left out" if slot.kind == "codes" else f"{quote(slot.default)} if left out"
    return f"{described}; {usual}"


def say_values(values: Sequence[str]) -> str:
    """List the allowed values; return an empty string if any value is allowed.

    Examples:
        >>> say_values(("yes", "no")), say_values(())
        ('one of "yes", "no"', '')
    """
    return f"one of {', '.join(map(quote, values))}" if values else ""


def quote(text: str) -> str:
    """Quote a text as JSON, YAML and Python read it."""
    return json.dumps(text, ensure_ascii=False)
