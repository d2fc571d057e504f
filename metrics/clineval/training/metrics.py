"""``compute_metrics`` for the Trainer, and for your own training loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import InputError
from clineval.evaluation.counting import score
from clineval.kinds.mentions.tags import TagSet
from clineval.results.kind import TrainerWays
from clineval.results.registry import check_face, find_challenge
from clineval.results.scores import Score
from clineval.results.tagged import Build
from clineval.training.classes import ClassMetrics
from clineval.training.windows import IGNORED, Windows, as_ids

_WHOLE = "Evaluate the whole data set from which the windows were made"


def compute_metrics_for(  # noqa: PLR0913 - the arguments of the metric, and its own
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
    """Make a function that scores a token or document classifier by a challenge's metric.

    Args:
        module: the metric, such as ``semeval15_task14``.
        windows: the windows of the evaluation data set, in its order; None for a classifier of
            documents.
        references: the gold standard of the windows' documents, in their order, in the form that
            :func:`clineval.score` takes.
        tags: the model's tags, or its classes, in the order of its outputs.
        build: a function from the annotations and the text of a document to the form that the
            metric takes; the default is the challenge's own.
        config: the configuration.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        options: the metric's options; texts of the documents are passed automatically.

    Returns:
        A function for ``Trainer(compute_metrics=...)``, with or without ``batch_eval_metrics``.

    Raises:
        InputError: the metric does not score tagged tokens, and ``build`` is missing.

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
        problem = f"{challenge.name} cannot score a model's outputs"
        check_face(challenge, "trainer", problem, "these can")
    outputs = Outputs(module, windows, references, tags, build or challenge.kind.build, settings)
    if build:
        return outputs.tagged()
    chosen: TrainerWays[ComputeMetrics | ClassMetrics] = outputs
    return challenge.kind.train(chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """The outputs of a model in training, and the ways to score them.

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
            raise InputError("expected the windows of the documents, got None", where="windows")
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

    The Trainer calls it. In your own loop, call :meth:`add` for each batch, then :meth:`compute`.
    With several processes, first gather tags and numbers of windows, then compute on one process
    or on all.

    Args:
        module: the metric.
        windows: the windows of the evaluation data set.
        references: the gold standard.
        tags: the model's tags.
        build: a function from annotations and text to the form that the metric takes.
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
    """The last predictions: documents in the form that the metric takes, in the order of texts."""

    def __post_init__(self) -> None:
        self._forget()

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:  # noqa: FBT001, FBT002 - the Trainer's name and place
        """Accept an ``EvalPrediction`` with all windows or the next batch.

        Args:
            prediction: an object with ``predictions``: the model's outputs, or numbers of tags.
                Optional ``label_ids`` must equal the result of :meth:`Windows.encode` for these
                windows, or -100; a difference reveals that the order of windows changed. With
                optional ``inputs``, the tokens of the windows, as from
                ``include_for_metrics=["inputs"]``, windows may come in any order: their tokens
                identify them, and windows with equal tokens are interchangeable.
            compute_result: whether this is the last batch.

        Returns:
            The scores, all floats; empty before the last batch.

        Raises:
            InputError: labels belong to other windows, or the number of windows is wrong.
        """
        outputs = prediction.predictions
        outputs = outputs[0] if isinstance(outputs, tuple) else outputs
        rows = self._number(len(outputs), getattr(prediction, "inputs", None))
        self._check_order(rows, getattr(prediction, "label_ids", None))
        self.add(outputs, rows)
        self._next += len(outputs)
        return self.compute() if compute_result else {}

    def add(self, predictions: object, rows: object = None) -> None:
        """Add predictions for some windows.

        Args:
            predictions: numbers of tags ``[n, tokens]``, or outputs ``[n, tokens, tags]``.
            rows: ``[n]``, numbers of the windows; by default, all windows in order. A window that
                comes twice, for example in a batch padded for several processes, counts once.

        Raises:
            InputError: a row is not the number of a window.
        """
        ids = as_ids(predictions, self.tags)
        at = np.arange(len(ids)) if rows is None else as_rows(rows)
        size = len(self.windows)
        if len(at) != len(ids) or (len(at) and not 0 <= at.min() <= at.max() < size):
            self._forget()
            problem = f"{len(ids)} predictions do not match the {size} windows"
            raise InputError(problem, remedy=_WHOLE)
        width = min(ids.shape[1], self._ids.shape[1])
        self._ids[at, :width] = ids[:, :width]
        self._ids[at, width:] = self.tags.label2id["O"]
        if self.windows.is_token[at, width:].any():
            raise InputError("predictions are shorter than their windows")
        self._seen[at] = True

    def compute(self) -> dict[str, float]:
        """Score the added predictions, and reset.

        Returns:
            A dict from key to score, all floats, for progress bars and logs. :attr:`score`
            contains the signature and the scores of documents.

        Raises:
            InputError: a window has no prediction.
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
        """Convert predictions for all windows to documents in the form that the metric takes."""
        annotations = self.windows.decode(predictions, self.tags)
        return list(map(self.build, annotations, self.windows.texts))

    def _number(self, size: int, inputs: object) -> IntArray:
        """Find the numbers of windows by their tokens or, without these, by their order."""
        if inputs is None or not self.windows.tokens:
            return np.arange(self._next, self._next + size)
        # the Trainer passes only tokens; batches contain all inputs of the model
        rows = as_rows(inputs["input_ids"] if isinstance(inputs, Mapping) else inputs)
        if len(rows) != size:
            self._forget()
            problem = f"tokens of {len(rows)} windows, but predictions of {size}"
            remedy = "With several processes, batch_eval_metrics gathers no inputs; leave it out"
            raise InputError(problem, remedy=remedy)
        return np.array([self._find(row) for row in rows], np.int64)

    def _find(self, tokens: IntArray) -> int:
        """Return the number of the next window with these tokens; padding may follow them."""
        padding = np.flatnonzero(tokens != IGNORED)
        tokens = tokens[: int(padding[-1]) + 1 if len(padding) else 0]
        differing = np.flatnonzero(tokens != tokens[-1:])
        shortest = int(differing[-1]) + 1 if len(differing) else 0
        for size in range(len(tokens), shortest - 1, -1):
            unused = self._left.get(tokens[:size].tobytes())
            if unused:
                return unused.pop()
        self._forget()
        problem = "these tokens belong to no window, or to a window that came before"
        raise InputError(problem, remedy=_WHOLE)

    def _forget(self) -> None:
        self._next = 0
        self._left: dict[bytes, list[int]] = {}
        for number, tokens in reversed([*enumerate(self.windows.tokens)]):
            self._left.setdefault(tokens, []).append(number)
        self._ids: IntArray = np.full(self.windows.starts.shape, self.tags.label2id["O"])
        self._seen: BoolArray = np.zeros(len(self.windows), np.bool_)

    def _check_order(self, rows: IntArray, label_ids: object) -> None:
        """Reject labels other than the encoded ones, because windows or their order changed."""
        if label_ids is None or (len(rows) and rows[-1] >= len(self.windows)):
            return
        wrong = self._find_others(rows, as_rows(label_ids))
        if wrong.any():
            self._forget()
            which = f"the labels of {int(wrong.sum())} of {len(rows)} windows"
            raise InputError(
                f"{which} differ from the encoded labels",
                where=f"window {int(rows[np.argmax(wrong)])}",
                remedy="Evaluate the windows in their order, without shuffling or grouping by "
                'length; or set include_for_metrics=["inputs"], to identify them in any order; '
                "or, in your own loop, pass their numbers to `add`",
            )

    def _find_others(self, rows: IntArray, labels: IntArray) -> BoolArray:
        """Return ``[rows]``: which windows have other labels; ignored labels do not count."""
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
    """Return numbers of windows or tags from NumPy or PyTorch as an array."""
    return np.asarray(rows.detach().cpu() if hasattr(rows, "detach") else rows, np.int64)
