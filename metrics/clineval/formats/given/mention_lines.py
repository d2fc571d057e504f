"""Fill columns with the mentions of JSON Lines, block by block, without keeping their objects.

Only lines of the usual form are read here. Whenever anything else appears, the caller reads the
same lines again at once, with the checks and messages for input that is not valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import cast

from clineval.base.errors import InputError
from clineval.formats.dict_spans import Place
from clineval.formats.dicts import Record, Table
from clineval.formats.given.documents import HELD
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import judge_language
from clineval.results.slots import Slot

_BLOCK = 512
"""Number of mentions that are read together, as in :mod:`clineval.formats.dicts`."""


@dataclass(slots=True)
class _Documents:
    """Names, texts and languages of documents, and the number of their relations."""

    names: list[str] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    relations: int = 0

    def add(self, line: dict[str, object]) -> Sequence[Record] | None:
        """Add a document and return its mentions; None if the document has an unusual form."""
        mentions, text = line.get("mentions"), line.get("text")
        relations = line.get("relations") or ()
        usual = type(mentions) is list and (text is None or type(text) is str)
        if not usual or not line.keys() <= HELD or not isinstance(relations, (list, tuple)):
            return None
        self.names.append(cast("str", line["id"]))
        self.texts.append(cast("str | None", text))
        self.languages.append(judge_language(line.get("language")) or "")
        self.relations += len(relations)
        return cast("Sequence[Record]", mentions)


def read_mentions(
    lines: Iterable[tuple[str, dict[str, object]]], slots: Sequence[Slot], unread: AbstractSet[str]
) -> tuple[Side, int] | None:
    """Read documents of mentions one after the other.

    Args:
        lines: the place and the content of each line.
        slots: the slots of mentions.
        unread: other slots that mentions can have; they are ignored.

    Returns:
        The side and the number of its relations; None if a line is not valid or unusual.
    """
    try:
        return _read(lines, slots, unread)
    except InputError:
        return None


def _read(
    lines: Iterable[tuple[str, dict[str, object]]], slots: Sequence[Slot], unread: AbstractSet[str]
) -> tuple[Side, int] | None:
    documents, place = _Documents(), Place("")
    table = Table(slots, place, unread)
    block: list[Record] = []
    for _, line in lines:
        mentions = documents.add(line)
        if mentions is None:
            return None
        place.sizes.append(len(mentions))
        block += mentions
        if len(block) >= _BLOCK:
            table.add(block)
            block = []
    if block:
        table.add(block)
    names, texts = tuple(documents.names), tuple(documents.texts)
    side = Side(names, names, table.finish())
    texts = texts if any(text is not None for text in texts) else ()
    languages = tuple(documents.languages) if any(documents.languages) else ()
    return replace(side, texts=texts, languages=languages), documents.relations
