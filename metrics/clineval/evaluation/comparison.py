"""Comparisons of systems, and their tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, Any

from clineval.base.errors import InputError, agree
from clineval.evaluation.runs import RunScore, runs_of
from clineval.results.methods import describe_methods
from clineval.results.paragraphs import Code, Methods, Sentence
from clineval.results.resampled import check_resampled
from clineval.results.scores import Score
from clineval.results.signature import Signature
from clineval.results.tables import Sheet, Table, as_text, format_interval, format_value
from clineval.stats.cautions import explain_few
from clineval.stats.significance import TESTS, correct_by_holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MCNEMAR, RUNS = "mcnemar", "runs"
"""Further tests: for accuracies, and for systems with several runs."""
_TESTS = {
    "ar": "approximate randomization",
    "bootstrap": "paired bootstrap",
    MCNEMAR: "McNemar's exact test",
    RUNS: "t test over documents and runs",
}
_DIFFERENCE = ("difference", "difference_low", "difference_high", "p", "p_holm", "exact", "method")
"""The names of the fields of a difference in spreadsheets."""
Corrected = Mapping[str, Mapping[str, float]]
"""Maps systems and scores to p, corrected for all of them."""
_SMALLEST = 0.0001  # with four decimals


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of a system from the baseline in one score.

    Args:
        value: the score of the system minus the score of the baseline.
        low: the lower bound of its interval, from resampled documents; None if it is undefined,
            as for a single document or cluster.
        high: the upper bound.
        p: the probability of a difference at least this large between equally good systems.
        p_holm: p, corrected by Holm's method for the number of systems.
        exact: whether p comes from all possible trials rather than from random trials.
        method: the method of the interval: ``percentile``, ``student`` or ``undefined``.
    """

    value: float
    low: float | None
    high: float | None
    p: float
    p_holm: float
    exact: bool
    method: str

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Both bounds; None if they are undefined."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A comparison of systems with a baseline.

    Args:
        scores: maps systems to their scores with intervals; the first system is the baseline.
        differences: maps each other system to its differences in all scores.
        test: ``ar``, ``bootstrap``, ``mcnemar``, or ``runs`` if a system has several runs.
        trials: the largest number of trials of the test.

    Examples:
        >>> from clineval import compare
        >>> gold = [[{"spans": [[k, k + 1]], "cui": "C1"}] for k in range(8)]
        >>> systems = {"A": gold[:2] + [[]] * 6, "B": gold[:7] + [[]]}
        >>> comparison = compare("semeval15_task14", systems, gold)
        >>> comparison.baseline, comparison.rank("strict_recall")
        ('A', {'B': 1, 'A': 2})
    """

    scores: Mapping[str, Score]
    differences: Mapping[str, Mapping[str, Difference]]
    test: str
    trials: int

    @property
    def baseline(self) -> str:
        """The name of the system that the others are compared with."""
        name, *_ = self.scores
        return name

    @property
    def compared(self) -> tuple[str, ...]:
        """The scores that were compared."""
        first = next(iter(self.differences.values()))
        return tuple(first)

    @property
    def headline(self) -> tuple[str, ...]:
        """The scores that are shown by default."""
        main = self.scores[self.baseline].headline
        return tuple(key for key in main if key in self.compared) or self.compared

    @property
    def signature(self) -> Signature:
        """The signature: the settings that the comparison depends on."""
        of_baseline = self.scores[self.baseline].signature
        settings = dict(of_baseline.settings)
        version = settings.pop("v")
        settings["test"] = self.test
        if self.test in TESTS:
            settings["trials"] = str(self.trials)
        if self.test == RUNS:
            settings["runs"] = ",".join(str(len(runs_of(s))) for s in self.scores.values())
        settings["v"] = version
        return replace(of_baseline, settings=settings)

    @property
    def dataset(self) -> str:
        """The name of the gold standard; empty if none is known."""
        return self.scores[self.baseline].dataset

    @property
    def signature_line(self) -> str:
        """The signature for people, with the name of the gold standard if it is known."""
        return self.signature.naming(self.dataset)

    @property
    def heading(self) -> str:
        """A line about the comparison: challenge, configuration, protocol and test."""
        trials = f", {self._trials}" if self._trials else ""
        return f"{self.scores[self.baseline].heading}; {_TESTS[self.test]}{trials}"

    @property
    def _trials(self) -> str:
        """The trials of the test in words; empty if it has none."""
        if self.test not in TESTS:
            return ""
        exact = {found.exact for of in self.differences.values() for found in of.values()}
        return "all possible trials" if exact == {True} else f"{self.trials} trials"

    def rank(self, key: str) -> dict[str, int]:
        """Rank the systems by a score, the best first; systems with equal scores share a rank.

        Args:
            key: the score.
        """
        measures = self.scores[self.baseline].challenge.measures
        sign = -1 if measures.is_lower_better(key) else 1
        values = {name: sign * score.values[key] for name, score in self.scores.items()}
        order = sorted(values, key=lambda name: -values[name])
        return {name: 1 + sum(v > values[name] for v in values.values()) for name in order}

    def choose_keys(self, keys: Sequence[str] = ()) -> Sequence[str]:
        """Choose the scores to show.

        Args:
            keys: the keys of scores, or ``["all"]``; if empty, the main scores.

        Raises:
            InputError: there is no score of that name.
        """
        known = self.compared
        if list(keys) == ["all"]:
            return list(known)
        baseline = next(iter(self.scores.values()))
        for key in keys:
            check_resampled(baseline.counts, key, known)
        if not known:
            raise InputError("there are no scores to compare, only counts")
        return keys or self.headline

    def correct_all(self, keys: Sequence[str]) -> dict[str, dict[str, float]]:
        """Correct p-values by Holm's method for the number of systems and scores together.

        Args:
            keys: the scores that are tested together.
        """
        places = [(name, key) for name in self.differences for key in keys]
        corrected = correct_by_holm([self.differences[name][key].p for name, key in places])
        found: dict[str, dict[str, float]] = {name: {} for name in self.differences}
        for (name, key), p in zip(places, corrected, strict=True):
            found[name][key] = p
        return found

    def sheet(self, keys: Sequence[str] = (), *, ranked: bool = False) -> Sheet:
        """Lay out the comparison for the writers of :mod:`clineval.results.tables`.

        Args:
            keys: the scores to show; if empty, the main scores.
            ranked: whether to list systems by score, the best first, rather than as given.
        """
        chosen = keys or self.headline
        corrected = self.correct_all(chosen)
        rows = {key: list(self._list_rows(key, corrected, ranked=ranked)) for key in chosen}
        signature = str(self.signature)
        return Sheet(
            lambda: [self._tabulate(rows[key], several=len(rows) > 1) for key in chosen],
            lambda: self._describe(chosen, corrected),
            lambda: [
                (*rows[chosen[0]][0], "signature"),
                *((*row.values(), signature) for key in chosen for row in rows[key]),
            ],
            self.heading,
            self.signature_line,
            lambda: explain_few({*chosen} & {k for s in self.scores.values() for k in s.few_units}),
            methods=lambda: self._describe_methods(chosen),
        )

    def _describe_methods(self, keys: Sequence[str]) -> Methods:
        """Describe how scores and differences were computed, for a paper."""
        more = [self._describe_test(), *self._describe_corrections(len(keys))]
        return describe_methods(self.scores[self.baseline], keys, more, self.signature)

    def _describe_test(self) -> Sentence:
        trials = f" ({self._trials})" if self._trials else ""
        systems = agree("{n} {system|systems}", len(self.differences))
        tested = f" were tested by {_TESTS[self.test]}{trials}."
        return f"Differences of {systems} from the baseline ", Code(self.baseline), tested

    def _describe_corrections(self, scores: int) -> Iterator[Sentence]:
        systems = len(self.differences)
        corrected = {
            f"the {systems} systems": systems > 1,
            f"all {systems * scores} comparisons": scores > 1,
        }
        for what, there in corrected.items():
            if there:
                yield (f"P-values were also corrected for {what} by Holm's method.",)

    def plot(self, keys: Sequence[str] = (), axes: Axes | None = None) -> Axes:
        """Draw the differences from the baseline with their intervals, one row for each score.

        Args:
            keys: the scores; if empty, the main scores.
            axes: the axes of matplotlib to draw on; if None, new axes that a notebook shows.

        Raises:
            InputError: an unknown score, or matplotlib is not installed.
        """
        from clineval.results.pictures.figures import finish_rows, shorten, show_axes
        from clineval.results.pictures.rows import Panel, Point, draw_panels

        rows: dict[str, dict[str, Point]] = {}
        for key in self.choose_keys(keys):
            rows[key] = {shorten(self.baseline): Point(0.0)}
            for name, of in self.differences.items():
                rows[key][shorten(name)] = Point(of[key].value, of[key].bounds)
        drawn = show_axes() if axes is None else axes
        draw_panels(drawn, [Panel("", rows)])
        drawn.axvline(0, color="0.4", linewidth=0.8, zorder=0)
        level = self.scores[self.baseline].confidence
        interval = f", {100 * level.level:g} % interval" if level else ""
        drawn.set_xlabel(f"difference from the baseline{interval}")
        if axes is None:
            finish_rows(drawn)
        return drawn

    def __repr__(self) -> str:
        return as_text(self.sheet())

    def _list_rows(
        self, key: str, corrected: Corrected, *, ranked: bool
    ) -> Iterator[dict[str, object]]:
        """Yield the results of each system for a score, by the columns of a spreadsheet."""
        ranks = self.rank(key)
        for name in ranks if ranked else self.scores:
            score, differences = self.scores[name], self.differences.get(name)
            low, high = score.bounds[f"{key}_low"], score.bounds[f"{key}_high"]
            found = asdict(differences[key]).values() if differences else [""] * len(_DIFFERENCE)
            yield {
                "score": key,
                "system": name,
                "value": score.values[key],
                "low": low,
                "high": high,
                "few_units": "yes" if key in score.few_units else "",
                "sd": score.deviations[key] if isinstance(score, RunScore) else "",
                "runs": len(runs_of(score)),
                "rank": ranks[name],
                **dict(zip(_DIFFERENCE, found, strict=True)),
                "p_holm_all": corrected[name][key] if differences else "",
            }

    def _tabulate(self, rows: Sequence[Mapping[str, Any]], *, several: bool) -> Table:
        """Tabulate one score, a row for each system. ``several`` adds p for all scores."""
        level = self.scores[self.baseline].confidence
        interval = f"{100 * level.level:g} %" if level else ""
        head = ("score", interval, "rank", "difference", interval, "p", "p (Holm)", "p (Holm, all)")
        shown = (*[True] * 6, len(self.differences) > 1, several)
        least = 1 / (self.trials + 1) if self.test in TESTS else 0.0
        cells = tuple(
            (name, *compress(rest, shown))
            for name, *rest in (
                _format_row(least, row, self.scores[row["system"]].shown[row["score"]])
                for row in rows
            )
        )
        return Table(rows[0]["score"], tuple(compress(head, shown)), cells)

    def _describe(self, keys: Sequence[str], corrected: Corrected) -> dict[str, object]:
        """Describe scores for programs. Each of the ``ranks`` begins with the best system."""
        score = self.scores[self.baseline]
        return {
            "metric": score.metric,
            "config": score.config,
            "protocol": score.protocol,
            "test": self.test,
            "baseline": self.baseline,
            "systems": {name: _list_values(score, keys) for name, score in self.scores.items()},
            "interval_methods": {
                name: {key: score.interval_methods[key] for key in keys}
                for name, score in self.scores.items()
            },
            "few_units": {
                name: [key for key in keys if key in score.few_units]
                for name, score in self.scores.items()
            },
            "ranks": {key: self.rank(key) for key in keys},
            "differences": {
                name: {key: {**asdict(of[key]), "p_holm_all": corrected[name][key]} for key in keys}
                for name, of in self.differences.items()
            },
            "signature": str(self.signature),
            **({"dataset": self.dataset} if self.dataset else {}),
        }


def _format_row(least: float, row: Mapping[str, Any], shown: float | None) -> tuple[str, ...]:
    """Format a row for people; ``least`` is the smallest p that random trials can show."""
    name, value = row["system"], format_value(shown)
    if row["runs"] > 1 and shown is not None:
        name, value = f"{name} ({row['runs']} runs)", f"{value} ± {row['sd']:.4f}"
    interval = _format_bounds(row["low"], row["high"], few=bool(row["few_units"]))
    measured = (name, value, interval, str(row["rank"]))
    if row["difference"] == "":
        return (*measured, "baseline", "", "", "", "")
    bounds = _format_bounds(row["difference_low"], row["difference_high"])
    bound = max(0.0 if row["exact"] else least, _SMALLEST)
    ps = (row["p"], row["p_holm"], row["p_holm_all"])
    words = (f"{p:.4f}" if p > bound else f"< {bound:.4f}" for p in ps)
    return (*measured, f"{row['difference']:+.4f}", bounds, *words)


def _format_bounds(low: float | None, high: float | None, *, few: bool = False) -> str:
    return format_interval(None if low is None or high is None else (low, high), few=few)


def _list_values(score: Score, keys: Sequence[str]) -> dict[str, float | None]:
    values: dict[str, float | None] = {}
    bounds = score.bounds
    for key in keys:
        ends = {name: bounds[name] for name in (f"{key}_low", f"{key}_high")}
        values |= {key: score.values[key], **ends}
        if isinstance(score, RunScore):
            values[f"{key}_sd"] = score.deviations[key]
    return values | ({"runs": len(score.runs)} if isinstance(score, RunScore) else {})
