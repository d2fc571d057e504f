"""Compare systems within groups: by section, by length, by the value of a slot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from clineval.base.errors import InputError
from clineval.evaluation.analysis.groups import count_groups, find_groups
from clineval.evaluation.compare import compare_runs, take_testing
from clineval.evaluation.comparison import Comparison
from clineval.evaluation.evaluate import Evaluation, evaluate_systems, make_setup
from clineval.evaluation.runs import Runs
from clineval.formats.section_lines import Sections
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.scorable import Counts
from clineval.results.tables import Sheet, Table


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
            lambda: [
                ("group", *self._lines(whole)[0]),
                *((name, *row) for name, of in sheets.items() for row in self._lines(of)[1:]),
            ],
            f"{whole.heading}, by {self.by}",
            whole.signature,
            lambda: dict.fromkeys(note for sheet in sheets.values() for note in sheet.notes()),
        )

    def _tabulate(self, sheets: Mapping[str, Sheet]) -> Iterator[Table]:
        for tables in zip(*(sheet.tables() for sheet in sheets.values()), strict=True):
            named = zip(sheets, tables, strict=True)
            rows = tuple((f"{name}  {r[0]}", *r[1:]) for name, table in named for r in table.rows)
            yield Table(f"{tables[0].title}, by {self.by}", tables[0].columns, rows)

    @staticmethod
    def _lines(sheet: Sheet) -> list[Sequence[object]]:
        return list(sheet.lines() if sheet.lines else ())


def compare_groups(  # noqa: PLR0913 - as clineval.compare, and what groupings need
    module: str,
    systems: Mapping[str, object],
    references: object,
    by: str,
    *,
    train: Outcomes | None = None,
    sections: Sections | None = None,
    **options: Any,
) -> GroupedComparison:
    """Compare systems in each group of a corpus; the first system is the baseline.

    The arguments are those of ``clineval.compare``, with one run of each system, and of
    :func:`clineval.evaluation.analysis.groups.find_groups`.

    Raises:
        InputError: fewer than two systems, several runs, or an unknown grouping.

    Examples:
        >>> gold = [[{"spans": [[0, 4]], "cui": "C1", "negation": "yes"},
        ...          {"spans": [[9, 12]], "cui": "C1"}]]
        >>> found = {"a": [gold[0][:1]], "b": gold}
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     result = compare_groups("semeval15_task14", found, gold, "slot:negation")
        >>> recalls = {name: group.differences["b"]["strict_recall"]
        ...            for name, group in result.groups.items()}
        >>> {name: recall.value for name, recall in recalls.items()}
        {'yes': 0.0, 'no': 1.0}
    """
    if by == "document":
        raise InputError("a single document cannot be compared", remedy="Choose larger groups")
    if any(isinstance(of, Runs) and len(of) > 1 for of in systems.values()):
        raise InputError("comparing groups needs systems with one run each")
    single = {n: of[0] if isinstance(of, Runs) else of for n, of in systems.items()}
    testing = take_testing(options)
    evaluations = evaluate_systems(make_setup(module, **options), single, references)
    counted = {}
    for name, evaluation in evaluations.items():
        groups = find_groups(evaluation.outcomes, by, train=train, sections=sections)
        counted[name] = count_groups(evaluation.counts, evaluation.outcomes, groups)
    sizes: dict[str, float] = {}
    for name, counts in chain.from_iterable(of_system.items() for of_system in counted.values()):
        sizes[name] = max(sizes.get(name, 0), float(counts.table.sum()))
    if not sizes:
        raise InputError("there are no mentions, so there are no groups to compare")
    compared = {}
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        runs = {n: [of.get(name) or _zero(of, evaluations[n])] for n, of in counted.items()}
        compared[name] = compare_runs(runs, testing)
    return GroupedComparison(by, compared)


def _zero(groups: Mapping[str, Counts], evaluation: Evaluation) -> Counts:
    """Return zero counts for a group without mentions of a system."""
    like = next(iter(groups.values()), evaluation.counts)
    labels = None if like.labels is None else like.labels.empty()
    return replace(like, cells=np.zeros_like(like.cells), labels=labels)
