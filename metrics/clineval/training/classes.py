"""``compute_metrics`` for sequence classifiers: convert outputs to classes of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clineval.base.arrays import FloatArray, expect_names
from clineval.base.errors import InputError
from clineval.evaluation.counting import score
from clineval.results.challenge import Challenge
from clineval.results.kind import Kind
from clineval.results.registry import find_challenge
from clineval.results.scores import Score

_USUAL = {"config": "default", "protocol": "spec"}


@dataclass(eq=False, repr=False)
class ClassMetrics:
    """Scores the outputs of a classifier.

    The most likely class counts. If a question may have several answers, all classes with a
    probability of at least 0.5 count, by the logistic function of the outputs. If the metric scores
    probabilities, they are these, or the softmax over the classes of a question with one answer.

    Args:
        module: the metric.
        references: the gold standard, in the order of the model's documents.
        labels: the classes in the order of the outputs; ``question=class`` for several questions.
        settings: configuration, protocol and options.
        score: the last scores, with signature and documents.
        predictions: the last predictions, in the form that the metric takes.

    Examples:
        >>> from clineval import Challenge, Classes, Task
        >>> from clineval.training.classes import ClassMetrics
        >>> status = Challenge(Task("status", "Status"), {"spec": Classes(("PAST", "NON"))})
        >>> metrics = ClassMetrics(status, ["NON", "PAST"], ["PAST", "NON"], {})
        >>> metrics.add([[0.2, 1.3], [0.1, 2.0]])
        >>> metrics.compute()["micro_f1"]
        0.5
    """

    module: str | Challenge
    references: object
    labels: Sequence[str]
    settings: Mapping[str, Any]
    score: Score | None = field(default=None, init=False)
    predictions: list[object] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.labels = expect_names(self.labels, "tags")
        self._outputs: list[FloatArray] = []

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:  # noqa: FBT001, FBT002 - the Trainer's name and place
        """Accept an ``EvalPrediction`` with all documents or the next batch.

        Args:
            prediction: an object with ``predictions``, ``[n, classes]``.
            compute_result: whether this is the last batch.

        Returns:
            The scores, all floats; empty before the last batch.

        Raises:
            InputError: as for :meth:`add` and :func:`clineval.score`.
        """
        outputs = prediction.predictions
        self.add(outputs[0] if isinstance(outputs, tuple) else outputs)
        return self.compute() if compute_result else {}

    def add(self, outputs: object) -> None:
        """Add the outputs of some documents, ``[n, classes]``, in their order.

        Raises:
            InputError: the number of classes differs.
        """
        rows = outputs.detach().cpu() if hasattr(outputs, "detach") else outputs
        table = np.asarray(rows, np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.labels):  # noqa: PLR2004 - rows and columns
            problem = (
                f"expected outputs for {len(self.labels)} classes, got the shape {table.shape}"
            )
            raise InputError(problem, where="predictions")
        self._outputs.append(table)

    def compute(self) -> dict[str, float]:
        """Score the added outputs, and reset.

        Returns:
            A dict from key to score, all floats.
        """
        kind = find_challenge(self.module).kind
        table = np.concatenate([np.zeros((0, len(self.labels))), *self._outputs])
        self._outputs = []
        shares = self._find_kind().share_outputs(table, self.labels)
        rows = (dict(zip(self.labels, row, strict=True)) for row in shares.tolist())
        self.predictions = [kind.of_cats(row) for row in rows]
        self.score = score(self.module, self.predictions, self.references, **self.settings)
        return {key: float(value) for key, value in self.score.values.items()}

    def _find_kind(self) -> Kind:
        """Return the kind with the questions and classes of the references."""
        challenge, given = find_challenge(self.module), {**_USUAL, **self.settings}
        options = {o.name: given[o.name] for o in challenge.options if o.name in given}
        setup = challenge.setup(given["config"], given["protocol"], options)
        return setup.steps.find_kind(self.references, setup)[1]
