"""Breakdowns: the counts and scores of parts of a corpus, which add up to the whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from clineval.analysis.groups import Groups, find_groups
from clineval.analysis.outcomes import Match, Outcomes
from clineval.arrays import FloatArray, IntArray
from clineval.formats.section_lines import Sections
from clineval.registry import find_challenge


@dataclass(frozen=True, slots=True, eq=False)
class Breakdown:
    """Counts and scores, group by group.

    Args:
        by: the grouping.
        names: the names of the ``g`` groups, the largest first, documents and lengths in order.
        counts: column of the counts to ``[g]``.
        scores: key to ``[g]``.
        outcomes: the outcomes that were grouped.
        groups: the group of every mention; numbers are those of before ``order``.
        order: ``[g]``, number of each group.
    """

    by: str
    names: tuple[str, ...]
    counts: Mapping[str, FloatArray]
    scores: Mapping[str, FloatArray]
    outcomes: Outcomes
    groups: Groups
    order: IntArray

    def rows(self, column: str, name: str) -> tuple[Match, IntArray]:
        """The outcomes behind a count of a group: the match, and rows of it.

        Args:
            column: such as ``strict_fp``.
            name: the group.
        """
        match = next(m for m in self.outcomes.matches.values() if column in m.columns)
        rows = match.rows(column)
        group = match.choose(self.groups.gold, self.groups.prediction)[rows]
        return match, rows[group == self.order[self.names.index(name)]]


def break_down(
    outcomes: Outcomes,
    by: str,
    *,
    train: Outcomes | None = None,
    sections: Sections | None = None,
) -> Breakdown:
    """Count and score the groups of a corpus; the arguments are those of ``find_groups``.

    Groups of which nothing was counted are left out.

    Examples:
        >>> from clineval.analysis.outcomes import find_outcomes
        >>> gold = [[{"spans": [[0, 4]], "cui": "C1", "negation": "yes"},
        ...          {"spans": [[9, 12]], "cui": "C1"}]]
        >>> outcomes = find_outcomes("semeval15_task14", [gold[0][:1]], gold, config="task1")
        >>> result = break_down(outcomes, "slot:negation")
        >>> result.names, result.scores["strict_recall"].tolist()
        (('no', 'yes'), [0.0, 1.0])
    """
    groups = find_groups(outcomes, by, train=train, sections=sections)
    size = len(groups.names)
    counts: dict[str, FloatArray] = {}
    mentions = np.zeros(size)
    for match in outcomes.matches.values():
        group = match.choose(groups.gold, groups.prediction)
        counts |= match.tally(group, size)
        mentions = np.maximum(mentions, np.bincount(group, minlength=size))
    order = np.flatnonzero(mentions)
    if ":" in by or by in ("code", "label", "field"):
        order = order[np.argsort(-mentions[order], kind="stable")]
    counts = {column: values[order] for column, values in counts.items()}
    finish = outcomes.finish or find_challenge(outcomes.metric).finish
    scores = {
        key: np.broadcast_to(value, len(order))
        for key, value in finish(counts, outcomes.config).items()
    }
    names = tuple(groups.names[number] for number in order)
    return Breakdown(by, names, counts, scores, outcomes, groups, order)
