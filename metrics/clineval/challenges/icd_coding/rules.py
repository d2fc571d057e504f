"""The codes of documents under the rules of a program, or of the definition."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, warn
from clineval.base.ratios import Columns
from clineval.challenges.icd_coding import codes
from clineval.challenges.icd_coding.files import IcdForm
from clineval.formats.code_lists import CodeList
from clineval.kinds.codes.corpus import CHAPTER, CodeCorpus, codes_of
from clineval.kinds.codes.scored import ScoredCorpus, ScoredSide
from clineval.kinds.mentions.columns import Side
from clineval.protocols.code_sets import CodePairing
from clineval.protocols.scored_codes import ScoredCodes, lacks_points
from clineval.results.challenge import Setup
from clineval.results.label_rows import SCORES, LabelRows

TYPE = "type"


def keep_sides(
    gold: ScoredSide, predicted: ScoredSide, _setup: Setup
) -> tuple[ScoredSide, ScoredSide]:
    """Return both sides as they are."""
    return gold, predicted


def count_nothing(_corpus: CodeCorpus) -> Columns:
    """Return no further counts."""
    return {}


@dataclass(frozen=True, slots=True)
class Rules:
    """What a program does differently.

    Args:
        about: a line about the protocol; empty for the definition.
        prepare: returns both sides as the program reads them.
        count: returns further counts of documents.
        stops: whether the program stops on files with codes outside the label set, documents
            without gold codes, or scores of a single document.
    """

    about: str = ""
    prepare: Callable[[ScoredSide, ScoredSide, Setup], tuple[ScoredSide, ScoredSide]] = keep_sides
    count: Callable[[CodeCorpus], Columns] = count_nothing
    stops: bool = False


@dataclass(frozen=True)
class IcdCodes(ScoredCodes):
    """Codes with scores, as the rules of a program read them.

    Args:
        rules: the rules.
    """

    rules: Rules = Rules()

    @property
    def about(self) -> str:
        """A line about the program."""
        return self.rules.about

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read both sides; files on which the program stops are errors."""
        gold, systems = super().read(references, predictions, setup)
        if self.rules.stops and isinstance(references, (str, os.PathLike)):
            for system in systems:
                _refuse(ScoredSide.of(gold), ScoredSide.of(system), self.list_codes(setup))
        return gold, systems

    def document_form(self, _setup: Setup, /) -> IcdForm:
        """Return how files are written."""
        return IcdForm()

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> ScoredCorpus:
        """Join the codes of both sides, with their types and chapters."""
        if self.rules.about and (setup["ranked"] or setup["ignore_points"]):
            name = "ranked" if setup["ranked"] else "ignore_points"
            problem = f"the protocol {setup.protocol} has no such option"
            raise InputError(problem, where=name, remedy="Use the protocol spec")
        sides = self.rules.prepare(ScoredSide.of(gold), ScoredSide.of(predicted), setup)
        corpus = super().join(*sides, setup)
        return corpus.labelled(TYPE, codes.find_type).labelled(CHAPTER, codes.find_chapter)

    def complete(
        self, corpus: CodeCorpus, _pairing: CodePairing, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Add the counts of the program."""
        return {**counted, **self.rules.count(corpus)}

    def list_labels(self, corpus: CodeCorpus, setup: Setup, /) -> LabelRows | None:
        """List the codes of both sides; warn if there are no scores."""
        labels = super().list_labels(corpus, setup)
        if labels and labels.ranking and labels.ranking != SCORES:
            left_out = "areas" if setup["ranked"] else "ranks and areas"
            warn(f"the predictions have no scores: {left_out} are left out")
        return labels

    def warn_of_points(self, gold: Side, predicted: Side) -> None:
        """Warn if the codes of one side have no points."""
        side = lacks_points(gold, predicted)
        if side and not self.rules.about:
            warn(
                f"the codes of the {side} have no points: they are read as diagnoses, so that "
                "4019 is 401.9. Pass ignore_points to compare all codes without points"
            )
        elif side:
            warn(f"the codes of the {side} have no points, and are compared as they are written")


def _refuse(gold: ScoredSide, predicted: ScoredSide, label_set: CodeList | None) -> None:
    """Reject input on which the program stops."""
    remedy = "The program stops with an error there. The protocol spec scores it"
    empty = set(gold.documents) - {gold.documents[at] for at in gold.mentions.document.tolist()}
    if empty:
        raise InputError(f"{len(empty)} documents have no codes", where="references", remedy=remedy)
    if label_set:
        chosen = predicted.find_predicted(1).nonzero()[0]
        unknown = sum(
            bool(label_set.judge(code)) for code in codes_of(predicted.mentions.take(chosen))
        )
        if unknown:
            problem = f"{unknown} predicted codes are not in the list of codes"
            raise InputError(problem, where="predictions", remedy=remedy)
    both = set(gold.documents) & set(predicted.documents)
    if len(both) <= 1 and (predicted.scores >= 0).any():
        problem = "a single document has no area under the curve"
        raise InputError(problem, where="predictions", remedy=remedy)
