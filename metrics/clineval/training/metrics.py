"""``compute_metrics`` for the Trainer, and the same for a loop of your own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clineval.arrays import BoolArray, IntArray
from clineval.errors import InputError
from clineval.registry import check_name, find_challenge
from clineval.scores import Score
from clineval.scoring import score
from clineval.training.annotations import BUILDS, Build
from clineval.training.tags import TagSet
from clineval.training.windows import IGNORED, Windows, as_ids

_OF_TEXTS = {"texts", "records"}


def compute_metrics_for(  # noqa: PLR0913 - the metric's own options besides
    module: str,
    windows: Windows,
    references: Any,
    tags: TagSet | Sequence[str],
    *,
    build: Build | None = None,
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> ComputeMetrics:
    """What scores a token classifier by a challenge's metric.

    Args:
        module: such as ``semeval15_task14``.
        windows: those of the evaluation data set, in its order.
        references: the gold standard of the windows' documents, in their order, as
            :func:`clineval.score` takes it.
        tags: the model's tags, in the order of its outputs.
        build: makes what the metric takes of a document's annotations and its text; if left out
            what :data:`~clineval.training.annotations.BUILDS` has.
        config: the configuration.
        protocol: ``spec`` or ``official``.
        options: the metric's options; the documents' texts, where it takes them, are given.

    Returns:
        A function for ``Trainer(compute_metrics=...)``, with or without ``batch_eval_metrics``.

    Raises:
        InputError: a metric that is not scored on tagged tokens, and no ``build``.
    """
    if build is None:
        check_name("metric for tagged tokens", module, BUILDS)
        build = BUILDS[module]
    settings = {"config": config, "protocol": protocol, **options}
    for option in _OF_TEXTS & find_challenge(module).options.keys():
        settings.setdefault(option, list(windows.texts))
    tag_set = tags if isinstance(tags, TagSet) else TagSet(tuple(tags))
    return ComputeMetrics(module, windows, references, tag_set, build, settings)


class ComputeMetrics:
    """Collects predicted tags and scores them.

    The Trainer calls it. A loop of your own calls :meth:`add` for each batch, then
    :meth:`compute`; of several processes, gather tags and numbers of windows first, and compute on
    one process or on all.

    Args:
        module: the metric.
        windows: those of the evaluation data set.
        references: the gold standard.
        tags: the model's tags.
        build: makes what the metric takes.
        settings: configuration, protocol and options.
    """

    score: Score | None = None
    """The last scores, with signature and documents."""

    def __init__(  # noqa: PLR0913, PLR0917 - made by compute_metrics_for
        self,
        module: str,
        windows: Windows,
        references: Any,
        tags: TagSet,
        build: Build,
        settings: dict[str, Any],
    ) -> None:
        self._module, self._references, self._settings = module, references, settings
        self._windows, self._tags, self._build = windows, tags, build
        self._forget()

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:  # noqa: FBT001, FBT002 - the Trainer's name and place
        """Take an ``EvalPrediction``, of all windows or of the next batch.

        Args:
            prediction: has ``predictions``, the model's outputs or numbers of tags, and perhaps
                ``label_ids``.
            compute_result: whether this is the last batch.

        Returns:
            The scores, all floats; empty before the last batch.
        """
        outputs = prediction.predictions
        outputs = outputs[0] if isinstance(outputs, tuple) else outputs
        rows = np.arange(self._next, self._next + len(outputs))
        self._check_order(rows, getattr(prediction, "label_ids", None))
        self.add(outputs, rows)
        self._next += len(outputs)
        return self.compute() if compute_result else {}

    def add(self, predictions: Any, rows: Any = None) -> None:
        """Add predictions of some windows.

        Args:
            predictions: numbers of tags ``[n, tokens]``, or outputs ``[n, tokens, tags]``.
            rows: ``[n]``, numbers of the windows; all windows in order if left out. A window that
                comes twice, as when a batch is filled up for several processes, counts once.

        Raises:
            InputError: rows that are no windows.
        """
        ids = as_ids(predictions, self._tags)
        rows = np.arange(len(ids)) if rows is None else as_rows(rows)
        if len(rows) != len(ids) or (len(rows) and not 0 <= rows.min() <= rows.max() < self._size):
            self._forget()
            raise InputError(
                f"{len(ids)} predictions for other windows than the {self._size} there are",
                remedy="Evaluate the data set that the windows were made of, as a whole",
            )
        width = min(ids.shape[1], self._ids.shape[1])
        self._ids[rows, :width] = ids[:, :width]
        self._ids[rows, width:] = self._outside
        lost = self._windows.is_token[rows, width:].any()
        if lost:
            raise InputError("predictions are shorter than their windows")
        self._seen[rows] = True

    def compute(self) -> dict[str, float]:
        """Score what was added, and forget it.

        Returns:
            Key to score, all floats, for progress bars and logs; the signature and the scores of
            documents are in :attr:`score`.

        Raises:
            InputError: windows without a prediction.
        """
        seen, ids = self._seen, self._ids
        self._forget()
        if not seen.all():
            raise InputError(
                f"{int((~seen).sum())} of {self._size} windows have no prediction",
                where=f"window {int(np.argmin(seen))}",
                remedy="Evaluate the data set that the windows were made of, as a whole",
            )
        predictions = self.documents(ids)
        self.score = score(self._module, predictions, self._references, **self._settings)
        return {key: float(value) for key, value in self.score.values.items()}

    def documents(self, predictions: Any) -> list[Any]:
        """Documents as the metric takes them, from predictions of all windows."""
        found = self._windows.decode(predictions, self._tags)
        texts = self._windows.texts
        return [self._build(of_one, text) for of_one, text in zip(found, texts, strict=True)]

    @property
    def _size(self) -> int:
        return len(self._windows)

    @property
    def _outside(self) -> int:
        return self._tags.label2id["O"]

    def _forget(self) -> None:
        self._next = 0
        self._ids: IntArray = np.full(self._windows.starts.shape, self._outside)
        self._seen: BoolArray = np.zeros(self._size, np.bool_)

    def _check_order(self, rows: IntArray, label_ids: Any) -> None:
        """Labels stand at tokens only; else these are other windows, or in another order."""
        if label_ids is None or (len(rows) and rows[-1] >= self._size):
            return
        labeled = np.asarray(label_ids) != IGNORED
        width = min(labeled.shape[1], self._windows.starts.shape[1])
        wrong = labeled[:, :width] & ~self._windows.is_token[rows, :width]
        if wrong.any() or labeled[:, width:].any():
            self._forget()
            raise InputError(
                "labels stand where the window has no token",
                where=f"window {int(rows[wrong.any(axis=1)][0]) if wrong.any() else int(rows[0])}",
                remedy="Evaluate the windows in their order, without grouping by length",
            )


def as_rows(rows: Any) -> IntArray:
    """Numbers of windows, of NumPy or PyTorch."""
    return np.asarray(rows.detach().cpu() if hasattr(rows, "detach") else rows, np.int64)
