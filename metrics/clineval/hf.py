"""HuggingFace ``evaluate``: loading the metrics by their bare names, and keeping data in memory.

Nothing here imports ``evaluate``; it is an extra, and slow to import.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from pathlib import Path
from textwrap import fill
from types import ModuleType
from typing import Any, ClassVar

from clineval.base.arrays import is_iterable
from clineval.base.errors import InputError, shown, unknown_name
from clineval.evaluation.counting import score
from clineval.kinds.documents import check_as_many
from clineval.results.challenge import Challenge
from clineval.results.options import check_name
from clineval.results.registry import NAMES, known_names

_HERE = Path(__file__).resolve().parent
_HOMES = (_HERE.parent, _HERE.parent / "clineval_modules")  # in the source tree, in a wheel


def metric_path(name: str) -> str:
    """Return the file of an evaluate module, for ``evaluate.load(metric_path(name))``.

    Raises:
        InputError: there is no metric of that name.
    """
    for home in _HOMES:
        path = home / name / f"{name}.py"
        if name in NAMES and path.is_file():
            return str(path)
    if name in known_names():
        raise InputError(
            f"{name} is a metric of another package, which has no evaluate module",
            remedy="Use clineval.score, or clineval.training.compute_metrics_for in a Trainer",
        )
    raise unknown_name("metric", name, NAMES)


def load(name: str, config: str | None = None, **options: Any) -> Any:
    """Call ``evaluate.load`` for a metric of clineval, whatever lies in the working directory.

    Args:
        name: such as ``semeval15_task14``.
        config: the configuration.
        options: further arguments of ``evaluate.load``, such as ``num_process``.
    """
    import evaluate

    return evaluate.load(metric_path(name), config, **options)


def register() -> None:
    """Make ``evaluate.load(name)`` find the metrics, where the start-up hook is switched off."""
    import evaluate.loading

    register_with(evaluate.loading)


def register_with(loading: ModuleType) -> None:
    """Let ``evaluate.loading`` look here for bare names, after the working directory."""
    find: Callable[..., Any] = loading.evaluation_module_factory
    if hasattr(find, "__wrapped__"):
        return

    def evaluation_module_factory(path: str, *args: Any, **options: Any) -> Any:
        in_working_directory = os.path.isfile(os.path.join(path, f"{path}.py"))  # noqa: PTH113, PTH118
        if path in NAMES and not in_working_directory:
            path = metric_path(path)
        return find(path, *args, **options)

    evaluation_module_factory.__wrapped__ = find  # type: ignore[attr-defined]
    loading.evaluation_module_factory = evaluation_module_factory  # type: ignore[attr-defined]


class InMemory:
    """Keeps predictions and references of an evaluate module in memory.

    ``evaluate`` itself writes them to a file that others can read, coerces wrong types without
    a word and prints whole documents in its errors. Mix this class in before
    ``evaluate.Metric``. With ``num_process > 1`` the processes must exchange data, so there
    evaluate's own files are used, and each document travels as one string. Every process calls
    ``compute``, also one that has no documents.
    """

    name: str
    config_name: str
    num_process: int
    writer: Any
    file_paths: Sequence[str]
    filelocks: Sequence[Any]
    _compute: Callable[..., dict[str, Any]]

    def add_batch(
        self,
        *,
        predictions: Sequence[Any] | None = None,
        references: Sequence[Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Add a batch of documents."""
        predictions, references = self._judge(predictions, references, kwargs)
        if self.num_process > 1:
            super().add_batch(  # type: ignore[misc]
                predictions=list(map(_pack, _as_batch(predictions))),
                references=list(map(_pack, _as_batch(references))),
            )
            return
        kept = self.__dict__.setdefault("_documents", ([], []))
        kept[0].extend(_as_batch(predictions))
        kept[1].extend(_as_batch(references))

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one document."""
        # combined evaluations give the names of the columns instead
        example = {"predictions": prediction, "references": reference, **kwargs}
        self.add_batch(**{name: [value] for name, value in example.items()})

    def compute(
        self,
        *,
        predictions: Sequence[Any] | None = None,
        references: Sequence[Any] | None = None,
        **kwargs: Any,
    ) -> dict[str, Any] | None:
        """Compute the scores of all documents that were added, and of those given here."""
        self._check_options(kwargs)
        if self.num_process > 1:
            if predictions is None and references is None and self.writer is None:
                predictions = references = ()  # the other processes wait for this one's file
            if predictions is not None or references is not None:
                self.add_batch(predictions=predictions, references=references)
            return self._compute_from_files(kwargs)
        kept = self.__dict__.pop("_documents", None)
        if kept is None:  # the usual case, and no copy is made
            predictions, references = self._judge(predictions, references, {})
            return self._compute(predictions=predictions, references=references, **kwargs)
        if predictions is not None or references is not None:
            more = self._judge(predictions, references, {})
            kept = ([*kept[0], *_as_batch(more[0])], [*kept[1], *_as_batch(more[1])])
        return self._compute(predictions=kept[0], references=kept[1], **kwargs)

    def _compute_from_files(self, options: Mapping[str, Any]) -> dict[str, Any] | None:
        """Compute as evaluate does, but leave no documents on the disk after an error."""
        try:
            result: dict[str, Any] | None = super().compute(**options)  # type: ignore[misc]
        except InputError:
            for path, lock in zip(self.file_paths, self.filelocks, strict=True):
                Path(path).unlink()
                lock.release()
            raise
        return result

    def _infer_feature_from_batch(self, batch: Mapping[str, Any]) -> Any:
        """Return what the files hold; evaluate asks the first document, and may have none."""
        from datasets import Features, Value

        return Features({side: Value("string") for side in batch})

    def _check_options(self, options: Iterable[str]) -> None:
        known = inspect.signature(self._compute).parameters
        names = [name for name in known if name not in ("predictions", "references")]
        for name in options:
            check_name("option", name, names)

    @staticmethod
    def _judge(
        predictions: Sequence[Any] | None, references: Sequence[Any] | None, others: dict[str, Any]
    ) -> tuple[Any, Any]:
        if others:
            raise InputError(
                f"unknown inputs {', '.join(sorted(others))}, expected predictions and references"
            )
        if predictions is None or references is None:
            missing = "predictions" if predictions is None else "references"
            raise InputError(f"{missing} are missing", remedy="Give both")
        if _is_whole(predictions) and _is_whole(references):
            return predictions, references
        for side, given in (("predictions", predictions), ("references", references)):
            if not isinstance(given, Sized) or not is_iterable(given):
                raise InputError(
                    f"expected a list with one item for each document, or a path, got "
                    f"{shown(given)}", where=side,
                )  # fmt: skip
        check_as_many(len(predictions), len(references))
        return predictions, references


class ChallengeMetric(InMemory):
    """The evaluate module of a challenge; its options are those that the challenge declares.

    Mix this class in before ``evaluate.Metric``, and give what a challenge does not know.
    """

    challenge: ClassVar[Challenge]
    about: ClassVar[str]
    inputs: ClassVar[str]
    """What ``predictions`` and ``references`` are, as lines of ``Args``."""
    returns: ClassVar[str]
    """What comes back, and examples."""
    further: ClassVar[Sequence[str]]
    """Addresses of what to read."""
    forms: ClassVar[Sequence[Any]]
    """What both sides of a document can be, of ``str``, ``int`` and ``float``; a tuple has the form
    of predictions and that of references."""

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)

        def _compute(
            self: Any, predictions: Any, references: Any, **options: Any
        ) -> dict[str, Any]:
            wanted = {name: options.pop(name, False) for name in ("per_document", "numbers_only")}
            result = score(
                cls.challenge.name, predictions, references, config=self.config_name, **options
            )
            return result.as_dict(**wanted)

        _compute.__signature__ = _signature_of(cls.challenge)  # type: ignore[attr-defined]
        cls._compute = _compute
        cls.__doc__ = f"{cls.about}{cls.usage()}\n{cls.__doc__ or ''}"

    def __init__(self, config_name: str | None = None, *args: Any, **options: Any) -> None:
        super().__init__(config_name or "default", *args, **options)  # type: ignore[call-arg]
        check_name("config", self.config_name, self.challenge.task.configs)

    @classmethod
    def usage(cls) -> str:
        """Describe the arguments of ``compute`` and what it returns, with examples."""
        lines = [cls.inputs.strip("\n"), _PROTOCOL]
        for option in cls.challenge.options:
            text = f"{option.name}: {option.python or option.help} Default {option.default!r}."
            lines.append(fill(text, 96, initial_indent=" " * 4, subsequent_indent=" " * 8))
        return "\n".join(["\nArgs:", *lines, _CONFIDENCE, "", cls.returns.strip("\n"), ""])

    def _info(self) -> Any:
        import datasets
        import evaluate

        pairs = (each if isinstance(each, tuple) else (each, each) for each in self.forms)
        return evaluate.MetricInfo(
            description=self.about,
            citation=self.challenge.task.citation,
            inputs_description=self.usage(),
            features=[
                datasets.Features({"predictions": _feature(found), "references": _feature(gold)})
                for found, gold in pairs
            ],
            homepage=self.challenge.task.homepage,
            reference_urls=list(self.further),
        )


_TYPES = {str: "string", int: "int64", float: "float64"}
RELATION = dict.fromkeys(("label", "from", "to"), str)
"""The form of a relation in a document."""


def _feature(form: Any) -> Any:
    """Return a form as ``datasets`` has it."""
    from datasets import Value

    if isinstance(form, dict):
        return {name: _feature(of) for name, of in form.items()}
    return list(map(_feature, form)) if isinstance(form, list) else Value(_TYPES[form])


_PROTOCOL = """\
    protocol: "spec" (default) for the definition in the challenge's document, "official" for
        the numbers that the released script prints."""
_CONFIDENCE = """\
    confidence: such as 0.95 (default None) to add `<key>_low` and `<key>_high` for every score:
        its confidence interval, by drawing documents with replacement.
    n_resamples: how many times they are drawn; default 1000.
    seed: of the drawing; default 12345.
    interval: "auto" (default) chooses for each score among "percentile", "bca" (bias-corrected and
        accelerated) and "binomial" (for rare outcomes and few documents); or one of these.
    cluster: which documents belong together and are drawn together, such as the notes of a patient:
        a mapping or a function from their names to those of clusters, or a file with two columns,
        document and cluster; default None.
    per_document: whether to add a list of one row of scores for each document.
    numbers_only: whether to leave out the signature and the documents, for loggers such as MLflow
        that take numbers only."""


def _signature_of(challenge: Challenge) -> inspect.Signature:
    """Return the signature of ``_compute``: every option by its name, with its default."""
    defaults = {
        "protocol": "spec",
        **{option.name: option.default for option in challenge.options},
        "confidence": None,
        "n_resamples": 1000,
        "seed": 12345,
        "interval": "auto",
        "cluster": None,
        "per_document": False,
        "numbers_only": False,
    }
    positional, keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return inspect.Signature(
        [
            *(inspect.Parameter(n, positional) for n in ("self", "predictions", "references")),
            *(inspect.Parameter(n, keyword, default=value) for n, value in defaults.items()),
        ]
    )


def _is_whole(given: Any) -> bool:
    """Tell whether a side is given as a whole: a path, text, or a dict of a ranked run."""
    return isinstance(given, (str, os.PathLike, Mapping))


def _as_batch(given: Any) -> Sequence[Any]:
    return [given] if _is_whole(given) else given


def _pack(document: Any) -> str:
    """Pack one document into a string, for evaluate's files."""
    if isinstance(document, str):
        return document
    from clineval.formats import jsonl
    from clineval.kinds.mentions.mention import Document

    if isinstance(document, Document):
        return jsonl.format_document(document)
    return json.dumps(document)
