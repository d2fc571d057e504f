"""From files to the Workbench's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from clineval.comparison import compare_counts
from clineval.errors import InputError
from clineval.evaluation import Evaluation, evaluate_all
from clineval.registry import find_challenge
from clineval.workbench.codes import show_codes
from clineval.workbench.entries import show_entries
from clineval.workbench.mentions import show_mentions
from clineval.workbench.page import Subject, Workbench
from clineval.workbench.rankings import show_rankings
from clineval.workbench.sections import show_sections

_MOST_SYSTEMS = 2
_TRIALS = 10_000
_SHOW: Mapping[str, Callable[[Subject], Workbench]] = {
    "mentions": show_mentions,
    "relations": show_mentions,
    "entries": show_entries,
    "sections": show_sections,
    "rankings": show_rankings,
    "codes": show_codes,
}
"""What shows each kind of annotation."""


def build_workbench(  # noqa: PLR0913 - as in clineval.score
    module: str,
    references: Any,
    systems: Mapping[str, Any],
    *,
    config: str = "default",
    protocol: str = "spec",
    notes: Any = None,
    with_text: bool = True,
    **options: Any,
) -> Workbench:
    """Score one system or two, and gather all that a page shows.

    Args:
        module: the metric.
        references: the gold standard, as in :func:`clineval.score`.
        systems: system name to its predictions.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        notes: the texts, as a directory, a mapping or a list, of challenges whose files do not
            hold them.
        with_text: False for a page that holds no character of any note.
        options: the challenge's own options.

    Raises:
        InputError: no such metric, more than two systems, or input that cannot be scored.

    Examples:
        >>> gold = [[{"spans": [[3, 7]], "cui": "C0015230"}]]
        >>> bench = build_workbench("semeval15_task14", gold, {"A": [[]]}, notes=["No rash."])
        >>> bench.to_html()[:15]
        '<!doctype html>'
    """
    challenge = find_challenge(module)  # says what there is, and what was perhaps meant
    if challenge.view is None:
        raise InputError(f"{module} declares no view, which a page needs")
    if not 0 < len(systems) <= _MOST_SYSTEMS:
        raise InputError(f"expected one system or two, got {len(systems)}")
    asked = {"config": config, "protocol": protocol, **options}
    evaluations = evaluate_all(module, systems, references, **asked)
    scores = {name: evaluation.score() for name, evaluation in evaluations.items()}
    comparison = _compare(evaluations) if len(evaluations) > 1 else None
    codes = challenge.code_views.get(config)
    found = list(evaluations.values())
    subject = Subject(codes or challenge.view, found, scores, notes, with_text)
    shown = _SHOW["codes" if codes else challenge.kind](subject)
    return replace(shown, comparison=comparison)


def _compare(evaluations: Mapping[str, Evaluation]) -> dict[str, Any]:
    """What approximate randomization says of the difference between two systems.

    Raises:
        InputError: they were scored against different gold standards.
    """
    counts = {name: evaluation.counts for name, evaluation in evaluations.items()}
    compared = compare_counts(counts, trials=_TRIALS)
    (differences,) = compared.differences.values()
    return {
        "test": f"approximate randomization, {_TRIALS:,} trials",
        "p_values": {key: difference.p for key, difference in differences.items()},
        "exact": all(difference.exact for difference in differences.values()),
    }
