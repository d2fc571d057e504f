"""Counts of groups, document by document: what their intervals and tests need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import FloatArray, find_first
from clineval.base.errors import InputError
from clineval.evaluation.analysis.groups import Groups
from clineval.evaluation.comparison import Comparison
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.scores import Counts
from clineval.results.tables import Sheet, Table


def count_groups(counts: Counts, outcomes: Outcomes, groups: Groups) -> dict[str, Counts]:
    """Count each group that occurs; all have all documents of the whole corpus."""
    size = len(outcomes.documents)
    places = {
        name: match.choose(groups.gold, groups.prediction).astype(np.int64) * size
        + outcomes.documents_of(match)
        for name, match in outcomes.matches.items()
    }
    occupied = np.unique(np.concatenate([*places.values(), np.zeros(0, np.int64)]))
    columns: dict[str, FloatArray] = {}
    for name, match in outcomes.matches.items():
        columns |= match.tally(np.searchsorted(occupied, places[name]), len(occupied))
    filled = np.column_stack([*columns.values()])
    measures = replace(outcomes.challenge.measures, finish=outcomes.finish)
    challenge = replace(outcomes.challenge, measures=measures)
    whole = replace(counts, challenge=challenge, columns=tuple(columns), details=())
    edges = find_first(occupied, np.arange(len(groups.names) + 1) * size)
    found = {}
    for number, name in enumerate(groups.names):
        rows = slice(edges[number], edges[number + 1])
        if rows.start < rows.stop:
            table = np.zeros((size, len(columns)))
            table[occupied[rows] - number * size] = filled[rows]
            found[name] = replace(whole, table=table)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class GroupedComparison:
    """The comparison of the systems in each group."""

    by: str
    groups: Mapping[str, Comparison]

    def choose_keys(self, keys: Sequence[str] = ()) -> Sequence[str]:
        """Choose the scores to show, as :meth:`Comparison.choose_keys` does."""
        return next(iter(self.groups.values())).choose_keys(keys)

    def sheet(self, keys: Sequence[str] = (), *, ranked: bool = False) -> Sheet:
        """Lay out the comparison of every group, as :meth:`Comparison.sheet` does."""
        sheets = {name: of.sheet(keys, ranked=ranked) for name, of in self.groups.items()}
        whole = next(iter(sheets.values()))
        return Sheet(
            lambda: self._tabulate(sheets),
            lambda: {
                "by": self.by,
                "groups": {name: sheet.data() for name, sheet in sheets.items()},
            },
            lambda: self._list(sheets),
            f"{whole.heading}, by {self.by}",
            whole.signature,
        )

    def _tabulate(self, sheets: Mapping[str, Sheet]) -> Iterator[Table]:
        named = {name: sheet.tables() for name, sheet in sheets.items()}
        for tables in zip(*named.values(), strict=True):
            rows = [
                (f"{name}  {row[0]}", *row[1:])
                for name, table in zip(named, tables, strict=True)
                for row in table.rows
            ]
            yield Table(f"{tables[0].title}, by {self.by}", tables[0].columns, tuple(rows))

    @staticmethod
    def _list(sheets: Mapping[str, Sheet]) -> Iterator[Sequence[object]]:
        for number, (name, sheet) in enumerate(sheets.items()):
            head, *rows = sheet.lines()  # type: ignore[misc]
            if not number:
                yield ("group", *head)
            yield from ((name, *row) for row in rows)


def fill_groups(systems: Sequence[Mapping[str, Counts]]) -> list[str]:
    """List the groups that any system has, in order of their size; none are refused."""
    mentions: dict[str, float] = {}
    for of_system in systems:
        for name, counts in of_system.items():
            mentions[name] = max(mentions.get(name, 0), float(counts.table.sum()))
    if not mentions:
        raise InputError("no mentions, so no groups to compare")
    return sorted(mentions, key=lambda name: -mentions[name])
