"""The languages of documents, where a corpus has several and its files say which."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called
from clineval.kinds.mentions.columns import Side

KeyT = TypeVar("KeyT", bound=Hashable)
"""What stands for a document."""


def tell_languages(told: Iterable[tuple[KeyT, str, str]]) -> dict[KeyT, str]:
    """Return the language of each document that has one.

    Args:
        told: of each row the document, the language or nothing, file and line.

    Raises:
        InputError: rows of a document with different languages.

    Examples:
        >>> tell_languages([("a", "es", "a.tsv:2"), ("b", "", "a.tsv:3"), ("a", "es", "a.tsv:4")])
        {'a': 'es'}
    """
    found: dict[KeyT, str] = {}
    for document, language, where in told:
        if language and found.setdefault(document, language) != language:
            above = called(found[document])
            problem = f"language: {called(language)}, which is {above} in a row above"
            raise InputError(problem, where=where, remedy="A document has one language")
    return found


def join_languages(
    gold: Side, prediction: Side, numbers: tuple[IntArray, IntArray]
) -> Mapping[int, str]:
    """Return the number of a document to its language, as either side says it.

    Raises:
        InputError: they say different ones.
    """
    found: dict[int, str] = {}
    for side, of_side in zip((gold, prediction), numbers, strict=True):
        for at, language in zip(of_side.tolist(), side.languages, strict=False):
            if language and found.setdefault(at, language) != language:
                said = f"{called(found[at])} in the gold standard, {called(language)} in the"
                where = f"document {called(side.documents[at] or str(at))}"
                raise InputError(f"language: {said} predictions", where=where)
    return found
