"""Scorers for a pipeline's configuration: ``@scorers = "spacy_clin.semeval15_task14_scorer.v1"``.

Each is a function that makes a scorer, as spaCy has it. All settings but the last three are those
of :func:`spacy_clin.score_docs` and the challenge's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from spacy.training import Example

from clineval.errors import InputError
from clineval.registry import find_challenge
from clineval.scores import Score
from spacy_clin.integrations import find_integration
from spacy_clin.scoring import score_examples

Scorer = Callable[..., dict[str, Any]]
_COLUMNS = 13


@dataclass(frozen=True, slots=True)
class ChallengeScorer:
    """Scores Examples by one challenge; can be pickled.

    Args:
        challenge: the module name.
        settings: what :func:`spacy_clin.score_docs` takes.
        prefix: of the names of the scores.
        table_key: also give the scores under the names that ``spacy evaluate --spans-key`` prints.
    """

    challenge: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    prefix: str = ""
    table_key: str | None = None

    def __call__(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """The scores: floats under short names, and all of them in a dict under one name.

        Other keyword arguments are the settings of the component that the scorer belongs to, and
        say nothing here.
        """
        score = score_examples(examples, self.challenge, **self.settings)
        integration = find_integration(self.challenge)
        prefix = self.prefix or integration.prefix
        short = {
            f"{prefix}_{name}": float(score[key])
            for key, name in integration.short_names.items()
            if key in score.values
        }
        everything = {key: float(value) for key, value in score.values.items()}
        result: dict[str, Any] = {**short, f"{prefix}_scores": everything}
        if self.table_key is not None:
            result |= _as_table(self.table_key, score)
        return result


def _as_table(key: str, score: Score) -> dict[str, Any]:
    """The rows of P, R and F under the names that spaCy's own command prints."""
    rows = {
        row: dict(zip("prf", map(float, map(score.__getitem__, keys[:3])), strict=True))
        for grid in find_challenge(score.metric).grids
        for row, keys in grid.rows.items()
        if grid.columns[:3] == ("P", "R", "F1") and set(keys) <= score.values.keys()
    }
    if not rows:
        raise InputError(
            f"{score.metric} has no precision, recall and F1, which table_key shows",
            remedy="Leave table_key out",
        )
    first = next(iter(rows.values()))
    return {
        **{f"spans_{key}_{letter}": value for letter, value in first.items()},
        f"spans_{key}_per_type": rows,
    }


def make_semeval15_task14_scorer(  # noqa: PLR0913 - the settings of the configuration
    *,
    gold: Any = "clin",
    pred: Any = "clin",
    config: str = "default",
    protocol: str = "spec",
    overlap: str = "character",
    weights: Any = "share",
    prefix: str = "s15",
    table_key: str | None = None,
) -> Scorer:
    """SemEval-2015 Task 14: ``s15_strict_f``, ``s15_relax_f``, ``s15_f_x_wa`` and others.

    Args:
        gold: where the gold annotation is: a preset, or settings of a getter.
        pred: where the predicted annotation is.
        config: ``default``, ``task1``, ``task2a`` or ``task2b``.
        protocol: ``spec`` or ``official``.
        overlap: ``character`` or ``word``.
        weights: ``share``, ``references``, a table, or the path of one.
        prefix: of the names of the scores.
        table_key: also give the rows that ``spacy evaluate --spans-key <table_key>`` prints.
    """
    return _make(
        "semeval15_task14",
        prefix,
        table_key,
        gold=gold,
        pred=pred,
        config=config,
        protocol=protocol,
        overlap=overlap,
        weights=weights,
    )


def make_clefehealth13_task1_scorer(  # noqa: PLR0913
    *,
    gold: Any = "clin",
    pred: Any = "clin",
    config: str = "default",
    protocol: str = "spec",
    prefix: str = "c13t1",
    table_key: str | None = None,
) -> Scorer:
    """ShARe/CLEF eHealth 2013 Task 1: ``c13t1_exact_f``, ``c13t1_over_f``, ``c13t1_acc``."""
    settings = {"gold": gold, "pred": pred, "config": config, "protocol": protocol}
    return _make("clefehealth13_task1", prefix, table_key, **settings)


def make_clefehealth13_task2_scorer(
    *, gold: Any = "clin", pred: Any = "clin", prefix: str = "c13t2"
) -> Scorer:
    """ShARe/CLEF eHealth 2013 Task 2: ``c13t2_acc``, ``c13t2_acc_r``."""
    return _make("clefehealth13_task2", prefix, gold=gold, pred=pred)


def make_i2b2_2009_medication_scorer(  # noqa: PLR0913
    *,
    gold: Any = "clin",
    pred: Any = "clin",
    protocol: str = "spec",
    subset: str | None = None,
    prefix: str = "i09",
    table_key: str | None = None,
) -> Scorer:
    """The i2b2 2009 medication challenge: ``i09_ex_f``, ``i09_in_f`` and others.

    ``ex`` and ``in`` are exact and inexact, horizontal, system level; ``i09_med_f`` and so on are
    those of the fields, exact and vertical.
    """
    settings = {"gold": gold, "pred": pred, "protocol": protocol, "subset": subset}
    return _make("i2b2_2009_medication", prefix, table_key, **settings)


def make_clinais23_b2_scorer(  # noqa: PLR0913
    *,
    gold: Any = "clin",
    pred: Any = "clin",
    n_t: int = 40,
    b_weights: str = "unweighted",
    labels: list[str] | None = None,
    prefix: str = "ais",
) -> Scorer:
    """ClinAIS 2023: ``ais_b2``, ``ais_b``."""
    settings: dict[str, Any] = {"gold": gold, "pred": pred, "n_t": n_t, "b_weights": b_weights}
    if labels is not None:
        settings["labels"] = labels
    return _make("clinais23_b2", prefix, **settings)


def make_combined_scorer(*scorers: Scorer) -> Scorer:
    """Several scorers for one component; scores of the same name are refused.

    Raises:
        InputError: when scoring, two scorers give a score of the same name.
    """
    return CombinedScorer(scorers)


@dataclass(frozen=True, slots=True)
class CombinedScorer:
    """The scores of several scorers together."""

    scorers: tuple[Scorer, ...]

    def __call__(self, examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        """All scores."""
        known = list(examples)
        result: dict[str, Any] = {}
        for scorer in self.scorers:
            scores = scorer(known, **settings)
            shared = sorted(result.keys() & scores.keys())
            if shared:
                raise InputError(
                    f"two scorers give {', '.join(shared)}",
                    remedy="Give one of them another prefix",
                )
            result |= scores
        return result


def _make(
    challenge: str, prefix: str, table_key: str | None = None, **settings: Any
) -> ChallengeScorer:
    longest = max(map(len, find_integration(challenge).short_names.values()))
    if len(prefix) + 1 + longest > _COLUMNS:
        raise InputError(
            f"the prefix {prefix!r} is too long: the training table shows {_COLUMNS} characters",
            remedy=f"Take at most {_COLUMNS - 1 - longest}",
        )
    return ChallengeScorer(challenge, settings, prefix, table_key)
