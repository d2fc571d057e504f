"""ICD codes: the form in which they are compared, their type and their chapter."""

from __future__ import annotations

import re

_PROCEDURE = re.compile(r"\d\d\.\d{1,2}")
_EXTERNAL = re.compile(r"E[089]\d{3}")
_WITHOUT_POINT = re.compile(r"\d{4,5}|[A-Z]\d[0-9A-Z]{2,5}")
_DIAGNOSIS = re.compile(r"(\d{3}|V\d\d)(\.\d{1,2})?|E\d{3}\d?(\.\d)?")
_CATEGORY = 3
DIAGNOSIS, PROCEDURE, OTHER = "diagnosis", "procedure", "other"
_STARTS = (1, 140, 240, 280, 290, 320, 390, 460, 520, 580, 630, 680, 710, 740, 760, 780, 800, 1000)
"""The first categories of the chapters of ICD-9-CM, and the number after the last category."""


def fold(code: str) -> str:
    """Return the form in which codes are compared: in upper case, with the point of diagnoses.

    A diagnosis without a point gets one after its category of three characters. A procedure of
    ICD-9-CM needs its point, because 4019 is 401.9, and not 40.19. The point of some codes with E
    differs between ICD-9-CM and ICD-10, so that they lose it.

    Examples:
        >>> fold("4019"), fold(" v5861"), fold("38.93"), fold("e888.9"), fold("E119")
        ('401.9', 'V58.61', '38.93', 'E8889', 'E11.9')
    """
    code = code.strip().upper()
    bare = code.replace(".", "")
    if _EXTERNAL.fullmatch(bare):
        return bare
    if _WITHOUT_POINT.fullmatch(code):
        return f"{code[:_CATEGORY]}.{code[_CATEGORY:]}"
    return code


def find_type(code: str) -> str:
    """Return whether a code of ICD-9-CM is a diagnosis or a procedure.

    Examples:
        >>> [find_type(code) for code in ("401.9", "V58.61", "E888.9", "486", "38.93", "99")]
        ['diagnosis', 'diagnosis', 'diagnosis', 'diagnosis', 'procedure', 'other']
    """
    code = fold(code)
    if _PROCEDURE.fullmatch(code):
        return PROCEDURE
    return DIAGNOSIS if _DIAGNOSIS.fullmatch(code) else OTHER


def find_chapter(code: str) -> str:
    """Return the chapter of a code: categories of ICD-9-CM, or the first letter.

    Examples:
        >>> [find_chapter(code) for code in ("4019", "38.93", "V58.61", "J45.0")]
        ['390-459', 'procedures', 'V', 'J']
    """
    code = fold(code)
    if _PROCEDURE.fullmatch(code):
        return "procedures"
    if not re.match(r"\d{3}(?!\d)", code):
        return code[:1]
    category = int(code[:_CATEGORY])
    at = sum(start <= category for start in _STARTS)
    return f"{_STARTS[at - 1]:03}-{_STARTS[at] - 1}" if at else "000"
