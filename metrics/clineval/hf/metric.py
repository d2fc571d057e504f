"""The evaluate module of a challenge, with texts from its card and data kept in memory.

Nothing here imports ``evaluate``, which is an extra and slow to import.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, ClassVar

from clineval.base.arrays import is_iterable
from clineval.base.errors import InputError, shown
from clineval.evaluation.counting import score
from clineval.hf.cards import read_card
from clineval.kinds.documents import check_as_many
from clineval.results.challenge import Challenge
from clineval.results.kind import Form
from clineval.results.options import check_name

if TYPE_CHECKING:
    from evaluate import MetricInfo
    from filelock import BaseFileLock


class InMemory:
    """Keeps predictions and references of an evaluate module in memory.

    ``evaluate`` itself writes them to a file that others can read, silently coerces wrong types,
    and prints whole documents in its errors. Inherit from this class before ``evaluate.Metric``.
    With ``num_process > 1``, processes must exchange data, so evaluate's own files are used, and
    each document is one string. Every process calls ``compute``, even without documents.
    """

    name: str
    config_name: str
    num_process: int
    writer: object
    file_paths: Sequence[str]
    filelocks: Sequence[BaseFileLock]
    _compute: Callable[..., dict[str, object]]

    def add_batch(
        self, *, predictions: object = None, references: object = None, **kwargs: object
    ) -> None:
        """Add a batch of documents."""
        batches = tuple(map(_as_batch, self._judge(predictions, references, kwargs)))
        if self.num_process > 1:
            packed = ([*map(_pack, batch)] for batch in batches)
            names = ("predictions", "references")
            super().add_batch(**dict(zip(names, packed, strict=True)))  # type: ignore[misc]
            return
        for kept, batch in zip(
            self.__dict__.setdefault("_documents", ([], [])), batches, strict=True
        ):
            kept.extend(batch)

    def add(self, *, prediction: object = None, reference: object = None, **kwargs: object) -> None:
        """Add one document."""
        # combined evaluations pass the names of the columns instead
        example = {"predictions": prediction, "references": reference, **kwargs}
        self.add_batch(**{name: [value] for name, value in example.items()})

    def compute(
        self, *, predictions: object = None, references: object = None, **kwargs: object
    ) -> dict[str, object] | None:
        """Compute the scores of all documents, from earlier calls and from the arguments."""
        self._check_options(kwargs)
        if self.num_process > 1:
            if predictions is None and references is None and self.writer is None:
                predictions = references = ()  # the other processes wait for this one's file
            if predictions is not None or references is not None:
                self.add_batch(predictions=predictions, references=references)
            return self._compute_from_files(kwargs)
        kept = self.__dict__.pop("_documents", None)
        if kept is None:  # the usual case, without a copy
            predictions, references = self._judge(predictions, references, {})
            return self._compute(predictions=predictions, references=references, **kwargs)
        if predictions is not None or references is not None:
            more = self._judge(predictions, references, {})
            kept = ([*kept[0], *_as_batch(more[0])], [*kept[1], *_as_batch(more[1])])
        return self._compute(predictions=kept[0], references=kept[1], **kwargs)

    def _compute_from_files(self, options: Mapping[str, object]) -> dict[str, object] | None:
        """Compute as evaluate does, but leave no documents on disk after an error."""
        try:
            result: dict[str, object] | None = super().compute(**options)  # type: ignore[misc]
        except InputError:
            for path, lock in zip(self.file_paths, self.filelocks, strict=True):
                Path(path).unlink()
                lock.release()
            raise
        return result

    def _infer_feature_from_batch(self, batch: Iterable[str]) -> object:
        """Return the type of the files; evaluate infers it from the first document, if any."""
        from datasets import Features, Value

        return Features({side: Value("string") for side in batch})

    def _check_options(self, options: Iterable[str]) -> None:
        known = inspect.signature(self._compute).parameters
        names = [name for name in known if name not in ("predictions", "references")]
        for name in options:
            check_name("option", name, names)

    @staticmethod
    def _judge(
        predictions: object, references: object, others: Iterable[str]
    ) -> tuple[object, object]:
        if names := ", ".join(sorted(others)):
            raise InputError(f"unknown inputs {names}, expected predictions and references")
        if predictions is None or references is None:
            missing = "predictions" if predictions is None else "references"
            raise InputError(f"{missing} are missing", remedy="Give both")
        if _is_whole(predictions) and _is_whole(references):
            return predictions, references
        sizes = []
        for side, given in (("predictions", predictions), ("references", references)):
            if not is_iterable(given) or not isinstance(given, Sized):
                raise InputError(
                    f"expected a list with one item for each document, or a path, got "
                    f"{shown(given)}", where=side,
                )  # fmt: skip
            sizes.append(len(given))
        check_as_many(sizes[0], sizes[1])
        return predictions, references


class ChallengeMetric(InMemory):
    """The evaluate module of a challenge, with the options that the challenge declares.

    Inherit from this class before ``evaluate.Metric``.
    """

    challenge: ClassVar[Challenge]
    forms: ClassVar[Sequence[Form | tuple[Form, Form]]] = ()
    """Forms of a document, built from ``str``, ``int`` and ``float``; a tuple contains the form of
    predictions and the form of references. If empty, the usual forms of the kind of annotation."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()

        def _compute(
            self: ChallengeMetric, predictions: object, references: object, **options: Any
        ) -> dict[str, object]:
            wanted = {name: options.pop(name, False) for name in ("per_document", "numbers_only")}
            result = score(
                cls.challenge, predictions, references, config=self.config_name, **options
            )
            return result.as_dict(**wanted)

        _compute.__signature__ = _signature_of(cls.challenge)  # type: ignore[attr-defined]
        cls._compute = _compute
        cls.__doc__ = f"{cls.about()}\n\n{cls.__doc__ or ''}"

    def __init__(self, config_name: str | None = None, *args: object, **options: object) -> None:
        super().__init__(config_name or "default", *args, **options)  # type: ignore[call-arg]
        check_name("config", self.config_name, self.challenge.task.configs)

    @classmethod
    def about(cls) -> str:
        """Return the description from the front matter of the card."""
        return " ".join(cls._part("\ndescription: >-\n", "\n---\n").split())

    @classmethod
    def usage(cls) -> str:
        """Describe the arguments and the result of ``compute``, with the card's examples."""
        lines = []
        for option in cls.challenge.options:
            text = f"- **{option.name}**: {option.python or option.help}"
            text = f"{text.removesuffix('.')}. Default {option.default!r}."
            lines.append(fill(text, 96, subsequent_indent="  "))
        parts = (
            cls._part("\n## How to Use\n", "\n### Output Values\n"),
            "### Options\n\n" + "\n".join([*lines, _OPTIONS]),
            "### Output Values\n" + cls._part("\n### Output Values\n", "\n### Values from"),
            "### Examples\n" + cls._part("\n## Examples\n", "\n## "),
        )
        return "\n\n".join(parts) + "\n"

    @classmethod
    def _part(cls, start: str, end: str) -> str:
        card = read_card(cls.challenge.name)
        return card.partition(start)[2].partition(end)[0].rstrip()

    def _info(self) -> MetricInfo:
        import datasets
        import evaluate

        forms = self.forms or self.challenge.kind.forms()
        pairs = (each if isinstance(each, tuple) else (each, each) for each in forms)
        return evaluate.MetricInfo(
            description=self.about(),
            citation=self.challenge.task.citation,
            inputs_description=self.usage(),
            features=[
                datasets.Features({"predictions": _feature(found), "references": _feature(gold)})
                for found, gold in pairs
            ],
            homepage=self.challenge.task.homepage,
            reference_urls=_LINK.findall(self._part("\n## Further References\n", "\n## ")),
        )


