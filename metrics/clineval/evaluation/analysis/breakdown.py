"""Breakdowns: the counts and scores of groups of a corpus. Counts add up to the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clineval.base.arrays import FloatArray, IntArray
from clineval.base.errors import InputError
from clineval.base.ratios import Number, is_empty, marking_empty, unmark
from clineval.evaluation.analysis.groups import Groups, count_groups, find_groups
from clineval.formats.section_lines import Sections
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.grids import short_of
from clineval.results.match import Match
from clineval.results.measures import find_empty
from clineval.results.scores import Score
from clineval.results.tables import Sheet, Table, format_value
from clineval.stats.cautions import explain_few


@dataclass(frozen=True, slots=True, eq=False)
class Breakdown:
    """Counts and scores of each group.

    Args:
        by: the grouping.
        names: the names of the ``g`` groups, the largest first, except that documents and lengths
            keep their own order.
        counts: maps columns of the counts to ``[g]``.
        marked: maps keys of scores to ``[g]``, with marks at scores without a denominator
            (:func:`~clineval.base.ratios.marking_empty`).
        outcomes: the outcomes that were grouped.
        groups: the group of every mention, as numbers before ``order`` is applied.
        order: ``[g]``, the number of each group.
        sure: maps groups to their scores with intervals; empty without intervals.
    """

    by: str
    names: tuple[str, ...]
    counts: Mapping[str, FloatArray]
    marked: Mapping[str, FloatArray]
    outcomes: Outcomes
    groups: Groups
    order: IntArray
    sure: Mapping[str, Score] = field(default_factory=dict)

    def rows(self, column: str, name: str) -> tuple[Match, IntArray]:
        """Find the match and the rows that a group's count, such as ``strict_fp``, counts."""
        match = next(m for m in self.outcomes.matches.values() if column in m.columns)
        rows = match.rows(column)
        group = match.choose(self.groups.gold, self.groups.prediction)[rows]
        return match, rows[group == self.order[self.names.index(name)]]

    @property
    def scores(self) -> Mapping[str, FloatArray]:
        """Map keys to ``[g]``; a score without a denominator is 0."""
        return {key: unmark(values) for key, values in self.marked.items()}

    @property
    def values(self) -> dict[str, dict[str, float | int | None]]:
        """Map groups to their scores; counts are integers, undefined scores are None."""
        coefficients = self.outcomes.measures.coefficients
        columns = {
            key: [int(value) for value in values] if key in self.counts else values.tolist()
            for key, values in self.scores.items()
        }
        return {
            name: {key: column[at] for key, column in columns.items()}
            | dict.fromkeys(find_empty(self._mark_group(at), coefficients))
            | (self.sure[name].bounds if self.sure else {})
            for at, name in enumerate(self.names)
        }

    def _mark_group(self, at: int) -> Mapping[str, float]:
        """Return the marked scores of a group."""
        return {key: float(values[at]) for key, values in self.marked.items()}

    def table(self, most: int | None = None, main: Sequence[str] = ()) -> Table:
        """Tabulate the groups: counts, F1 and the main scores, or all scores if there is no F1.

        At most ``most`` groups are shown; the title states the number of others. ``main`` has the
        main scores, if options add any.
        """
        usual = self.outcomes.challenge.measures.headline
        headline = dict.fromkeys((*usual, *main)) if usual else {}
        short = short_of(self.scores, list(self.counts), headline)
        keys = tuple(key for key in dict.fromkeys((*short, *headline)) if key in self.scores)
        rows: list[tuple[str, ...]] = []
        for at, (name, scores) in enumerate(list(self.values.items())[:most]):
            marks = (is_empty(self.marked[key][at]) for key in keys)
            shown = (None if mark else scores[key] for key, mark in zip(keys, marks, strict=True))
            rows.append((name, *map(format_value, shown)))
            score = self.sure.get(name)
            if score and score.confidence:
                bounds = map(score.format_interval, keys)
                rows.append((f"  {100 * score.confidence.level:g} %", *bounds))
        more = 0 if most is None else max(0, len(self.names) - most)
        title = f"By {self.by}" + (f", and {more} smaller groups" if more else "")
        return Table(title, keys, tuple(rows))

    def sheet(self, whole: Score, most: int | None = None) -> Sheet:
        """Lay out the groups, with the signature of the whole."""
        signature = str(whole.signature)
        methods = {name: score.interval_methods for name, score in self.sure.items()}
        few = {name: score.few_units for name, score in self.sure.items()}
        return Sheet(
            lambda: [self.table(most, whole.headline)],
            lambda: {
                "metric": self.outcomes.challenge.name,
                "config": self.outcomes.config,
                "by": self.by,
                "groups": self.values,
                **({"interval_methods": methods, "few_units": few} if methods else {}),
                "signature": signature,
                **({"dataset": whole.dataset} if whole.dataset else {}),
            },
            lambda: list(self._list(signature)),
            signature=whole.signature_line,
            notes=lambda: explain_few([key for marked in few.values() for key in marked]),
        )

    def _list(self, signature: str) -> Iterator[Sequence[object]]:
        """Yield the lines of a spreadsheet. With intervals, a column lists scores on few units."""
        marked = ("few_units",) if self.sure else ()
        yield "group", *next(iter(self.values.values()), self.scores), *marked, "signature"
        for name, scores in self.values.items():
            few = (" ".join(self.sure[name].few_units),) if self.sure else ()
            yield name, *scores.values(), *few, signature


def add_intervals(breakdown: Breakdown, whole: Score) -> Breakdown:
    """Add intervals to the groups, computed as for the whole; a document has no interval."""
    if breakdown.by == "document":
        raise InputError("a single document has no interval", remedy="Choose larger groups")
    counts = count_groups(whole.counts, breakdown.outcomes, breakdown.groups)
    sure = {name: Score(counts[name], whole.confidence) for name in breakdown.names}
    return replace(breakdown, sure=sure)


def break_down(
    outcomes: Outcomes, by: str, *, train: Outcomes | None = None, sections: Sections | None = None
) -> Breakdown:
    """Count and score the groups of a corpus; the arguments are those of ``find_groups``.

    Groups without mentions are left out. :func:`add_intervals` adds intervals.

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
    mentions: FloatArray = np.zeros(size)
    for match in outcomes.matches.values():
        group = match.choose(groups.gold, groups.prediction)
        counts |= match.tally(group, size)
        mentions = np.maximum(mentions, np.bincount(group, minlength=size))
    order = np.flatnonzero(mentions)
    classes = outcomes.kind.class_slot
    if ":" in by or (classes is not None and by == classes.word):
        order = order[np.argsort(-mentions[order], kind="stable")]
    counts = {column: values[order] for column, values in counts.items()}
    with marking_empty():
        found = dict(outcomes.finish(counts, outcomes.config))
        found |= _score_labels(outcomes, groups, order)
    scores = {key: np.broadcast_to(value, len(order)) for key, value in found.items()}
    names = tuple(groups.names[number] for number in order)
    return Breakdown(by, names, counts, scores, outcomes, groups, order)


def _score_labels(outcomes: Outcomes, groups: Groups, order: IntArray) -> Mapping[str, Number]:
    """Compute the scores of groups that need labels."""
    if not outcomes.label_match:
        return {}
    match = outcomes.matches[outcomes.label_match]
    labels = outcomes.list_labels(match.choose(groups.gold, groups.prediction), len(groups.names))
    return outcomes.measures.finish_labels(labels, labels.eye()[order], outcomes.config)
