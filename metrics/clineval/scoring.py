"""Scoring, the same for all challenges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clineval.challenge import Challenge
from clineval.counts import Counts
from clineval.registry import check_name, find_challenge
from clineval.scores import Score


def score(  # noqa: PLR0913 - one function for all
    module: str,
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "percentile",
    **options: Any,
) -> Score:
    """Score predictions against references.

    Args:
        module: the metric, such as ``semeval15_task14``; ``clineval list`` lists them.
        predictions: what the system found: for each document a list of mentions as dicts, or
            a :class:`~clineval.Document`, or a string in the challenge's file format; or the
            path of files in that format.
        references: the gold standard, in any of these forms.
        config: which part of the challenge; ``default`` scores all of it.
        protocol: ``spec`` for the definition in the challenge's document, ``official`` for
            the numbers that the released script prints.
        confidence: such as .95, to get for every score the interval that holds the true value
            with this probability; None for none. See :mod:`clineval.statistics.confidence`.
        n_resamples: how many corpora are drawn for it.
        seed: of the drawing.
        interval: ``percentile`` or ``bca``.
        options: the challenge's own options; ``clineval describe MODULE`` explains them.

    Returns:
        The scores; ``score["strict_f1"]``, ``score.as_dict()``, ``score.per_document``,
        ``score.intervals``.

    Raises:
        InputError: an unknown name, or input that cannot be scored.

    Examples:
        >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
        >>> found = [[{"spans": [[4, 15]], "cui": "C0344720"}]]
        >>> result = score("semeval15_task14", found, gold, config="task1")
        >>> result["strict_f1"], result["relaxed_f1"]
        (0.0, 1.0)
    """
    counts = count(module, predictions, references, config=config, protocol=protocol, **options)
    return counts.score(
        confidence=confidence, n_resamples=n_resamples, seed=seed, interval=interval
    )


def count(
    module: str,
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> Counts:
    """Count as :func:`score` does, and stop before the division.

    Counts of parts of a corpus add up: ``(count(...) + count(...)).score()``.
    """
    challenge = check_options(module, config, protocol, options)
    return challenge.count(predictions, references, config=config, protocol=protocol, **options)


def check_options(module: str, config: str, protocol: str, options: Iterable[str]) -> Challenge:
    """The challenge of that name, if it has the configuration, the protocol and the options.

    Raises:
        InputError: it has not; the message lists what it has.
    """
    challenge = find_challenge(module)
    check_name("config", config, challenge.configs)
    check_name("protocol", protocol, challenge.protocols)
    for name in options:
        check_name("option", name, challenge.options)
    return challenge
