"""Acronyms and abbreviations with their codes: ShARe/CLEF eHealth 2013 Task 2.

They are mentions in a span group of their own, ``clin_acronyms``; a gold one may have several
codes, best first, with commas between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from spacy.tokens import Doc

from clineval.formats import clef
from clineval.mentions.mention import Document, Mention
from clineval.mentions.slots import Slot
from spacy_clin import presets
from spacy_clin.documents import Documents
from spacy_clin.getters import MentionGetter

KEY = "clin_acronyms"
SLOTS = (Slot("cui", "code"),)


def as_lines(documents: Documents, records: list[list[Mapping[str, Any]]]) -> str:
    """The documents as lines of the lab's format, by which acronyms are paired."""
    return "".join(
        clef.format_document(
            Document(name, [Mention(record["spans"], record["cui"]) for record in mentions])
        )
        for name, mentions in zip(documents.names, records, strict=True)
    )


def find_getter(given: Any, where: str = "") -> MentionGetter:
    """The getter that a configuration asks for; ``clin`` and ``scispacy`` look for acronyms."""
    getter = presets.find_getter(given, where)
    preset = given if isinstance(given, str) else None
    if isinstance(given, Mapping) and "mentions" not in given:
        preset = given.get("preset")
    source = _SOURCES.get(preset) if isinstance(preset, str) else None
    return getter if source is None else replace(getter, mentions=source)


def _of_scispacy(doc: Doc) -> Iterator[Any]:
    """The short forms that the AbbreviationDetector found, in either of its forms."""
    for short in doc._.abbreviations:
        if isinstance(short, Mapping):  # with make_serializable
            yield doc[short["short_start"] : short["short_end"]]
        else:
            yield short


_SOURCES: Mapping[str, Any] = {"clin": KEY, "scispacy": _of_scispacy}
