r"""Codes of mentions in brat's files: normalizations, or annotators' notes.

``N1<tab>Reference T1 UMLS:C0344720<tab>...`` is the code C0344720. Codes of other databases keep
the database's name, such as MeSH:D001249. Several codes of a mention are one string, separated by
commas. If a mention has no normalization, its notes that are codes count:
``#1<tab>AnnotatorNotes T1<tab>C0344720``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

DATABASE = "UMLS"
"""The database whose codes have no prefix outside of brat."""
_SEPARATOR = ","
_CODE = re.compile(r"(?:C\d+|CUI-?less)\Z", re.IGNORECASE)


def read_code(value: str) -> str:
    """Return the code of a normalization; empty if there is none.

    Examples:
        >>> read_code("UMLS:C0344720"), read_code("MeSH:D001249"), read_code("OMIM: ")
        ('C0344720', 'MeSH:D001249', '')
    """
    database, colon, code = (part.strip() for part in value.partition(":"))
    if not colon or not code:
        return "" if colon else database
    return code if database.upper() == DATABASE else f"{database}:{code}"


def is_code(note: str) -> bool:
    """Return whether an annotator's note is a code."""
    return bool(_CODE.match(note.strip()))


def join_codes(codes: Iterable[str], notes: Iterable[str]) -> str:
    """Return the codes of a mention as one string, from normalizations or else from notes.

    Examples:
        >>> join_codes(["MeSH:D1", "OMIM:2", "MeSH:D1"], ["C0344720"]), join_codes([""], ["C1"])
        ('MeSH:D1,OMIM:2', 'C1')
    """
    known = dict.fromkeys(code for code in codes if code)
    return _SEPARATOR.join(known or dict.fromkeys(note.strip() for note in notes if is_code(note)))


def write_codes(joined: str) -> Iterator[tuple[str, str]]:
    """Yield each code with and without its database; normalizations contain both.

    Examples:
        >>> list(write_codes("C0344720,MeSH:D001249"))
        [('UMLS:C0344720', 'C0344720'), ('MeSH:D001249', 'D001249')]
    """
    parts = joined.split(_SEPARATOR)
    for code in parts if all(parts) else [joined] if joined else []:
        database, _, own = code.partition(":")
        named = bool(own) and database.strip().upper() not in ("", DATABASE)
        yield (code, own) if named else (f"{DATABASE}:{code}", code)
