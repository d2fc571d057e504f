"""Thresholds of probabilities: a number, or the best one on a development set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from clineval.base.arrays import is_number
from clineval.base.errors import InputError, shown
from clineval.base.subjects import about
from clineval.formats.class_tables import PLAIN, Headings
from clineval.formats.given.classes import read_classes
from clineval.kinds.classes.columns import number_values
from clineval.kinds.classes.probabilities import Decision, join_classes
from clineval.kinds.classes.scheme import QUESTION, Scheme
from clineval.results.options import Option
from clineval.results.settings import Setting
from clineval.stats.thresholds import find_best_threshold

LIKELY = 0.5
"""The default threshold."""
FROM = "threshold_from"


def parse_threshold(value: object) -> float:
    """Parse the option ``threshold``.

    Raises:
        InputError: the value is not a number from 0 to 1.
    """
    number = value
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            number = None
    if not is_number(number) or not 0 <= number <= 1:
        raise InputError(f"expected a number from 0 to 1, got {shown(value)}", where="threshold")
    return float(number)


POSITIVE_CLASS = Setting("positive", "the class of the main scores", option="--positive")
"""The field of signatures for the positive class."""
THRESHOLD_OF_CLASSES = Setting(
    "threshold", "the probability above which a class is predicted", option="--threshold"
)
"""The field of signatures for the threshold of probabilities."""


@dataclass(frozen=True, slots=True)
class Development:
    """A development set, on which a threshold is chosen.

    Args:
        references: its gold standard, in any form.
        predictions: the predictions for it, with probabilities.
    """

    references: object
    predictions: object
    _known: dict[tuple[Scheme, str], float] = field(default_factory=dict, compare=False)

    def choose(self, scheme: Scheme, positive: str, headings: Headings = PLAIN) -> float:
        """Return the threshold with the best F1: of the positive class, or of all answers.

        Raises:
            InputError: the development set is invalid, or has no probabilities of gold answers.
        """
        key = scheme, positive
        if key not in self._known:
            self._known[key] = self._choose(scheme, positive, headings)
        return self._known[key]

    def _choose(self, scheme: Scheme, positive: str, headings: Headings) -> float:
        with about(FROM):
            gold = read_classes(self.references, "references", scheme, headings)
            found = read_classes(self.predictions, "predictions", scheme, headings)
            corpus = join_classes(gold, found, scheme)
        values = [positive] if positive else list(scheme.values)
        chosen = [scheme.values.index(value) for value in values]
        truth = np.zeros((len(corpus.documents), len(scheme.questions), len(scheme.values)), bool)
        columns = corpus.gold.attributes
        answer = number_values(columns[scheme.slot], scheme.values)
        asked = 0 if scheme.alone else number_values(columns[QUESTION], scheme.questions)
        truth[corpus.gold.document, asked, answer] = True
        truth = truth[..., chosen]
        best = None
        if corpus.shares is not None:
            shares = corpus.shares[..., chosen]
            there = ~np.isnan(shares)
            best = find_best_threshold(shares[there], truth[there], int(truth.sum()))
        if best is None:
            wanted = f"probabilities for the gold class {positive}" if positive else "probabilities"
            problem = f"expected {wanted} of a development set, got none"
            raise InputError(problem, where=FROM)
        return best


def parse_development(value: object) -> Development | None:
    """Parse the option ``threshold_from``: a pair, or two paths with a comma between.

    Raises:
        InputError: the value is neither.
    """
    if value is None or isinstance(value, Development):
        return value
    parts: object = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, Sequence) or len(parts) != 2 or not all(map(_is_given, parts)):  # noqa: PLR2004 - both sides
        problem = (
            f"expected the references and predictions of a development set, got {shown(value)}"
        )
        remedy = "Give both files with a comma between them, or a pair"
        raise InputError(problem, where=FROM, remedy=remedy)
    return Development(*parts)


def _is_given(part: object) -> bool:
    return bool(part.strip()) if isinstance(part, str) else part is not None


def decide(
    scheme: Scheme,
    positive: str,
    threshold: float,
    development: Development | None,
    headings: Headings = PLAIN,
) -> Decision:
    """Return how probabilities become answers.

    Args:
        scheme: the questions and their classes.
        positive: the positive class of two; empty if there is none.
        threshold: the option of this name.
        development: the development set, if there is one.
        headings: the names of its columns and keys.

    Raises:
        InputError: a threshold is given, but no question needs one; or two of them are given.
    """
    needed = scheme.several or bool(positive)
    if development is None and (needed or threshold == LIKELY):
        return Decision(scheme, positive, threshold)
    name = "threshold" if development is None else FROM
    if not needed:
        problem = "the likeliest class is the answer, without a threshold"
        remedy = "Name the positive class of two with positive"
        raise InputError(problem, where=name, remedy=remedy)
    if development is None or threshold != LIKELY:
        raise InputError("give either threshold or threshold_from", where=name)
    return Decision(scheme, positive, development.choose(scheme, positive, headings))


THRESHOLDS = (
    Option(
        "threshold",
        "A class is predicted if its probability is at least this number: each of several answers, "
        "or the positive class of two.",
        default=LIKELY,
        parse=parse_threshold,
    ),
    Option(
        FROM,
        "Choose the threshold with the best F1 on a development set: the files of its references "
        "and predictions, with a comma between them.",
        python="a development set, on which to choose the threshold with the best F1: a pair of "
        "its references and predictions, in the same forms as those of the corpus",
        parse=parse_development,
        flag="--threshold-from",
    ),
)
"""The options of answers with probabilities."""
