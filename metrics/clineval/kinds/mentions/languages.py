"""The languages of documents, if files of a corpus with several languages state them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

from clineval.base.errors import InputError, called
from clineval.kinds.mentions.columns import Side

KeyT = TypeVar("KeyT", bound=Hashable)
"""The identifier of a document."""


def tell_languages(rows: Iterable[tuple[KeyT, str, str]]) -> dict[KeyT, str]:
    """Return the language of each document that has one.

    Args:
        rows: for each row the document, the language or an empty string, and file and line.

    Raises:
        InputError: rows of a document have different languages.

    Examples:
        >>> tell_languages([("a", "es", "a.tsv:2"), ("b", "", "a.tsv:3"), ("a", "es", "a.tsv:4")])
        {'a': 'es'}
    """
    languages: dict[KeyT, str] = {}
    for document, language, where in rows:
        if language and languages.setdefault(document, language) != language:
            above = called(languages[document])
            problem = f"language: {called(language)} here, but {above} in a row above"
            raise InputError(problem, where=where, remedy="Give each document one language")
    return languages


def name_languages(gold: object, prediction: object) -> dict[str, str]:
    """Map names of documents to languages, from either side.

    Raises:
        InputError: the sides differ.
    """
    given = [getattr(side, "side", side) for side in (gold, prediction)]  # with relations
    sides = [side for side in given if isinstance(side, Side)]
    if not any(any(side.languages) for side in sides):
        return {}
    paired = [side.keys or () for side in sides]
    keys = paired if all(paired) else [range(len(side.documents)) for side in sides]
    names: dict[object, str] = {}
    languages: dict[str, str] = {}
    for side, document_keys in zip(sides, keys, strict=True):
        for key, name in zip(document_keys, side.documents, strict=True):
            names[key] = names.get(key) or name
    for side, document_keys in zip(sides, keys, strict=True):
        for key, language in zip(document_keys, side.languages, strict=False):
            name = names[key] or str(key)
            if language and languages.setdefault(name, language) != language:
                said = (
                    f"{called(languages[name])} in the gold standard, but {called(language)} in the"
                )
                where = f"document {called(name)}"
                raise InputError(f"language: {said} predictions", where=where)
    return languages
