"""Breakdowns: the counts and scores of parts of a corpus, which add up to the whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clineval.analysis.groups import Groups, find_groups
from clineval.arrays import FloatArray, IntArray
from clineval.formats.section_lines import Sections
from clineval.grids import short_of
from clineval.mentions.outcomes import Match, Outcomes
from clineval.tables import Sheet, Table, format_value


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

    @property
    def values(self) -> dict[str, dict[str, float | int]]:
        """Group to its scores; counts are integers."""
        columns = {
            key: [int(value) for value in values] if key in self.counts else values.tolist()
            for key, values in self.scores.items()
        }
        return {
            name: {key: column[at] for key, column in columns.items()}
            for at, name in enumerate(self.names)
        }

    def table(self, most: int | None = None) -> Table:
        """One row for each group: counts, F1 and the main scores; all where there is no F1.

        Args:
            most: how many groups to show; the title says how many there are besides.
        """
        headline = self.outcomes.challenge.headline
        short = short_of(self.scores, list(self.counts), headline)
        chosen = dict.fromkeys((*short, *headline))
        keys = tuple(key for key in chosen if key in self.scores)
        rows = tuple(
            (name, *(format_value(scores[key]) for key in keys))
            for name, scores in list(self.values.items())[:most]
        )
        more = len(self.names) - len(rows)
        title = f"By {self.by}" + (f", and {more} smaller groups" if more else "")
        return Table(title, keys, rows)

    def sheet(self, signature: str, most: int | None = None) -> Sheet:
        """The groups for any writer of :mod:`clineval.tables`.

        Args:
            signature: of the score of the whole.
            most: as in :meth:`table`.
        """
        return Sheet(
            lambda: [self.table(most)],
            lambda: self._describe(signature),
            lambda: [
                ("group", *self.scores, "signature"),
                *((name, *scores.values(), signature) for name, scores in self.values.items()),
            ],
            signature=signature,
        )

    def _describe(self, signature: str) -> dict[str, Any]:
        return {
            "metric": self.outcomes.challenge.name,
            "config": self.outcomes.config,
            "by": self.by,
            "groups": self.values,
            "signature": signature,
        }


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
        >>> from clineval import evaluate
        >>> gold = [[{"spans": [[0, 4]], "cui": "C1", "negation": "yes"},
        ...          {"spans": [[9, 12]], "cui": "C1"}]]
        >>> evaluation = evaluate("semeval15_task14", [gold[0][:1]], gold, config="task1")
        >>> result = break_down(evaluation.outcomes, "slot:negation")
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
    if ":" in by or _names_classes(outcomes, by):
        order = order[np.argsort(-mentions[order], kind="stable")]
    counts = {column: values[order] for column, values in counts.items()}
    scores = {
        key: np.broadcast_to(value, len(order))
        for key, value in outcomes.finish(counts, outcomes.config).items()
    }
    names = tuple(groups.names[number] for number in order)
    return Breakdown(by, names, counts, scores, outcomes, groups, order)


def _names_classes(outcomes: Outcomes, by: str) -> bool:
    classes = outcomes.challenge.class_slot
    return classes is not None and by == classes.word
