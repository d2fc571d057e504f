"""The codes of documents under the rules of a program, or of the definition."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.errors import InputError, agree, warn
from clineval.base.ratios import Columns
from clineval.challenges.icd_coding.codes import find_chapter, find_type
from clineval.formats.code_lists import CodeList
from clineval.formats.given.code_lists import take
from clineval.formats.given.scored_codes import GOLD, read_scored
from clineval.kinds.codes.corpus import CHAPTER, CODE, CodeCorpus
from clineval.kinds.codes.scored import ScoredCorpus, ScoredSide, keep_common
from clineval.kinds.mentions.columns import Side
from clineval.protocols.code_sets import CodePairing
from clineval.protocols.scored_codes import ScoredCodes, lacks_points
from clineval.results.challenge import Setup
from clineval.results.label_rows import SCORES, LabelRows

TYPE = "type"
_STOPS = "The program stops with an error there. The protocol spec scores it"


@dataclass(frozen=True, slots=True)
class Rules:
    """The differences of a program from the definition; programs score the documents of both sides.

    Args:
        about: a line about the protocol; empty for the definition.
        prepare: returns the predictions as the program reads them; None for no change.
        count: returns further counts of documents; None for none.
        stops: whether the program stops on files with codes outside the label set, documents
            without gold codes, or scores of a single document.
    """

    about: str = ""
    prepare: Callable[[ScoredSide, Setup], ScoredSide] | None = None
    count: Callable[[CodeCorpus], Columns] | None = None
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

    @property
    def sorts_documents(self) -> bool:
        """Whether a program sorts the documents of both sides."""
        return bool(self.rules.about)

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read both sides; files on which the program stops are errors."""
        gold, systems = super().read(references, predictions, setup)
        if self.rules.stops and isinstance(references, (str, os.PathLike)):
            for system in systems:
                _refuse(ScoredSide.of(gold), ScoredSide.of(system))
        return gold, systems

    def read_side(self, source: object, side: str, setup: Setup, /) -> Side:
        """Read one side; a program that stops at unknown codes only reads scores of known ones."""
        label_set = self.list_codes(setup)
        is_file = isinstance(source, (str, os.PathLike))
        if not (self.rules.stops and label_set and is_file) or side == GOLD:
            return super().read_side(source, side, setup)
        found = read_scored(source, side, take, self.files)
        return _keep_known(found, label_set, setup["threshold"])

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> ScoredCorpus:
        """Join the codes of both sides, with their types and chapters."""
        if self.rules.about and (setup["ranked"] or setup["ignore_points"]):
            name = "ranked" if setup["ranked"] else "ignore_points"
            problem = f"the protocol {setup.protocol} has no such option. Use the protocol spec"
            raise InputError(problem, where=name)
        golds, system = ScoredSide.of(gold), ScoredSide.of(predicted)
        if self.rules.about:
            golds, system = keep_common(golds, system)
        if self.rules.prepare:
            system = self.rules.prepare(system, setup)
        valid = self.list_codes(setup)
        corpus = super().join(golds, system, setup).with_values(valid.valid if valid else ())
        return corpus.labelled(TYPE, find_type).labelled(CHAPTER, find_chapter)

    def complete(
        self, corpus: CodeCorpus, pairing: CodePairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the counts of the program, and those of the hierarchy."""
        counted = super().complete(corpus, pairing, counted, setup)
        return {**counted, **(self.rules.count(corpus) if self.rules.count else {})}

    def list_labels(self, corpus: CodeCorpus, setup: Setup, /) -> LabelRows | None:
        """List the codes of both sides; warn if there are no scores."""
        labels = super().list_labels(corpus, setup)
        if labels and labels.ranking and labels.ranking != SCORES:
            names = "areas" if setup["ranked"] else "ranks and areas"
            warn(f"the predictions have no scores: {names} are left out")
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


def _refuse(gold: ScoredSide, predicted: ScoredSide) -> None:
    """Reject documents on which the program stops."""
    empty = set(gold.documents) - {gold.documents[at] for at in gold.mentions.document.tolist()}
    if empty:
        problem = agree("{n} {document has|documents have} no codes", len(empty))
        raise InputError(problem, where="references", remedy=_STOPS)
    both = set(gold.documents) & set(predicted.documents)
    if len(both) <= 1 and (predicted.scores >= 0).any():
        problem = "a single document has no area under the curve"
        raise InputError(problem, where="predictions", remedy=_STOPS)


def _keep_known(side: ScoredSide, label_set: CodeList, threshold: float) -> ScoredSide:
    """Return the codes of the label set; reject other predicted codes, and drop other scores."""
    column = side.mentions.attributes[CODE]
    known = np.array([not label_set.judge(code) for code in column.values], np.bool_)
    of_rows = known[column.ids] if len(side.mentions) else known[:0]
    if unknown := int(np.count_nonzero(~of_rows & side.find_predicted(threshold))):
        problem = agree("{n} predicted {code is|codes are} not in the list of codes", unknown)
        raise InputError(problem, where="predictions", remedy=_STOPS)
    warn("{n} {score is|scores are} of unknown codes, and ignored", n=int((~of_rows).sum()))
    return side.take(np.flatnonzero(of_rows))
