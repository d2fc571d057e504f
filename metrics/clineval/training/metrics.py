"""``compute_metrics`` for the Trainer, and the same for a loop of your own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import InputError
from clineval.evaluation.counting import score
from clineval.results.kind import TrainerWays
from clineval.results.registry import check_face, find_challenge
from clineval.results.scores import Score
from clineval.results.tagged import Build
from clineval.training.classes import ClassMetrics
from clineval.training.tags import TagSet
from clineval.training.windows import IGNORED, Windows, as_ids

_WHOLE = "Evaluate the data set that the windows were made of, as a whole"


def compute_metrics_for(  # noqa: PLR0913 - as the metric's, and its own
    module: str,
    windows: Windows | None,
    references: object,
    tags: TagSet | Sequence[str],
    *,
    build: Build | None = None,
    config: str = "default",
    protocol: str = "spec",
    **options: object,
) -> ComputeMetrics | ClassMetrics:
    """Make what scores a token classifier, or a classifier of documents, by a challenge's metric.

    Args:
        module: such as ``semeval15_task14``.
        windows: those of the evaluation data set, in its order; None for a classifier of documents.
        references: the gold standard of the windows' documents, in their order, as
            :func:`clineval.score` takes it.
        tags: the model's tags, or its classes, in the order of its outputs.
        build: makes what the metric takes of a document's annotations and its text; if left out
            what the challenge declares.
        config: the configuration.
        protocol: ``spec`` or ``official``.
        options: the metric's options; the documents' texts, where it takes them, are given.

    Returns:
        A function for ``Trainer(compute_metrics=...)``, with or without ``batch_eval_metrics``.

    Raises:
        InputError: a metric that is not scored on tagged tokens, and no ``build``.

    Examples:
        >>> windows = Windows.of({"offset_mapping": [[(0, 2), (3, 8)]]}, ["No fever"])
        >>> gold = [[{"spans": [[3, 8]], "cui": "C0015967"}]]
        >>> tags = TagSet.of(["Disorder"], "bio")
        >>> metrics = compute_metrics_for(
        ...     "clefehealth13_task1", windows, gold, tags, config="task1a"
        ... )
        >>> metrics.add([[tags.label2id["O"], tags.label2id["B-Disorder"]]])
        >>> metrics.compute()["exact_f1"]
        1.0
    """
    challenge = find_challenge(module)
    settings = {"config": config, "protocol": protocol, **options}
    if build is None:
        problem = f"{challenge.name} is no metric of a model's outputs"
        check_face(challenge, "trainer", problem, "these are")
    outputs = Outputs(module, windows, references, tags, build or challenge.kind.build, settings)
    if build:
        return outputs.tagged()
    chosen: TrainerWays[ComputeMetrics | ClassMetrics] = outputs
    return challenge.kind.train(chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """What a model in training gives, and the ways in which it is scored.

    The arguments are those of :func:`compute_metrics_for`.
    """

    module: str
    windows: Windows | None
    references: object
    tags: TagSet | Sequence[str]
    build: Build
    settings: Mapping[str, object]

    def tagged(self) -> ComputeMetrics:
        """Score the tags of tokens."""
        if self.windows is None:
            raise InputError("expected the windows of the documents, got none", where="windows")
        texts = list(self.windows.texts)
        noted = {o.name: texts for o in find_challenge(self.module).options if o.holds_texts}
        tags = self.tags if isinstance(self.tags, TagSet) else TagSet(tuple(self.tags))
        settings = {**noted, **self.settings}
        return ComputeMetrics(
            self.module, self.windows, self.references, tags, self.build, settings
        )

    def classified(self) -> ClassMetrics:
        """Score the classes of documents."""
        names = self.tags.tags if isinstance(self.tags, TagSet) else self.tags
        return ClassMetrics(self.module, self.references, names, self.settings)


@dataclass(eq=False, repr=False)
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

    Examples:
        >>> windows = Windows.of({"offset_mapping": [[(0, 2), (3, 8)]]}, ["No fever"])
        >>> gold = [[{"spans": [[3, 8]], "cui": "C0015967"}]]
        >>> tags = TagSet.of(["Disorder"], "bio")
        >>> metrics = compute_metrics_for(
        ...     "clefehealth13_task1", windows, gold, tags, config="task1a"
        ... )
        >>> metrics.add([[0, 0]])
        >>> metrics.compute()["exact_fn"], metrics.predictions
        (1.0, [[]])
    """

    module: str
    windows: Windows
    references: object
    tags: TagSet
    build: Build
    settings: Mapping[str, Any]
    score: Score | None = field(default=None, init=False)
    """The last scores, with signature and documents."""
    predictions: list[object] | None = field(default=None, init=False)
    """What was scored last: documents as the metric takes them, in the order of the texts."""

    def __post_init__(self) -> None:
        self._forget()

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:  # noqa: FBT001, FBT002 - the Trainer's name and place
        """Take an ``EvalPrediction``, of all windows or of the next batch.

        Args:
            prediction: has ``predictions``, the model's outputs or numbers of tags, and perhaps
                ``label_ids``, by which another order of the windows is noticed: they must be what
                :meth:`Windows.encode` gave for these windows, or -100. If it has ``inputs``, the
                windows' tokens, as with ``include_for_metrics=["inputs"]``, windows may come in
                any order: they are known by their tokens, and those of equal tokens are alike.
            compute_result: whether this is the last batch.

        Returns:
            The scores, all floats; empty before the last batch.

        Raises:
            InputError: labels of other windows, too many windows or too few.
        """
        outputs = prediction.predictions
        outputs = outputs[0] if isinstance(outputs, tuple) else outputs
        rows = self._number(len(outputs), getattr(prediction, "inputs", None))
        self._check_order(rows, getattr(prediction, "label_ids", None))
        self.add(outputs, rows)
        self._next += len(outputs)
        return self.compute() if compute_result else {}

    def add(self, predictions: object, rows: object = None) -> None:
        """Add predictions of some windows.

        Args:
            predictions: numbers of tags ``[n, tokens]``, or outputs ``[n, tokens, tags]``.
            rows: ``[n]``, numbers of the windows; all windows in order if left out. A window that
                comes twice, as when a batch is filled up for several processes, counts once.

        Raises:
            InputError: rows that are not windows.
        """
        ids = as_ids(predictions, self.tags)
        at = np.arange(len(ids)) if rows is None else as_rows(rows)
        size = len(self.windows)
        if len(at) != len(ids) or (len(at) and not 0 <= at.min() <= at.max() < size):
            self._forget()
            problem = f"{len(ids)} predictions for other windows than the {size} there are"
            raise InputError(problem, remedy=_WHOLE)
        width = min(ids.shape[1], self._ids.shape[1])
        self._ids[at, :width] = ids[:, :width]
        self._ids[at, width:] = self.tags.label2id["O"]
        if self.windows.is_token[at, width:].any():
            raise InputError("predictions are shorter than their windows")
        self._seen[at] = True

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
            problem = f"{int((~seen).sum())} of {len(seen)} windows have no prediction"
            raise InputError(problem, where=f"window {int(np.argmin(seen))}", remedy=_WHOLE)
        self.predictions = self.documents(ids)
        self.score = score(self.module, self.predictions, self.references, **self.settings)
        return {key: float(value) for key, value in self.score.values.items()}

    def documents(self, predictions: object) -> list[object]:
        """Return documents as the metric takes them, from predictions of all windows."""
        annotations = self.windows.decode(predictions, self.tags)
        return list(map(self.build, annotations, self.windows.texts))

    def _number(self, size: int, inputs: object) -> IntArray:
        """Find the numbers of windows by their tokens or, without these, by their order."""
        if inputs is None or not self.windows.tokens:
            return np.arange(self._next, self._next + size)
        # the Trainer gives tokens alone, but of a batch all that the model gets
        rows = as_rows(inputs["input_ids"] if isinstance(inputs, Mapping) else inputs)
        if len(rows) != size:
            self._forget()
            problem = f"tokens of {len(rows)} windows, but predictions of {size}"
            remedy = "In several processes, batch_eval_metrics gathers no inputs; leave it out"
            raise InputError(problem, remedy=remedy)
        return np.array([self._find(row) for row in rows], np.int64)

    def _find(self, tokens: IntArray) -> int:
        """Return the number of the next window with these tokens, which padding may follow."""
        padding = np.flatnonzero(tokens != IGNORED)
        tokens = tokens[: int(padding[-1]) + 1 if len(padding) else 0]
        differing = np.flatnonzero(tokens != tokens[-1:])
        shortest = int(differing[-1]) + 1 if len(differing) else 0
        for size in range(len(tokens), shortest - 1, -1):
            unused = self._left.get(tokens[:size].tobytes())
            if unused:
                return unused.pop()
        self._forget()
        raise InputError("tokens of no window, or of one that has come before", remedy=_WHOLE)

    def _forget(self) -> None:
        self._next = 0
        self._left: dict[bytes, list[int]] = {}
        for number, tokens in reversed([*enumerate(self.windows.tokens)]):
            self._left.setdefault(tokens, []).append(number)
        self._ids: IntArray = np.full(self.windows.starts.shape, self.tags.label2id["O"])
        self._seen: BoolArray = np.zeros(len(self.windows), np.bool_)

    def _check_order(self, rows: IntArray, label_ids: object) -> None:
        """Refuse labels other than those encoded: the windows or their order are then others."""
        if label_ids is None or (len(rows) and rows[-1] >= len(self.windows)):
            return
        wrong = self._find_others(rows, as_rows(label_ids))
        if wrong.any():
            self._forget()
            which = f"the labels of {int(wrong.sum())} of {len(rows)} windows"
            raise InputError(
                f"{which} are not those that were encoded",
                where=f"window {int(rows[np.argmax(wrong)])}",
                remedy="Evaluate the windows in their order, without shuffling or grouping by "
                'length, or say include_for_metrics=["inputs"], by which they are known in any '
                "order; a loop of your own gives `add` their numbers",
            )

    def _find_others(self, rows: IntArray, labels: IntArray) -> BoolArray:
        """Return ``[rows]``: which windows have other labels; the ignored ones say nothing."""
        windows = self.windows
        width = min(labels.shape[1], windows.starts.shape[1])
        labeled, labels = labels != IGNORED, labels[:, :width]
        outside = labeled.copy()
        outside[:, :width] &= ~windows.is_token[rows, :width]
        differing = [
            (labeled[:, :width] & (labels != encoded[rows, :width])).any(axis=1)
            for encoded in windows.encoded
        ]
        wrong: BoolArray = outside.any(axis=1)
        return wrong | min(differing, key=np.count_nonzero) if differing else wrong


def as_rows(rows: object) -> IntArray:
    """Return numbers of windows or tags, of NumPy or PyTorch."""
    return np.asarray(rows.detach().cpu() if hasattr(rows, "detach") else rows, np.int64)
