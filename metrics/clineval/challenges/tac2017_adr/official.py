"""TAC 2017 ADR by the rules of public copies of its evaluation program."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from clineval.base.errors import InputError
from clineval.base.offsets import LARGEST, read_whole
from clineval.challenges.tac2017_adr.labels import LabelFile, expect_id
from clineval.challenges.tac2017_adr.sides import LabelSide
from clineval.challenges.tac2017_adr.spec import Spec, Strings, check_labels
from clineval.formats.files import TextFile
from clineval.formats.xml_elements import Element
from clineval.kinds.codes.corpus import CodeCorpus
from clineval.kinds.mentions.columns import Side
from clineval.kinds.relations.columns import RelatedSide
from clineval.programs.common_documents import (
    keep_common,
    keep_common_related,
    take_documents,
)
from clineval.results.challenge import Setup

T = TypeVar("T")
_NUMBERS = re.compile(r"[0-9,]+")


class ProgramFile(LabelFile):
    """A label as the program reads it: offsets are strings, and mentions without ``str`` are free.

    An invalid element stops the program, in predictions too.
    """

    stops = True

    def __init__(self, file: TextFile) -> None:
        super().__init__(file)
        self._links = set[tuple[str, int, int]]()

    def locate(self, element: Element, read: Callable[[Element], T]) -> T:
        """Read an element; say in the message of an error that the program stops."""
        try:
            return super().locate(element, read)
        except InputError as error:
            problem = f"{error.problem.rstrip('.')}: the released program stops here"
            raise InputError(problem, where=error.where) from None

    def register(self, element: Element, row: int) -> None:
        """Note the row of a mention with ``str``; relations can have no others."""
        if "str" in element.attributes:
            super().register(element, row)

    def judge_id(self, element: Element, start: str) -> None:
        """Reject an id without its prefix, or of an earlier element; compare no free mentions."""
        if start == "M" and "str" not in element.attributes:
            expect_id(element.attributes.get("id", ""), start)
        else:
            super().judge_id(element, start)

    def read_fragments(
        self, of: Mapping[str, str], section: str
    ) -> tuple[Sequence[tuple[int, int]], str]:
        """Read the fragments; return how they are written, unless it is the usual way."""
        written = of.get("start", ""), of.get("len", "")
        if not all(map(_NUMBERS.fullmatch, written)):
            raise InputError("start and len: expected digits and commas")
        if "str" in of and "" in ",".join(written).split(","):
            raise InputError("start and len: expected numbers between commas")
        starts, lengths = ([*map(read_whole, filter(None, of.split(",")))] for of in written)
        pairs = [*zip(starts, lengths, strict=False)]
        self.judge_words(of, section, pairs)
        first, size = self.parts.starts[section], len(self.texts[section])
        found = [(first + min(s, LARGEST), first + min(s + n, LARGEST)) for s, n in pairs]
        usual = tuple(",".join(map(str, numbers)) for numbers in zip(*pairs, strict=True))
        if usual == written and pairs == sorted(pairs) and all(s + n <= size for s, n in pairs):
            return found, ""
        return found or [(first, first)], " ".join((section, *written))

    def read_relation(self, element: Element) -> tuple[str, int, int]:
        """Read a relation; reject one that occurs twice."""
        link = super().read_relation(element)
        if link in self._links:
            raise InputError("the relation occurs twice")
        self._links.add(link)
        return link

    def take_code(self, of: Mapping[str, str]) -> str:
        """Return the name of a term, because the program ignores numbers."""
        return of["meddra_pt"]


class Official(Spec):
    """The program: only the documents of both sides count."""

    def select(self, gold: RelatedSide, predicted: RelatedSide) -> tuple[RelatedSide, RelatedSide]:
        """Keep the documents of both sides."""
        check_labels(gold, predicted)
        golds, found = keep_common_related(gold, predicted)
        return _keep_strings(golds), _keep_strings(found)


def _keep_strings(related: RelatedSide) -> RelatedSide:
    """Keep the strings of the documents that a side still has."""
    if not isinstance(related, LabelSide) or related.side.keys is None:
        return related
    _refuse_nothing(related.side)
    known = set(related.side.keys)
    listed = {name: take_documents(of, of.keys or (), known) for name, of in related.listed.items()}
    return replace(related, listed=listed)


def _refuse_nothing(side: Side) -> None:
    if not side.documents:
        raise InputError(
            "no document is on both sides: the released program stops here",
            remedy="Give both sides the same file names",
        )


class CommonStrings(Strings):
    """The reactions, or the names of MedDRA terms, of the documents of both sides."""

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Join both sides, without the documents that only one side has."""
        golds, found = keep_common(gold, predicted)
        _refuse_nothing(golds)
        return super().join(golds, found, setup)
