"""Agreement of annotators as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from clineval.analysis.agreement import Agreement
from clineval.report.tables import Table, format_interval, format_value
from clineval.statistics.comparison import headline_of


def tables_of(agreements: Sequence[Agreement]) -> Iterator[Table]:
    """The main scores of each two annotators, then their agreement in each slot."""
    for found in agreements:
        score = found.score
        level = f"{100 * score.confidence.level:g} %" if score.confidence else ""
        rows = tuple(
            (key, format_value(score[key]), format_interval(score.intervals[key]))
            for key in headline_of(score)
        )
        who = f"{found.first} and {found.second}"
        yield Table(f"{who}: mentions", ("score", level), rows)
        slots = tuple(
            (name, *map(format_value, (of.pairs, of.agreement, of.kappa, of.alpha)))
            for name, of in found.slots.items()
        )
        yield Table(f"{who}: mentions of both", ("pairs", "agreement", "kappa", "alpha"), slots)


def as_json(agreements: Sequence[Agreement]) -> str:
    """One JSON list, an object for each two annotators."""
    shown = [
        {
            "annotators": [found.first, found.second],
            "scores": {**found.score.values, **found.score.bounds},
            "slots": {name: asdict(of) for name, of in found.slots.items()},
            "signature": str(found.score.signature),
        }
        for found in agreements
    ]
    return json.dumps(shown, indent=2, ensure_ascii=False)
