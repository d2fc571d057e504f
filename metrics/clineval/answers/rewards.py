"""Rewards for the completions of a language model, for reinforcement learning.

A reward is the challenge's own score of one document. No completion raises an error: an unreadable
completion counts as an answer without items.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clineval.answers.alignment import Alignment
from clineval.answers.options import takes_answers, without_texts
from clineval.answers.references import open_reference
from clineval.answers.scoring import evaluate as evaluate_answers
from clineval.base.errors import InputError, InputWarning, located
from clineval.evaluation.evaluate import Evaluation
from clineval.results.options import check_name
from clineval.results.registry import all_challenges, find_challenge

_REFUSALS = (InputError, RecursionError)


@dataclass(frozen=True)
class Reward:
    """A reward function for TRL: ``(completions, **columns) -> list[float]``.

    Args:
        module: a metric that accepts answers: of mentions with quotes, of records, or of codes.
        keys: the scores whose mean is the reward; if empty, those that rank systems.
        references: the column with the gold standard, as objects or strings of JSON.
        texts: the column with the notes, which are searched for quotes.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        alignment: the policies for placing quotes.
        options: the challenge's own options.

    Raises:
        InputError: a metric, configuration, protocol or option is unknown, or an option is missing
            without which no document is scored alone.

    Examples:
        >>> judge = Reward("mediqa_synur26", references="gold")
        >>> gold = '[{"id": "5", "value": "F"}]'
        >>> judge(["[]", gold], gold=[gold, gold], prompts=["...", "..."])
        [0.0, 1.0]
        >>> judge.__name__
        'mediqa_synur26_micro_f1'
    """

    module: str
    keys: Sequence[str] = ()
    references: str = "references"
    texts: str = "texts"
    config: str = "default"
    protocol: str = "spec"
    alignment: Alignment | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        challenge = find_challenge(self.module)
        if not takes_answers(challenge):
            able = [each.name for each in all_challenges() if takes_answers(each)]
            problem = (
                f"{challenge.name} does not support rewards, expected one of {', '.join(able)}"
            )
            raise InputError(problem)
        options = without_texts(challenge, self.options)
        setup = challenge.setup(self.config, self.protocol, options)
        if reason := setup.steps.alone(setup):
            problem = f"a reward scores each document alone, but {reason}"
            raise InputError(problem, where=challenge.name)

    @property
    def __name__(self) -> str:
        """The name of the rewards in a trainer's logs."""
        return "_".join([self.module, *self._keys])

    def __call__(self, completions: Sequence[object], **columns: object) -> list[float]:
        """Return the reward of each completion; other columns are ignored.

        Raises:
            InputError: a column is missing or has another length, a gold standard or a note
                cannot be read, or a score is unknown. Completions never raise it.
        """
        gold = _find_column(columns, self.references, len(completions))
        notes: Sequence[object] = [None] * len(completions)
        if columns.get(self.texts) is not None:
            notes = _find_column(columns, self.texts, len(completions))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # errors of models are normal in training
            return [
                located(f"completion {at}", self._judge, *row)
                for at, row in enumerate(zip(completions, gold, notes, strict=True))
            ]

    @property
    def _keys(self) -> Sequence[str]:
        keys = self.keys or find_challenge(self.module).measures.rank_by(self.config)
        if not keys:
            problem = "no score of this metric ranks systems, so there is no default reward"
            raise InputError(problem, where="keys", remedy="Pass the names of the scores")
        return keys

    def _judge(self, completion: object, gold: object, note: object) -> float:
        """Return the reward of one completion."""
        kind = find_challenge(self.module).kind_of(self.config)
        known = open_reference(gold, kind, "references")
        try:
            found, silent = self._evaluate(_content_of(completion), known, note)
        except _REFUSALS:  # if the gold standard caused the error, this raises again
            found, silent = self._evaluate("", known, note)
        if found.corpus.gold_sizes.any():
            return self._mean_of(found)
        return float(silent)

    def _evaluate(self, answer: object, gold: object, note: object) -> tuple[Evaluation, bool]:
        """Evaluate an answer; also return whether it is readable and has no items."""
        how: dict[str, Any] = {"config": self.config, "protocol": self.protocol, **self.options}
        how |= {"texts": None if note is None else [note], "alignment": self.alignment}
        found = evaluate_answers(self.module, [answer], [gold], **how)
        totals = found.counts.totals
        return found, not totals["n_answers"] and not totals["n_unreadable"]

    def _mean_of(self, found: Evaluation) -> float:
        values = found.score().values
        for key in self._keys:
            check_name("score", key, values)
        return sum(float(values[key]) for key in self._keys) / len(self._keys)


def reward(  # noqa: PLR0913 - as in clineval.score
    module: str,
    completions: Sequence[object],
    references: Sequence[object],
    *,
    texts: Sequence[str] | None = None,
    keys: Sequence[str] = (),
    config: str = "default",
    protocol: str = "spec",
    alignment: Alignment | None = None,
    **options: object,
) -> list[float]:
    """Score each completion separately against the gold standard of its document.

    The reward is a score of that document and does not depend on other completions. If the gold
    standard of a document is empty, the reward is 1 for an answer without items, otherwise 0.

    Args:
        module: a metric that accepts answers: of mentions with quotes, of records, or of codes.
        completions: the completions, ``[n]``: strings, parsed JSON, or conversations, whose last
            message counts. An unreadable completion counts as an answer without items.
        references: the gold standard of the document of each completion, ``[n]``.
        texts: the note of each completion, ``[n]``, which is searched for quotes; None if the
            metric has no quotes, or with ``match="text"`` or ``"set"``.
        keys: the scores whose mean is the reward; if empty, those that rank systems.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        alignment: the policies for placing quotes.
        options: the challenge's own options.

    Returns:
        ``[n]`` rewards, from 0 to 1 if the scores are proportions.

    Raises:
        InputError: a metric, score or option is unknown, a gold standard or a note cannot be read,
            or lists differ in length. Completions never raise it.

    Examples:
        >>> gold = [{"spans": [[3, 8]], "cui": "C0013604"}]
        >>> written = ['[{"text": "edema", "cui": "C0013604"}]', "I see no disorder."]
        >>> reward("semeval15_task14", written, [gold] * 2, texts=["No edema."] * 2)
        [1.0, 0.0]
    """
    judge = Reward(module, keys, "references", "texts", config, protocol, alignment, options)
    return judge(completions, references=references, texts=texts)


def _find_column(columns: Mapping[str, object], name: str, size: int) -> Sequence[object]:
    column = columns.get(name)
    if not isinstance(column, (list, tuple)) or len(column) != size:
        wanted = f"expected a list of {size}, one for each completion"
        raise InputError(wanted, where=f"column {name}")
    return column


def _content_of(completion: object) -> object:
    """Return the text of the last message of a conversation; return anything else unchanged."""
    if not isinstance(completion, (list, tuple)) or not all(map(_is_message, completion)):
        return completion
    content = completion[-1]["content"] if completion else completion
    if not isinstance(content, (list, tuple)) or not completion:
        return content
    parts = [part.get("text") for part in content if isinstance(part, Mapping)]
    return "".join(part for part in parts if isinstance(part, str))


def _is_message(part: object) -> bool:
    return (
        isinstance(part, Mapping)
        and "content" in part
        and set(part) <= {"content", "role", "name", "tool_calls", "reasoning_content", "thinking"}
    )
