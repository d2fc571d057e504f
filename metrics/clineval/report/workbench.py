"""From files to the Workbench's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from clineval.errors import InputError
from clineval.formats.texts import find_texts
from clineval.registry import find_challenge
from clineval.report.entries import show_entries
from clineval.report.measures import measures_csv
from clineval.report.mentions import all_documents, check_references, show_mentions
from clineval.report.page import Workbench
from clineval.report.partners import find_partners
from clineval.report.rankings import show_rankings
from clineval.report.sections import show_sections
from clineval.scores import Score
from clineval.scoring import score
from clineval.statistics.comparison import compare_counts

_MOST_SYSTEMS = 2
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
    find_challenge(module)  # says what there is, and what was perhaps meant
    if not 0 < len(systems) <= _MOST_SYSTEMS:
        raise InputError(f"expected one system or two, got {len(systems)}")
    given = {"config": config, "protocol": protocol, **options}
    scores = {n: score(module, found, references, **given) for n, found in systems.items()}
    check_references(scores)
    shown = VIEWS[module](scores, systems, references, notes=notes, with_text=with_text, **given)
    return shown.extended(comparison=_compare(scores) if len(scores) > 1 else None)


def _show_mentions(
    scores: Mapping[str, Score],
    systems: Mapping[str, Any],
    references: Any,
    *,
    notes: Any,
    with_text: bool,
    **given: Any,
) -> Workbench:
    module = next(iter(scores.values())).metric
    paired = {n: find_partners(module, found, references, **given) for n, found in systems.items()}
    shown = list(paired.values())
    texts = (
        find_texts(all_documents(shown), notes, "notes")
        if with_text and notes is not None
        else None
    )
    return show_mentions(scores, shown, texts).extended(measures=measures_csv(paired))


VIEWS: Mapping[str, Callable[..., Workbench]] = {
    "semeval15_task14": _show_mentions,
    "clefehealth13_task1": _show_mentions,
    "clefehealth13_task2": _show_mentions,
    "clefehealth13_task3": show_rankings,
    "i2b2_2009_medication": show_entries,
    "clinais23_b2": show_sections,
}
"""What shows each challenge."""
NOTES_APART = (
    "semeval15_task14",
    "clefehealth13_task1",
    "clefehealth13_task2",
    "i2b2_2009_medication",
)
"""Those whose files do not hold the notes' texts."""


def _compare(scores: Mapping[str, Score]) -> dict[str, Any]:
    """What approximate randomization says of the difference between two systems."""
    counts = {name: score.counts for name, score in scores.items()}
    compared = compare_counts(counts, trials=_TRIALS)
    (differences,) = compared.differences.values()
    return {
        "test": f"approximate randomization, {_TRIALS:,} trials",
        "p_values": {key: difference.p for key, difference in differences.items()},
        "exact": all(difference.exact for difference in differences.values()),
    }
