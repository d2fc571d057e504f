"""Rewards for the completions of a language model, for reinforcement learning.

A reward is the challenge's own score of one document. No completion raises an error: an unreadable
completion counts as an answer without items.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clineval.answers.alignment import Alignment
from clineval.answers.options import takes_answers, without_texts
from clineval.answers.references import open_reference
from clineval.answers.scoring import evaluate as evaluate_answers
from clineval.base.arrays import FloatArray
from clineval.base.errors import InputError, InputWarning, located
from clineval.evaluation.evaluate import Evaluation
from clineval.results.options import check_name
from clineval.results.registry import all_challenges, find_challenge

_REFUSALS = (InputError, RecursionError)
_ID = "id"
_Row = tuple[object, object, object]
"""A completion, its gold standard and its note."""


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
        rows = [*zip(map(_content_of, completions), gold, notes, strict=True)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # errors of models are normal in training
            return self._judge_all(rows, 0)

    @property
    def _keys(self) -> Sequence[str]:
        keys = self.keys or find_challenge(self.module).measures.rank_by(self.config)
        if not keys:
            problem = "no score of this metric ranks systems, so there is no default reward"
            raise InputError(problem, where="keys", remedy="Pass the names of the scores")
        return keys

    def _judge_all(self, rows: Sequence[_Row], start: int) -> list[float]:
        """Return the rewards of rows; if their corpus raises an error, score its halves."""
        if len(rows) == 1:
            return [located(f"completion {start}", self._judge, *rows[0])]
        try:
            return self._judge_corpus(rows)
        except _REFUSALS:
            half = len(rows) // 2
            return [
                *self._judge_all(rows[:half], start),
                *self._judge_all(rows[half:], start + half),
            ]

    def _judge_corpus(self, rows: Sequence[_Row]) -> list[float]:
        """Return the rewards of rows that are scored as the documents of one corpus."""
        answers, gold, notes = zip(*rows, strict=True)
        known = [self._open(each) for each in gold]
        return self._score(answers, _tell_apart(known), notes)

    def _judge(self, completion: object, gold: object, note: object) -> float:
        """Return the reward of one completion."""
        known = self._open(gold)
        try:
            [value] = self._score([completion], [known], [note])
        except _REFUSALS:  # if the gold standard caused the error, this raises again
            [value] = self._score([""], [known], [note])
        return value

    def _open(self, gold: object) -> object:
        return open_reference(gold, find_challenge(self.module).kind_of(self.config), "references")

    def _score(
        self, answers: Sequence[object], gold: Sequence[object], notes: Sequence[object]
    ) -> list[float]:
        """Return the mean of the scores of each document, each computed alone.

        Without gold annotations, it is 1 for a readable answer without items, otherwise 0.
        """
        how: dict[str, Any] = {"config": self.config, "protocol": self.protocol, **self.options}
        how |= {"texts": None if None in notes else notes, "alignment": self.alignment}
        found = evaluate_answers(self.module, answers, gold, **how)
        counted = dict(zip(found.counts.columns, found.counts.table.T, strict=True))
        silent = (counted["n_answers"] == 0) & (counted["n_unreadable"] == 0)
        values = self._mean_of(found)
        return [*map(float, np.where(found.corpus.gold_sizes > 0, values, silent))]

    def _mean_of(self, found: Evaluation) -> FloatArray:
        """Return the mean of the scores of each document, ``[d]``."""
        if not found.corpus.gold_sizes.any():
            return np.zeros(len(found.counts))
        values = found.counts.finish_each()
        for key in self._keys:
            check_name("score", key, values)
        return np.array(sum(values[key] for key in self._keys) / len(self._keys))


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


def _tell_apart(documents: Sequence[object]) -> Sequence[object]:
    """Rename documents whose ids repeat, as those of several completions of a prompt do."""
    ids = [each[_ID] for each in documents if isinstance(each, Mapping) and _ID in each]
    if len({*map(str, ids)}) == len(ids):
        return documents
    return [
        {**each, _ID: str(at)} if isinstance(each, Mapping) and _ID in each else each
        for at, each in enumerate(documents)
    ]


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
