"""From files to the Workbench's page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clineval.errors import InputError
from clineval.formats.texts import find_texts
from clineval.registry import check_name, find_challenge
from clineval.report.mentions import all_documents, show_mentions
from clineval.report.page import Workbench
from clineval.report.partners import FINDERS, PairedMentions, find_partners
from clineval.scoring import score

_MOST_SYSTEMS = 2


def build_workbench(
    module: str,
    references: Any,
    systems: Mapping[str, Any],
    *,
    config: str = "default",
    protocol: str = "spec",
    notes: Any = None,
    **options: Any,
) -> tuple[Workbench, Mapping[str, PairedMentions]]:
    """Score one system or two, and gather all that a page shows.

    Args:
        module: the metric.
        references: the gold standard, as in :func:`clineval.score`.
        systems: system name to its predictions.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        notes: the texts, as a directory, a mapping or a list; None to leave texts out.
        options: the challenge's own options.

    Returns:
        The page's content, and the pairs of each system.

    Raises:
        InputError: a metric that has no view, more than two systems, or input that cannot be
            scored.
    """
    challenge = find_challenge(module)
    check_name("config", config, challenge.configs)
    check_name("protocol", protocol, challenge.protocols)
    if module not in FINDERS:
        raise InputError(f"{module} has no report yet, expected one of {', '.join(FINDERS)}")
    if not 0 < len(systems) <= _MOST_SYSTEMS:
        raise InputError(f"expected one system or two, got {len(systems)}")
    given = {"config": config, "protocol": protocol, **options}
    scores = {n: score(module, found, references, **given) for n, found in systems.items()}
    outcomes = {
        name: find_partners(module, found, references, **given) for name, found in systems.items()
    }
    shown = list(outcomes.values())
    found_texts = None if notes is None else find_texts(all_documents(shown), notes)
    return show_mentions(scores, shown, found_texts), outcomes


def with_comparison(workbench: Workbench, comparison: Mapping[str, Any]) -> Workbench:
    """The page with what a test says of the difference between its two systems."""
    return replace(workbench, comparison=comparison)
