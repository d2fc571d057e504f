"""Score the track by its definition, and as its released program does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.errors import InputError
from clineval.base.ratios import Columns
from clineval.challenges.n2c2_2018_track1.files import TagFiles
from clineval.challenges.n2c2_2018_track1.measures import CRITERIA, PATIENTS, VALUES, Cohort
from clineval.formats.files import TextFile
from clineval.formats.given.classes import read_classes
from clineval.formats.xml_elements import Element
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import RecordCorpus
from clineval.programs.common_documents import keep_common
from clineval.protocols.classes import Classes, ClassPairing
from clineval.results.challenge import Setup
from clineval.results.measures import Finish

FILES = TagFiles("met")
SPEC = Classes(VALUES, CRITERIA, files=FILES, complete_gold=True, inner_blanks=True)


@dataclass(frozen=True)
class Official(Classes):
    """As ``track1_eval.py``: only patients of both sides, and absent classes count as 0."""

    def read_side(self, source: object, side: str, _setup: Setup, /) -> Side:
        """Read one side; any other value of a criterion is neither class."""
        return read_classes(source, side, self.scheme, files=self.files, lenient=True)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> RecordCorpus:
        """Join the patients that both sides have."""
        return super().join(*keep_common(gold, predicted), setup)

    def complete(
        self, block: RecordCorpus, pairing: ClassPairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the number of patients."""
        columns = super().complete(block, pairing, counted, setup)
        return {**columns, PATIENTS: np.ones(len(block.documents), np.int64)}

    def finish(self, _setup: Setup, /) -> Finish:
        """Return the program's formulas, for groups of answers."""
        return Cohort(absent=True).finish


def check_tags(file: TextFile, tags: Sequence[Element]) -> None:
    """Reject a file that stops the released program.

    Raises:
        InputError: an attribute or a criterion is missing.
    """
    stop = "the released program stops here"
    for tag in tags:
        if FILES.attribute not in tag.attributes:
            problem = f"expected the attribute {FILES.attribute}: {stop}"
            raise InputError(problem, where=f"{file.label}:{tag.line}")
    names = {tag.name.upper() for tag in tags}
    missing = [criterion for criterion in CRITERIA if criterion not in names]
    if missing:
        raise InputError(f"no answer to {missing[0]}: {stop}", where=file.label)


OFFICIAL = Official(VALUES, CRITERIA, files=replace(FILES, judge=check_tags), inner_blanks=True)
