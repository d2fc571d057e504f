"""Read and compare PharmaCoNER 2019 as the CODALAB script does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.base.errors import InputError, agree, listed
from clineval.base.files import Source, name_path
from clineval.challenges.pharmaconer19.indexing_tsv import (
    FILES,
    Row,
    is_unclear,
    read_as_script,
    read_notes,
)
from clineval.challenges.pharmaconer19.spec import CODES, UNCLEAR, Indexing, Mentions, mentions
from clineval.kinds.codes.corpus import CodeCorpus, as_side, number
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.programs.common_documents import keep_common
from clineval.programs.word_lines import WordFiles
from clineval.results.challenge import Setup


@dataclass(frozen=True)
class OfficialMentions(Mentions):
    """Score sub-track 1 in the documents that both sides have."""

    strict = False

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join the documents that both sides have."""
        return super().join(*keep_common(gold, predicted), setup)


@dataclass(frozen=True)
class OfficialIndexing(Indexing):
    """Score sub-track 2 in the documents that both sides have; compare codes as written."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read one side; rows that name another document are never dropped."""
        judged = side == "references" and setup["annotations"] is not None
        if judged and isinstance(given, (str, os.PathLike)):
            return _read_clear_rows(given, setup["annotations"])
        return super().read_side(given, side, setup)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Join the documents that both sides have."""
        return super().join(*keep_common(gold, predicted), setup)


def as_codes(source: Source, pattern: str = FILES) -> Side:
    """Read codes as the released scripts do."""
    return _as_side(*read_as_script(source, pattern))


def _as_side(names: tuple[str, ...], rows: Sequence[Row]) -> Side:
    _, numbers = number([*names, *(row.document for row in rows)])
    both = zip(numbers[len(names) :], rows, strict=True)
    return as_side(names, ((at, row.code, ()) for at, row in both))


def _read_clear_rows(source: Source, folder: Path) -> Side:
    """Read the rows without codes that only unclear mentions of the file's document have."""
    names, rows = read_as_script(source)
    noted = read_notes(folder, names, UNCLEAR)
    missing = [name for name in names if name not in noted]
    if missing:
        problem = agree("{n} {document has|documents have} no annotations", len(missing))
        raise InputError(
            f"{problem}, so the released script stops: {listed(missing)}",
            where=name_path(folder),
        )
    clear = [r for r in rows if r.named != r.document or not is_unclear(r.code, noted[r.document])]
    return _as_side(names, clear)


MENTIONS = mentions(OfficialMentions, WordFiles())
INDEXING = OfficialIndexing(as_codes, str, "label", (CODES,))
