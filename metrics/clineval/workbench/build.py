"""From files to the Workbench's page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from clineval.base.errors import InputError
from clineval.evaluation.compare import compare_counts
from clineval.evaluation.comparison import Comparison
from clineval.evaluation.evaluate import Evaluation, evaluate_all
from clineval.results.registry import find_challenge
from clineval.results.scores import Score
from clineval.results.views import MentionView
from clineval.workbench.buckets import read_extras
from clineval.workbench.code_names import read_names
from clineval.workbench.items import show_items
from clineval.workbench.mentions import show_mentions
from clineval.workbench.page import Subject, Workbench

_LEVEL = 0.95
_FEWEST = 2
_TRIALS = 10_000


def build_workbench(  # noqa: PLR0913 - as in clineval.score
    module: str,
    references: Any,
    systems: Mapping[str, Any],
    *,
    config: str = "default",
    protocol: str = "spec",
    notes: Any = None,
    with_text: bool = True,
    train: Any = None,
    sections: Any = None,
    names: Any = None,
    **options: Any,
) -> Workbench:
    """Score systems, and gather all that a page shows.

    Args:
        module: the metric.
        references: the gold standard, as in :func:`clineval.score`.
        systems: system name to its predictions; the first is what others are compared with.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        notes: the texts, as a directory, a mapping or a list, of challenges whose files do not
            hold them.
        with_text: False for a page that holds no character of any note.
        train: the gold standard of the training corpus, for groups of seen and unseen codes.
        sections: the sections of the notes, a file of JSON lines, for groups of sections.
        names: code to name, as a mapping or a file.
        options: the challenge's own options.

    Raises:
        InputError: no such metric, no system, or input that cannot be scored.

    Examples:
        >>> gold = [[{"spans": [[3, 7]], "cui": "C0015230"}]]
        >>> bench = build_workbench("semeval15_task14", gold, {"A": [[]]}, notes=["No rash."])
        >>> bench.to_html()[:15]
        '<!doctype html>'
    """
    challenge = find_challenge(module)  # says what there is, and what was perhaps meant
    if challenge.faces.page is None:
        raise InputError(f"{module} declares no view, which a page needs")
    if not systems:
        raise InputError("expected at least one system, got none")
    asked = {"config": config, "protocol": protocol, **options}
    evaluations = evaluate_all(module, systems, references, **asked)
    scores = {name: evaluation.score() for name, evaluation in evaluations.items()}
    compared = _compare(evaluations) if len(evaluations) > 1 else None
    view = challenge.faces.code_pages.get(config) or challenge.faces.page
    found = list(evaluations.values())
    extras = read_extras(found[0], train, sections, asked)
    known = read_names(names)
    subject = Subject(found, scores, notes, with_text, extras, known)
    if isinstance(view, MentionView):
        shown = show_mentions(subject, view)
    else:
        shown = show_items(subject, view)
    described = _describe(compared) if compared else None
    estimated = compared.scores if compared else _estimate(evaluations)
    return replace(shown, comparison=described, intervals=_bounds(estimated))


def _estimate(evaluations: Mapping[str, Evaluation]) -> dict[str, Score]:
    """Return the scores, with how intervals are made."""
    return {name: of.counts.score(confidence=_LEVEL) for name, of in evaluations.items()}


def _bounds(scores: Mapping[str, Score]) -> dict[str, Mapping[str, tuple[float, float]]]:
    """Return the intervals of each system's scores; none where so few documents say nothing."""
    return {name: score.intervals for name, score in scores.items() if len(score.counts) >= _FEWEST}


def _compare(evaluations: Mapping[str, Evaluation]) -> Comparison:
    """Compare the systems with the first one, by approximate randomization."""
    counts = {name: evaluation.counts for name, evaluation in evaluations.items()}
    return compare_counts(counts, trials=_TRIALS, confidence=_LEVEL)


def _describe(compared: Comparison) -> dict[str, Any]:
    """Return what the page shows of the differences."""
    every = [found for of in compared.differences.values() for found in of.values()]
    return {
        "test": f"approximate randomization, {_TRIALS:,} trials",
        "exact": all(difference.exact for difference in every),
        "differences": {
            name: {key: asdict(difference) for key, difference in of.items()}
            for name, of in compared.differences.items()
        },
    }