RELATION = dict.fromkeys(("label", "from", "to"), str)
"""The form of a relation in a document."""
_TYPES = {str: "string", int: "int64", float: "float64"}
_INTERVALS = ("confidence", "n_resamples", "seed", "interval", "cluster")
_LINK = re.compile(r"(?<=\]\()http[^)\s]+")
_OPTIONS = """\
- **confidence**: a level such as 0.95 adds `<key>_low` and `<key>_high` for every score: its
  confidence interval, by drawing documents with replacement; default None.
- **n_resamples**: the number of drawn corpora; default 1000.
- **seed**: the random seed; default 12345.
- **interval**: "percentile", "bca" (bias-corrected and accelerated) or "binomial" (for rare
  outcomes and few documents); "auto" (default) chooses one of these for each score.
- **cluster**: documents that belong together and are drawn together, such as the notes of a
  patient: a dict or a function from document name to cluster name, or a file with two columns,
  document and cluster; default None.
- **dataset**: the name of the gold standard, such as "meddocan19/test"; other references are
  rejected. `clineval datasets` lists the known names.
- **per_document**: whether to add a list with one row of scores for each document.
- **numbers_only**: whether to leave out the signature and the documents, for loggers such as MLflow
  that accept only numbers."""


def _feature(form: Form) -> object:
    """Return a form as a feature of ``datasets``."""
    from datasets import Value

    if isinstance(form, Mapping):
        return {name: _feature(of) for name, of in form.items()}
    return list(map(_feature, form)) if isinstance(form, list) else Value(_TYPES[form])


def _signature_of(challenge: Challenge) -> inspect.Signature:
    """Return the signature of ``_compute``, with every option and its default."""
    usual = inspect.signature(score).parameters
    defaults = {
        "protocol": "spec",
        **{option.name: option.default for option in challenge.options},
        **{name: usual[name].default for name in _INTERVALS},
        "dataset": None,
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


def _is_whole(given: object) -> bool:
    """Return whether a side is passed as a whole: a path, text, or a dict with a ranked run."""
    return isinstance(given, (str, os.PathLike, Mapping))


def _as_batch(given: object) -> Iterable[object]:
    return given if is_iterable(given) and not _is_whole(given) else [given]


def _pack(document: object) -> str:
    """Pack one document into a string, for evaluate's files."""
    if isinstance(document, str):
        return document
    from clineval.formats import jsonl
    from clineval.kinds.mentions.mention import Document

    if isinstance(document, Document):
        return jsonl.format_document(document)
    return json.dumps(document)
