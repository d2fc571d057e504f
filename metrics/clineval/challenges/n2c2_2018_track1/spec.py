"""Score the track by its definition, and as its released program does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clineval.base.ratios import Columns
from clineval.challenges.n2c2_2018_track1.files import CRITERIA, VALUES, CohortXml
from clineval.challenges.n2c2_2018_track1.measures import MEASURES, PATIENTS, Cohort
from clineval.formats.given.classes import read_classes
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import RecordCorpus
from clineval.programs.common_documents import keep_common
from clineval.protocols.classes import Classes, ClassPairing
from clineval.results.challenge import Setup
from clineval.results.measures import Finish, Measures

COHORT_XML, AS_WRITTEN = CohortXml(), CohortXml(as_written=True)


@dataclass(frozen=True)
class Spec(Classes):
    """Thirteen criteria, each met or not met."""

    values: tuple[str, ...] = VALUES
    questions: tuple[str, ...] = CRITERIA
    files: CohortXml = COHORT_XML
    complete_gold: bool = True

    @property
    def measures(self) -> Measures:
        """The scores."""
        return MEASURES


@dataclass(frozen=True)
class Official(Spec):
    """As ``track1_eval.py``: only patients of both sides, and absent classes count as 0."""

    files: CohortXml = AS_WRITTEN
    complete_gold: bool = False

    def read_side(self, source: object, _side: str, _setup: Setup, /) -> Side:
        """Read one side; any other value of a criterion is neither class."""
        return read_classes(source, "predictions", self.scheme, files=self.files)

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
