"""Scores, computed from counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from clineval.base.errors import agree, warn
from clineval.base.ratios import is_empty, marking_empty, unmark
from clineval.base.subjects import about
from clineval.base.version import __version__
from clineval.results.challenge import Challenge
from clineval.results.counts import READ
from clineval.results.described import Described
from clineval.results.grids import lay_out, lay_out_documents, short_of
from clineval.results.known.names import recognise
from clineval.results.lookup import Lookup
from clineval.results.measures import Grid, Measures, find_empty
from clineval.results.signature import Signature
from clineval.results.tables import Sheet, Table, as_html, as_text, format_interval
from clineval.stats import cautions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clineval.results.paragraphs import Methods
    from clineval.results.scorable import Counts
    from clineval.stats.confidence import Confidence, Interval
    from clineval.stats.curves import Trace


@dataclass(frozen=True, eq=False)
class Score(Lookup):
    """The scores of a system, with the counts from which they are computed.

    Args:
        counts: the counts.
        confidence: how intervals are computed; None for no intervals.
        system: the system's name in warnings, if there are several; otherwise empty.
        asked: the scores to warn about; ``all`` alone for all, empty for the main scores.

    Examples:
        >>> import clineval
        >>> mention = {"spans": [[4, 15]], "cui": "C0344720"}
        >>> score = clineval.score("semeval15_task14", [[mention]], [[mention]], config="task1")
        >>> score["strict_f1"], "strict_f1" in score, score.get("f1"), len(dict(score))
        (1.0, True, None, 13)
    """

    counts: Counts
    confidence: Confidence | None = None
    system: str = ""
    asked: tuple[str, ...] = ()

    @property
    def challenge(self) -> Challenge:
        """The challenge."""
        return self.counts.challenge

    @property
    def metric(self) -> str:
        """The challenge's module name."""
        return self.counts.metric

    @property
    def config(self) -> str:
        """The configuration."""
        return self.counts.config

    @property
    def protocol(self) -> str:
        """The name of the protocol."""
        return self.counts.settings["protocol"]

    @cached_property
    def dataset(self) -> str:
        """The name of the gold standard, such as ``meddocan19/test``; empty if none is known."""
        return recognise(self.challenge, self.config, self.protocol, self.counts.digests)

    @cached_property
    def values(self) -> Mapping[str, float | int]:
        """Key to score; counts are integers, all other values are floats.

        A ratio without a denominator is 0.0. Scores that are :attr:`undefined` are left out.
        """
        values = {key: of for key, of in self._marked.items() if key not in self.undefined}
        return {**self._plain(values), "n_documents": len(self.counts)}

    @cached_property
    def undefined(self) -> tuple[str, ...]:
        """The scores that the corpus does not define, such as an area or kappa of one class.

        They are None in :meth:`as_dict` and ``null`` in JSON.
        """
        keys = self._measures.find_undefined(self._marked, self.counts.labels)
        with about(self.system):
            missing = [key for key in keys if key not in self._marked]
            warn("{n} {score is|scores are} undefined: {names}", missing)
        return keys

    @cached_property
    def shown(self) -> Mapping[str, float | int | None]:
        """The values for tables: None if a score has no denominator or is :attr:`undefined`."""
        return {**self.values, **dict.fromkeys((*_list_empty(self._marked), *self.undefined))}

    @cached_property
    def _marked(self) -> Mapping[str, float]:
        """All scores and counts, with marks at scores without a denominator."""
        with marking_empty():
            found = self.counts.follow(self.counts.totals)
        return {key: float(value) for key, value in found.items()}

    @property
    def intervals(self) -> Mapping[str, tuple[float, float]]:
        """Key to the lower and upper bound, for all scores except counts.

        Empty without :attr:`confidence`, and if there is only one document or cluster, because
        intervals are then undefined.
        """
        return {key: of for key, found in self._found.items() if (of := found.bounds)}

    @property
    def interval_methods(self) -> Mapping[str, str]:
        """Key to the method of its interval, such as ``binomial``; see :attr:`intervals`."""
        return {key: found.method for key, found in self._found.items()}

    @cached_property
    def few_units(self) -> tuple[str, ...]:
        """The scores whose intervals rest on few units with hits, or on few units with errors.

        Units are documents or clusters, and few means fewer than 10
        (:mod:`clineval.stats.cautions`). Empty without :attr:`confidence`.
        """
        return tuple(cautions.find_weak(self._found, self._found))

    @cached_property
    def _found(self) -> Mapping[str, Interval]:
        if self.confidence is None:
            return {}
        from clineval.results.resampled import enclose_scores
        from clineval.stats.confidence import NO_INTERVAL
        from clineval.stats.units import make_units

        counts = self.counts
        names = counts.documents
        clusters = self.confidence.clusters
        units = make_units(names, counts.digests, counts.rows, clusters, counts.order)
        parts = self._measures.list_parts(self.values)
        intervals = dict(cautions.mark_means(enclose_scores(counts, units, self.confidence), parts))
        intervals |= dict.fromkeys(intervals.keys() & {*self.undefined}, NO_INTERVAL)
        weak = cautions.find_weak(
            cautions.choose_asked(self.asked, self.headline, intervals), intervals
        )
        if not clusters:
            cautions.warn_of_patients(names)
        clustered = clusters is not None
        cautions.warn_of_little(len(units), weak, clustered=clustered, system=self.system)
        return intervals

    def format_interval(self, key: str) -> str:
        """Format the interval of a score; empty if it has none, a dash if it is not shown.

        Args:
            key: the score.
        """
        found = self._found.get(key)
        return format_interval(self.shown_bounds[key], few=found.rare) if found else ""

    @cached_property
    def shown_bounds(self) -> Mapping[str, tuple[float, float] | None]:
        """The intervals for tables: None if one is undefined, or its score has no denominator."""
        known = {key for key, value in self.shown.items() if value is not None}
        return {key: of.bounds if key in known else None for key, of in self._found.items()}

    @property
    def described_intervals(self) -> Described:
        """The methods of intervals, and the intervals that rest on few units, for programs."""
        if not self.confidence:
            return {}
        return {
            "interval_methods": dict(self.interval_methods),
            "few_units": list(self.few_units),
        }

    @property
    def bounds(self) -> dict[str, float | None]:
        """The intervals as ``<key>_low`` and ``<key>_high``; None where they are undefined."""
        named = ((f"{key}_low", f"{key}_high") for key in self._found)
        ends = (found.bounds or (None, None) for found in self._found.values())
        return dict(zip(chain(*named), chain(*ends), strict=True))

    @property
    def numbers(self) -> dict[str, float | None]:
        """The values and the bounds of intervals; None where they are undefined."""
        return {**self.values, **dict.fromkeys(self.undefined), **self.bounds}

    @property
    def _measures(self) -> Measures:
        """The scores of the protocol and the options."""
        return self.challenge.measures.under(self.counts.settings)

    @property
    def headline(self) -> tuple[str, ...]:
        """The main scores of the challenge; all scores if it names none."""
        scores = [key for key in self.values if key not in (*self.counts.columns, "n_documents")]
        return tuple(key for key in self._measures.headline if key in scores) or tuple(scores)

    @cached_property
    def per_document(self) -> list[dict[str, Any]]:
        """A row for each document: its name, its scores, and further fields of the challenge.

        Scores that the document does not define, such as kappa, are None.
        """
        details: Iterable[Mapping[str, object]] = self.counts.details or repeat({})
        names, each = self._measures.coefficients, self._marked_documents
        plain = ({**self._plain(of), **dict.fromkeys(find_empty(of, names))} for of in each)
        rows = zip(self.counts.documents, plain, details, strict=False)
        return [{"document": name, **row, **detail} for name, row, detail in rows]

    @property
    def shown_documents(self) -> list[dict[str, object]]:
        """The rows of :attr:`per_document` for tables: None if a score has no denominator."""
        rows = zip(self.per_document, map(_list_empty, self._marked_documents), strict=True)
        return [{**row, **dict.fromkeys(empty)} for row, empty in rows]

    @cached_property
    def _marked_documents(self) -> Sequence[Mapping[str, float]]:
        """The scores and counts of each document, with marks as in :attr:`_marked`."""
        with marking_empty():
            values = self.counts.finish_each()
        rows = zip(*(value.tolist() for value in values.values()), strict=True)
        return [dict(zip(values, row, strict=True)) for row in rows]

    @property
    def signature(self) -> Signature:
        """The settings that affect the scores."""
        corpus = {"docs": str(len(self.counts)), "refs": self.counts.references}
        drawn = self.confidence.describe(self.counts.documents) if self.confidence else {}
        settings = {**self.counts.settings, **corpus, **drawn, "v": __version__}
        return Signature(self.metric, self.config, settings)

    @property
    def signature_line(self) -> str:
        """The signature for people, with the name of the gold standard if it is known."""
        return self.signature.naming(self.dataset)

    def as_dict(self, *, per_document: bool = False, numbers_only: bool = False) -> dict[str, Any]:
        """Return the flat dict that the evaluate modules return.

        Args:
            per_document: whether to add a list with a row of scores for each document.
            numbers_only: whether to leave out the signature and the documents, so that all values
                are numbers, as MLflow, TensorBoard and Lightning need them.
        """
        result: dict[str, object] = {**self.numbers}
        if numbers_only:
            return {key: value for key, value in result.items() if value is not None}
        result["signature"] = str(self.signature)
        if self.dataset:
            result["dataset"] = self.dataset
        if per_document:
            result["per_document"] = self.per_document
        return result

    @property
    def curves(self) -> Mapping[str, Trace]:
        """The curves whose areas are scores, by name; empty if there are none."""
        labels = self.counts.weighed
        return self.challenge.measures.trace_curves(labels) if labels else {}

    @property
    def heading(self) -> str:
        """A line that names the challenge, the settings and the number of documents."""
        documents = agree("{n} {document|documents}", len(self.counts))
        return f"{self.challenge.task.title}, {self.config}, protocol {self.protocol}, {documents}"

    @property
    def tables(self) -> list[Table]:
        """The scores, as the challenge lays them out."""
        level = self.confidence.level if self.confidence else None
        answer_rows = {key: (key,) for key in self.counts.columns if key.startswith(READ)}
        grids = (
            *self._measures.grids,
            *([Grid("Answers", ("count",), answer_rows)] if answer_rows else ()),
        )
        return list(lay_out(grids, self.shown, self.shown_bounds, level, self.few_units))

    @property
    def documents_table(self) -> Table:
        """A row for each document: counts and F1, unless the challenge chooses others."""
        short = short_of(self.values, self.counts.columns, self._measures.headline)
        shown = self._measures.shown_per_document or short
        return lay_out_documents(self.shown_documents, shown)

    def sheet(self, *, per_document: bool = False) -> Sheet:
        """Return the scores for the writers of tables.

        Args:
            per_document: whether to include the scores of each document.
        """
        return Sheet(
            lambda: [*self.tables, *([self.documents_table] if per_document else [])],
            partial(self.describe, per_document=per_document),
            partial(self._list, per_document=per_document),
            self.heading,
            self.signature_line,
            lambda: cautions.explain_few(self.few_units),
            methods=lambda: describe_score(self, self.headline),
        )

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the scores, a row for each label or slot, with intervals if there are any.

        The plot has the rows of :attr:`tables`. If there are very many, only the first tables are
        drawn, and the axis shows the number of the others.

        Args:
            axes: matplotlib axes; None for new axes, which a notebook shows.

        Raises:
            InputError: matplotlib is not installed.
        """
        from clineval.results.pictures.figures import finish_rows, show_axes
        from clineval.results.pictures.rows import choose_panels, draw_panels, list_panels

        grids = self._measures.grids
        panels = list(list_panels(grids, self.shown, self.intervals, self.counts.columns))
        shown = choose_panels(panels)
        drawn = show_axes() if axes is None else axes
        draw_panels(drawn, shown)
        interval = f", {100 * self.confidence.level:g} % interval" if self.confidence else ""
        left = len(panels) - len(shown)
        more = agree("; {n} further {table is|tables are} not drawn", left) if left else ""
        drawn.set(xlabel=f"score{interval}{more}", xlim=(-0.02, 1.02))
        if axes is None:
            finish_rows(drawn)
        return drawn

    def describe(self, *, per_document: bool = False) -> Described:
        """Return the scores for JSON; with ``per_document`` also the scores of each document."""
        described: Described = {"metric": self.metric, "config": self.config}
        scores = self.numbers
        described |= {"protocol": self.protocol, "scores": scores}
        described |= self.described_intervals
        if undefined := [key for key, value in scores.items() if value is None]:
            described["undefined"] = undefined
        described["signature"] = str(self.signature)
        if self.dataset:
            described["dataset"] = self.dataset
        if per_document:
            described["per_document"] = self.per_document
        return described

    def _list(self, *, per_document: bool) -> list[Sequence[object]]:
        if not per_document:
            return list(self._list_values())
        keys = ["document", *(key for key in self.values if key != "n_documents")]
        return [keys, *([row[key] for key in keys] for row in self.per_document)]

    def _list_values(self) -> Iterator[Sequence[object]]:
        """Yield keys and values; with intervals the third column marks few units."""
        if not self.confidence:
            yield from [("key", "value"), *self.as_dict().items()]
            return
        yield "key", "value", "few_units"
        for key, value in self.as_dict().items():
            yield key, value, "yes" if key in self.few_units else ""

    def __repr__(self) -> str:
        return as_text(self.sheet())

    def _repr_html_(self) -> str:
        return as_html(self.sheet())

    def _plain(self, row: Mapping[str, Any]) -> dict[str, float]:
        """Return whole counts as integers, and scores without marks; sums of weights are floats."""
        columns = self.counts.columns
        return {
            key: int(value) if key in columns and value % 1 == 0 else unmark(value)
            for key, value in row.items()
        }


def _list_empty(marked: Mapping[str, float]) -> list[str]:
    """Return the keys of the scores without a denominator."""
    return [key for key, value in marked.items() if is_empty(value)]


def describe_score(score: Score, keys: Sequence[str]) -> Methods:
    """Describe how scores were computed, for a paper.

    Args:
        score: the scores.
        keys: the keys of the scores that the paper reports.
    """
    from clineval.results.methods import describe_methods  # only papers need it

    return describe_methods(score, keys)
