"""Codes of documents as a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from clineval.base.arrays import is_number
from clineval.kinds.codes.corpus import CODE, SCORE, is_code, is_phrase
from clineval.kinds.mentions.items import list_sides
from clineval.kinds.records.values import INVALID
from clineval.results.columns import Sides
from clineval.results.item import Item
from clineval.results.kind import AnswerWays, DocWays, Form, Gathered, Kind, PlainAnswers, T
from clineval.results.sources import Source


@dataclass(frozen=True)
class CodeKind(Kind):
    """The codes of documents, as sets or best first.

    Args:
        scored: whether codes can have scores.
        phrases: whether a code may have several words.
    """

    scored: bool = field(default=False, kw_only=True)
    phrases: bool = field(default=False, kw_only=True)

    name: ClassVar[str] = "codes"
    items: ClassVar[str] = "codes"
    never: ClassVar[Mapping[str, str]] = {
        "adjudicate": "a remark names a place in the text, and codes have none",
        "trainer": "a model has one output for each code, as for classes: declare Classes",
    }
    source_parts: ClassVar[frozenset[str]] = frozenset({"entities", "labels"})
    hub_task: ClassVar[str] = "text-classification"

    def forms(self) -> Sequence[Form]:
        """List the forms: a list of codes, and a document as a string."""
        scored: list[Form] = [[{CODE: str, SCORE: float}]] if self.scored else []
        return ([str], *scored, str)

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read lists of codes."""
        gather = partial(_gather, scored=self.scored, phrases=self.phrases)
        return ways.plain(PlainAnswers(("codes",), (CODE,), words=True, gather=gather))

    def ask(self, _config: str, /) -> Sequence[str]:
        """Ask for a list of codes."""
        items = f"{self.class_slot.word}s" if self.phrases and self.class_slot else "codes"
        listed = f"a list of {items}, the best first, or an empty list."
        lines = [f"Answer with JSON and nothing else: {listed}"]
        if self.scored:
            lines.append(
                "If you give probabilities, write each code as an object with code and score, a "
                "number from 0 to 1."
            )
        return lines

    def hold(self, ways: DocWays[T], /) -> T:
        """Hold codes in ``doc.cats``."""
        return ways.classes()

    def of_cats(self, cats: Mapping[str, float], /) -> object:
        """List the codes that are at least as likely as not, the likeliest first.

        If codes can have scores, the result has all categories.
        """
        if self.scored:
            return dict(cats)
        likely = [(-share, code) for code, share in cats.items() if share >= LIKELY]
        return [code for _, code in sorted(likely)]

    def as_cats(self, document: object, /) -> dict[str, float]:
        """Return 1 for every code of a list."""
        if isinstance(document, Mapping):
            return dict(document)
        items = document if isinstance(document, (list, tuple)) else ()
        return dict(_weigh(item) for item in items)

    def list_items(self, _corpus: object, sides: Sides, /) -> tuple[Sequence[Item], Sequence[Item]]:
        """List codes."""
        return list_sides(sides, self.class_slot)

    def of_sources(self, sources: Sequence[Source], /) -> list[object]:
        """List the labels of each document, or else the codes of its entities."""
        return [list(source.labels or _codes_of(source)) for source in sources]


LIKELY = 0.5
"""The probability from which a category is accepted."""


def _weigh(item: object) -> tuple[str, float]:
    """Return a code and its score, 1 if it has none."""
    if not isinstance(item, Mapping):
        return str(item), 1.0
    score = item.get(SCORE)
    return str(item.get(CODE)), float(score) if is_number(score) else 1.0


def _gather(items: Sequence[object], *, scored: bool, phrases: bool) -> Gathered:
    """Take codes; anything else becomes a code that no document has."""
    codes: list[object] = []
    invalid: list[tuple[int, str]] = []
    for position, item in enumerate(items):
        code = item.get(CODE) if isinstance(item, Mapping) else item
        score = item.get(SCORE) if scored and isinstance(item, Mapping) else None
        if score is not None and not (is_number(score) and 0 <= score <= 1):
            codes.append(f"{INVALID}{position}")
            invalid.append((position, SCORE))
        elif isinstance(code, str) and (is_phrase if phrases else is_code)(code):
            codes.append(code if score is None else {CODE: code, SCORE: score})
        else:
            codes.append(f"{INVALID}{position}")
            invalid.append((position, CODE))
    return Gathered(codes, invalid)


def _codes_of(source: Source) -> Sequence[str]:
    codes = (code for entity in source.entities for code in entity.codes)
    return list(dict.fromkeys(codes))
