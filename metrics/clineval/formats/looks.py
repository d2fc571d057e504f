"""Identify the format of files that are not in the expected format."""

from __future__ import annotations

import re
from collections.abc import Iterable

from clineval.base.errors import InputError

_OF_NAMES = {
    ".ann": "brat",
    ".spacy": "a spaCy DocBin",
    ".pipe": "pipes of SemEval or CLEF",
}
_BRAT = re.compile(rb"\s*(?:[TREAMN]\d+|#\d*|\*)\t")
_PUBTATOR = re.compile(rb"\s*[^|\t\n]+\|[ta]\|")
_TAGGED = re.compile(rb"(?:\s*\S+[ \t]+(?:O|[BI]|[BIESLU]-\S+)[ \t]*(?:\n|\Z)){3}")
TAGGED = r"(?i)\.(conll|conll\d{4}|iob[12]?|bio|bio2|bioes|iobes|bilou)$"
"""Names of files that always contain words with tags."""
_PACKED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "a ZIP archive"}
_XML = {b"<collection": "BioC", b"xmlns:xmi": "UIMA's XMI, which clineval does not read"}
_TABLE = b"PAR1"
_ZLIB = (0x01, 0x5E, 0x9C, 0xDA)


def by_names(names: Iterable[str]) -> str:
    """Return the format that file names suggest; empty if unknown.

    Examples:
        >>> by_names(["a.txt", "a.ann"]), by_names(["a.csv"])
        ('brat', '')
    """
    known = list(names)
    found = (what for end, what in _OF_NAMES.items() if any(name.endswith(end) for name in known))
    return next(found, "")


def by_bytes(content: bytes) -> str:
    r"""Return the format of a binary file by its first bytes; empty if unknown.

    Examples:
        >>> by_bytes(b"\x1f\x8b..."), by_bytes(b"x\x9c\x8b"), by_bytes(b"PAR1")
        ('gzip', 'a spaCy DocBin', 'Parquet')
    """
    if content.startswith(_TABLE):
        return "Parquet"
    if content[:1] == b"x" and len(content) > 1 and content[1] in _ZLIB:
        return _OF_NAMES[".spacy"]
    return next((what for start, what in _PACKED.items() if content.startswith(start)), "")


def by_root(content: bytes) -> str:
    r"""Return the format of an XML file by its content; empty if unknown.

    Examples:
        >>> by_root(b"<n><TEXT>a</TEXT><TAGS/></n>"), by_root(b"<html/>")
        ("i2b2's XML", '')
    """
    if b"<TEXT>" in content and b"<TAGS" in content:
        return "i2b2's XML"
    return next((what for sign, what in _XML.items() if sign in content), "")


def say(what: str, otherwise: str = "") -> str:
    """Return a sentence that says how to convert files of a format."""
    if not what:
        return otherwise
    if what in _PACKED.values():
        return f"This is {what}: unpack it"
    if what == _OF_NAMES[".spacy"]:
        return f"This is {what}: give the file the suffix .spacy, or a directory of such files only"
    given = "the directory" if what == "brat" else "it"
    named = " --from pubtator" if what == "PubTator" else ""
    command = f"clineval convert PATH OUT.jsonl{named} --module METRIC"
    return f"This is {what}: for a metric of mentions, convert {given} first ({command})"


def refuse_text(label: str, content: bytes, pattern: str) -> None:
    """Reject a file whose lines are clearly not in the format with file names ``pattern``."""
    content = content.lstrip(b"\n")  # of a part of a file, many lines can be empty
    tagged = _TAGGED.match(content) or re.search(TAGGED, label)
    if tagged and not re.search(pattern, "words.conll"):
        remedy = (
            "These are words with tags: for a metric of mentions, convert them first "
            "(clineval convert PATH OUT.jsonl --from conll --module METRIC)"
        )
    elif _PUBTATOR.match(content) and "pubtator" not in pattern:
        remedy = say("PubTator")
    elif "xml" not in pattern and content.lstrip().startswith(b"<") and by_root(content):
        remedy = say(by_root(content))
    else:
        return
    raise InputError("expected another format", where=label, remedy=remedy)


def refuse_brat(name: str, label: str, content: bytes, pattern: str) -> None:
    """Reject a brat file if the expected format is another one, which could misread its lines."""
    if name.endswith(".ann") and not re.search(pattern, name) and _BRAT.match(content):
        raise InputError("expected another format", where=label, remedy=say("brat"))
