r"""Codes of mentions in brat's files: normalizations, or annotators' notes.

``N1<tab>Reference T1 UMLS:C0344720<tab>...`` says the code C0344720. Codes of other databases keep
the database's name, such as MeSH:D001249. A mention can have several codes, which are one string
with commas between them. Notes that are codes, ``#1<tab>AnnotatorNotes T1<tab>C0344720``, count for
mentions without a normalization.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

DATABASE = "UMLS"
"""The database whose codes are written without its name outside of brat."""
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
    """Return the codes of a mention as one string: the normalizations, or if none the notes.

    Examples:
        >>> join_codes(["MeSH:D1", "OMIM:2", "MeSH:D1"], ["C0344720"]), join_codes([""], ["C1"])
        ('MeSH:D1,OMIM:2', 'C1')
    """
    known = dict.fromkeys(code for code in codes if code)
    return _SEPARATOR.join(known or dict.fromkeys(note.strip() for note in notes if is_code(note)))


def write_codes(joined: str) -> Iterator[tuple[str, str]]:
    """Yield each code with its database, and without it, as normalizations have both.

    Examples:
        >>> list(write_codes("C0344720,MeSH:D001249"))
        [('UMLS:C0344720', 'C0344720'), ('MeSH:D001249', 'D001249')]
    """
    parts = joined.split(_SEPARATOR)
    for code in parts if all(parts) else [joined] if joined else []:
        database, _, own = code.partition(":")
        named = bool(own) and database.strip().upper() not in ("", DATABASE)
        yield (code, own) if named else (f"{DATABASE}:{code}", code)
