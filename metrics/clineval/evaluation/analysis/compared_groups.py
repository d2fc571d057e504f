"""Systems compared group by group: by section, by length, by the value of a slot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from clineval.base.errors import InputError
from clineval.evaluation.analysis.group_counts import GroupedComparison, count_groups, fill_groups
from clineval.evaluation.analysis.groups import find_groups
from clineval.evaluation.compare import compare_runs, take_testing
from clineval.evaluation.evaluate import evaluate_all
from clineval.evaluation.runs import Runs
from clineval.formats.section_lines import Sections
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.scores import Counts


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
    """Compare systems in each group of a corpus; the first one is the baseline.

    Args:
        module: the metric.
        systems: name to predictions, as in ``clineval.compare``; one run each.
        references: the gold standard.
        by: the grouping, as in :func:`clineval.evaluation.analysis.groups.find_groups`.
        train: for ``seen``.
        sections: for ``section``.
        options: as in ``clineval.compare``.

    Raises:
        InputError: less than two systems, several runs, no such grouping.

    Examples:
        >>> gold = [[{"spans": [[0, 4]], "cui": "C1", "negation": "yes"},
        ...          {"spans": [[9, 12]], "cui": "C1"}]]
        >>> found = {"a": [gold[0][:1]], "b": gold}
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     result = compare_groups("semeval15_task14", found, gold, "slot:negation")
        >>> {name: of.differences["b"]["strict_recall"].value for name, of in result.groups.items()}
        {'yes': 0.0, 'no': 1.0}
    """
    if by == "document":
        raise InputError("a single document cannot be compared", remedy="Choose larger groups")
    if any(isinstance(given, Runs) and len(given) > 1 for given in systems.values()):
        raise InputError("groups are compared of systems with one run each")
    single = {n: given[0] if isinstance(given, Runs) else given for n, given in systems.items()}
    testing = take_testing(options)
    evaluations = evaluate_all(module, single, references, **options)
    counted = []
    for evaluation in evaluations.values():
        groups = find_groups(evaluation.outcomes, by, train=train, sections=sections)
        counted.append(count_groups(evaluation.counts, evaluation.outcomes, groups))
    wholes = [evaluation.counts for evaluation in evaluations.values()]
    compared = {
        name: compare_runs(
            {
                system: [of_system.get(name) or _nothing(of_system, whole)]
                for system, of_system, whole in zip(single, counted, wholes, strict=True)
            },
            testing,
        )
        for name in fill_groups(counted)
    }
    return GroupedComparison(by, compared)


def _nothing(groups: Mapping[str, Counts], whole: Counts) -> Counts:
    """Return zero counts for a group of which a system has no mention."""
    like = next(iter(groups.values()), whole)
    return replace(like, table=np.zeros_like(like.table))
