"""TAC 2017 ADR as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Self

from clineval.base.errors import InputError, called, warn
from clineval.base.files import Source
from clineval.challenges.tac2017_adr.labels import LabelFile
from clineval.challenges.tac2017_adr.measures import STRINGS
from clineval.challenges.tac2017_adr.sides import LISTS, LabelSide, read_label_files, read_labels
from clineval.formats.given.code_lists import read_codes
from clineval.kinds.codes.corpus import Aligned, CodeCorpus, join_aligned
from clineval.kinds.mentions.columns import Side, check_texts
from clineval.kinds.relations.columns import RelatedSide
from clineval.protocols.code_sets import CodeSets
from clineval.protocols.related_sets import RelatedSets
from clineval.results.challenge import Setup


@dataclass(frozen=True)
class Spec(RelatedSets):
    """Mentions and relations; the default configuration adds reactions and codes.

    Args:
        open_file: opens the file of a label.
    """

    _: KW_ONLY
    open_file: type[LabelFile] = LabelFile

    def read_side(self, given: object, side: str, _setup: Setup, /) -> RelatedSide:
        """Read XML, JSON Lines, dicts, or Documents."""
        return read_labels(given, side, self.open_file)

    def select(self, gold: RelatedSide, predicted: RelatedSide) -> tuple[RelatedSide, RelatedSide]:
        """Return all documents; reject different texts."""
        check_labels(gold, predicted)
        return gold, predicted

    def list_strings(
        self, gold: RelatedSide, predicted: RelatedSide, aligned: Aligned
    ) -> Mapping[str, CodeCorpus]:
        """Return the reactions and the codes, if both sides come from files."""
        if isinstance(gold, LabelSide) and isinstance(predicted, LabelSide):
            sides = {name: (gold.listed[name], predicted.listed[name]) for name in LISTS}
            return {name: join_aligned(of, aligned, str) for name, of in sides.items()}
        if isinstance(gold, LabelSide) or isinstance(predicted, LabelSide):
            warn("reactions and codes are not scored, because only one side is XML")
        return {}


def check_labels(gold: RelatedSide, predicted: RelatedSide) -> None:
    """Reject files with other texts, or other sections, than the gold standard.

    Raises:
        InputError: the sections of a document differ.
    """
    if not (isinstance(gold, LabelSide) and isinstance(predicted, LabelSide)):
        return
    check_texts(gold.side, predicted.side)
    pairs = zip(gold.side.documents, gold.sections, strict=True)
    known = dict(pairs) if gold.side.keys else {}
    for name, sections in zip(predicted.side.documents, predicted.sections, strict=True):
        if known.get(name, sections) != sections:
            raise InputError(
                "other sections than in the gold standard", where=f"document {called(name)}"
            )


@dataclass(frozen=True)
class Strings(CodeSets):
    """The reactions, or the codes, of each label.

    Args:
        open_file: opens the file of a label.
    """

    _: KW_ONLY
    open_file: type[LabelFile] = LabelFile

    @classmethod
    def of(cls, name: str, open_file: type[LabelFile]) -> Self:
        """Return the protocol of the configuration ``reactions`` or ``codes``."""
        files = partial(_read_strings, name, open_file, "references")
        word = name.removesuffix("s")
        return cls(
            files, str, word, (STRINGS[name],), counted=name, phrases=True, open_file=open_file
        )

    def read_side(self, source: object, side: str, _setup: Setup, /) -> Side:
        """Read XML, lists of strings, or mappings of documents to these."""
        read = partial(_read_strings, self.counted, self.open_file, side)
        return read_codes(source, side, read, places=False, phrases=True)


def _read_strings(name: str, open_file: type[LabelFile], side: str, source: Source) -> Side:
    return read_label_files(source, side, open_file).listed[name]
