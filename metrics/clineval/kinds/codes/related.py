"""Wrong codes on pages, by how they are related to gold codes in a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping

from clineval.kinds.codes.near_misses import SIBLING, TOO_GENERAL, TOO_SPECIFIC, UNRELATED
from clineval.kinds.mentions.outcomes import NEAR_MISSES, Outcomes
from clineval.kinds.pages import Kind
from clineval.results.match import NONE, Match

RELATED = (
    Kind(TOO_GENERAL, TOO_GENERAL, "slot", "an ancestor of a gold code"),
    Kind(TOO_SPECIFIC, TOO_SPECIFIC, "nothing", "a descendant of a gold code"),
    Kind(SIBLING, SIBLING, "code", "a code with the same parent as a gold code"),
    Kind(UNRELATED, UNRELATED, "spurious", "a code with another place in the hierarchy"),
)
"""Kinds of wrong codes, if there is a hierarchy."""


def find_related(outcomes: Outcomes) -> Match | None:
    """Return the match that names how wrong codes are related; None without a hierarchy."""
    match = outcomes.matches.get(NEAR_MISSES)
    return match if match and TOO_GENERAL in match.reasons else None


def find_relations(outcomes: Outcomes) -> Mapping[int, str]:
    """Return how wrong codes are related to gold codes: predicted row to kind."""
    match = find_related(outcomes)
    if match is None:
        return {}
    predicted = {name: match.prediction[rows] for name, rows in match.reasons.items()}
    return {row: name for name, rows in predicted.items() for row in rows[rows != NONE].tolist()}
