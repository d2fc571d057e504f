"""Acronyms and abbreviations with their codes: ShARe/CLEF eHealth 2013 Task 2.

They are mentions in a span group of their own, ``clin_acronyms``; a gold one may have several
codes, best first, with commas between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from clineval.formats import clef
from clineval.mentions import Document, Mention
from clineval.slots import Slot
from spacy.tokens import Doc

from spacy_clin import presets
from spacy_clin.getters import CLIN, MentionGetter

KEY = "clin_acronyms"
_CODE = Slot("cui", "code")


def read(getter: MentionGetter, docs: Sequence[Doc], side: str) -> list[list[dict[str, Any]]]:
    """The acronyms of each document as dicts with ``spans`` and ``cui``."""
    return getter.read(docs, [_CODE], side=side)


def as_lines(getter: MentionGetter, docs: Sequence[Doc], names: Sequence[str], side: str) -> str:
    """The documents as lines of the lab's format, by which acronyms are paired."""
    records = read(getter, docs, side)
    documents = (
        Document(name, [Mention(record["spans"], record["cui"]) for record in mentions])
        for name, mentions in zip(names, records, strict=True)
    )
    return "".join(map(clef.format_document, documents))


def find_getter(given: Any, where: str = "") -> MentionGetter:
    """The getter that a configuration asks for; ``clin`` and ``scispacy`` look for acronyms."""
    settings = {"preset": given} if isinstance(given, str) else given
    if isinstance(settings, Mapping):
        preset = settings.get("preset")
        if preset in _SOURCES:
            settings = {"mentions": _SOURCES[preset], **settings}
        if preset == "clin":
            rest = {name: value for name, value in settings.items() if name != "preset"}
            return replace(CLIN, **rest)
    return presets.find_getter(settings, where)


def _of_scispacy(doc: Doc) -> Iterator[Any]:
    """The short forms that the AbbreviationDetector found, in either of its forms."""
    for short in doc._.abbreviations:
        if isinstance(short, Mapping):  # with make_serializable
            yield doc[short["short_start"] : short["short_end"]]
        else:
            yield short


_SOURCES: Mapping[Any, Any] = {"clin": KEY, "scispacy": _of_scispacy}
