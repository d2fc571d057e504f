"""Samples of harnesses: convert an answer and its gold standard to counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from clineval.answers import Alignment
from clineval.answers.references import open_reference
from clineval.answers.scoring import evaluate
from clineval.base.errors import InputError, called
from clineval.base.escaping import visible
from clineval.evaluation.counting.count import depends_on_all
from clineval.results.options import check_name
from clineval.results.registry import find_challenge
from clineval.results.scorable import Counts


@dataclass(frozen=True)
class SampleScoring:
    """The settings for scoring answers, and the reported scores.

    The arguments are those of the adapters. Without keys, the main scores and the counts of the
    answers are reported.

    Raises:
        InputError: the metric, configuration, protocol or an option is unknown.

    Examples:
        >>> scoring = SampleScoring("semeval15_task14", ("strict_f1",), "task1")
        >>> gold = [{"spans": [[3, 8]], "cui": "C1"}]
        >>> answers = ['[{"text": "edema", "cui": "C1"}]', "[]"]
        >>> parts = [scoring.count(a, gold, "No edema.", f"d{k}") for k, a in enumerate(answers)]
        >>> scoring.tell(parts)
        {'strict_f1': 0.6666666666666666}
    """

    module: str
    keys: Sequence[str] = ()
    config: str = "default"
    protocol: str = "spec"
    alignment: Alignment | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        find_challenge(self.module).setup(self.config, self.protocol, self.options)

    @property
    def together(self) -> str:
        """Why samples cannot be counted separately, and what to pass; empty if they can."""
        setup = find_challenge(self.module).setup(self.config, self.protocol, self.options)
        return depends_on_all(setup)

    @property
    def prompt(self) -> str:
        """The instructions before a note: the form of an answer, and its fields."""
        challenge = find_challenge(self.module)
        kind = challenge.setup(self.config, self.protocol, self.options).steps.kind
        rules = f"Annotate the note by the rules of {visible(challenge.task.title)}."
        return "\n".join([rules, *kind.ask(self.config)])

    def check_alone(self) -> None:
        """Reject options with which samples cannot be counted separately, as harnesses do."""
        if self.together:
            problem = f"samples of {self.module} are counted one by one, but {self.together}"
            raise InputError(problem, where="options")

    def count(self, answer: object, gold: object, note: object, name: str) -> Counts:
        """Count one document.

        The gold mentions, or records, may be a string of JSON, as in harnesses.

        Raises:
            InputError: the gold standard is invalid. Answers never raise it.
        """
        where = f"document {called(name)}, gold"
        known = open_reference(gold, find_challenge(self.module).kind_of(self.config), where)
        evaluation = evaluate(
            self.module,
            [answer],
            [known],
            texts=None if note is None else [note],
            alignment=self.alignment,
            config=self.config,
            protocol=self.protocol,
            **self.options,
        )
        return evaluation.counts.named(name)

    def count_sample(self, answer: object, sample: Mapping[str, object], name: str) -> Counts:
        """Count one sample of a harness, with the note as ``note`` and the annotations as ``gold``.

        The note is optional for annotations without a place in the text.

        Raises:
            InputError: a field is missing, or the gold standard is invalid.
        """
        needed = ("note", "gold") if find_challenge(self.module).kind.quotes else ("gold",)
        for key in needed:
            if key not in sample:
                where = f"document {called(name)}"
                raise InputError(f"the sample has no field {key!r}", where=where)
        return self.count(answer, sample["gold"], sample.get("note"), name)

    def tell(self, parts: Iterable[Counts]) -> dict[str, float]:
        """Return the scores of all documents together, as numbers.

        Raises:
            InputError: there are no documents, or a key is not a score.
        """
        return tell(parts, self.keys)


def tell(parts: Iterable[Counts], keys: Sequence[str]) -> dict[str, float]:
    """Return the scores of all documents together; default keys as in :class:`SampleScoring`.

    Raises:
        InputError: there are no documents, or a key is not a score.
    """
    whole = Counts.sum(parts)
    values = {key: float(value) for key, value in whole.follow(whole.totals).items()}
    for key in keys:
        check_name("score", key, values)
    read = [column for column in whole.columns if column.startswith("n_")]
    return {key: values[key] for key in keys or (*whole.score().headline, *read)}
