"""The measures of a challenge: all its scores, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.base.ratios import Columns, Number, Totals, is_empty
from clineval.results.grid import Grid as Grid  # noqa: PLC0414 - importable from here too
from clineval.results.grid import unite_grids
from clineval.results.measure import Measure as Measure  # noqa: PLC0414 - importable from here too
from clineval.results.views import ItemCheck, PairCheck, Preset

if TYPE_CHECKING:  # few scores need labels
    from clineval.results.label_rows import LabelRows
    from clineval.stats.curves import Trace

T = TypeVar("T")
SPEC = "spec"
"""The protocol of the definition."""
_SPARSE, _AT_ONCE = 10, 64
"""Weights of single documents are mostly 0: then some rows at once need few labels."""
Finish = Callable[[Totals, str], dict[str, Number]]
"""Computes the scores of one configuration from totals, numbers or arrays of equal length."""


@dataclass(frozen=True, slots=True)
class Measures:
    """The scores of a challenge, and how they are shown: see :meth:`of`.

    Args:
        each: the measures.
        finish: turns totals (column to a number or ``[n]``) into scores (key to a number or
            ``[n]``). It also returns the counts to show, under the names of their columns.
        grids: how the scores are laid out as tables.
        ranking: configuration to the keys of the scores that rank systems, weighted equally;
            ``default`` applies to all other configurations. In training these scores choose the
            model.
        headline: keys of the main scores, for comparisons and groups; if empty, all scores. Keys
            that a configuration lacks are skipped.
        shown_per_document: keys of the scores that a table of documents shows; if empty, the counts
            and F1, or all scores if there is no F1.
        layouts: name to the function that writes a score in a layout of the challenge's own, for
            ``--format``; it takes a :class:`~clineval.Score` and ``per_document``.
        protocols: protocol to its measures, if they are not these.

    Examples:
        >>> from clineval.results.formulas import Prf
        >>> measures = Measures.of(Prf("strict"))
        >>> totals = {"strict_tp": 1, "strict_fp": 0, "strict_fn": 1}
        >>> measures.headline, measures.finish(totals, "default")["strict_recall"]
        (('strict_f1',), 0.5)
    """

    each: tuple[Measure, ...]
    finish: Finish
    grids: tuple[Grid, ...]
    ranking: Mapping[str, tuple[str, ...]]
    headline: tuple[str, ...]
    shown_per_document: tuple[str, ...]
    layouts: Mapping[str, Callable[..., str]]
    protocols: Mapping[str, Measures] = field(default_factory=dict)

    @property
    def less_is_better(self) -> tuple[str, ...]:
        """The scores that are better if they are lower, without the label before the key."""
        others = _flatten(measures.each for measures in self.protocols.values())
        return _merge(measure.less_is_better for measure in (*self.each, *others))

    def is_lower_better(self, key: str) -> bool:
        """Return whether a score is better if it is lower.

        Args:
            key: the key of the score; a label may stand before it.
        """
        return _ends(key, self.less_is_better)

    @property
    def coefficients(self) -> tuple[str, ...]:
        """The scores that are undefined without a denominator, without the label before the key."""
        return _merge(measure.coefficients for measure in self.each)

    @property
    def signed(self) -> tuple[str, ...]:
        """The columns of the counts that may be negative."""
        return _flatten(measure.signed for measure in self.each)

    @property
    def checks(self) -> tuple[PairCheck, ...]:
        """The scores that a page of pairs recounts."""
        return _flatten(measure.checks() for measure in self.each)

    @property
    def presets(self) -> tuple[Preset, ...]:
        """The choices that a page of pairs offers."""
        return _flatten(measure.presets() for measure in self.each)

    @property
    def item_checks(self) -> tuple[ItemCheck, ...]:
        """The scores that a page of items recounts."""
        return _flatten(measure.item_checks() for measure in self.each)

    def complete(self, counted: Columns, config: str) -> Columns:
        """Add the further columns that the measures need to the counts of documents.

        Args:
            counted: name of a count to ``[documents]``.
            config: the name of the configuration.
        """
        added = (measure.complete(counted, config).items() for measure in self.each)
        return {**counted, **dict(_flatten(added))}

    def under(self, settings: Mapping[str, str]) -> Measures:
        """Return the measures for the settings of a signature, such as a chosen beta.

        Args:
            settings: the options that affect the numbers, with their values; and the protocol.
        """
        chosen = self.of_protocol(settings.get("protocol", ""))
        if chosen is not self:
            return chosen.under(settings)
        each = tuple(measure.under(settings) for measure in self.each)
        if all(new is old for new, old in zip(each, self.each, strict=True)):
            return self
        usual, own = (_flatten(measure.headline for measure in of) for of in (self.each, each))
        headline = own if self.headline == usual else self.headline
        grids = _lay_out(each) if self.grids == _lay_out(self.each) else self.grids
        finish = partial(_finish, each)
        return replace(self, each=each, finish=finish, grids=grids, headline=headline)

    def list_parts(self, scores: Mapping[str, Number]) -> dict[str, Sequence[str]]:
        """Map the key of each mean over labels to the keys of the scores that it averages."""
        found = chain.from_iterable(of.list_parts(scores).items() for of in self.each)
        return {mean: parts for mean, parts in found if mean in scores}

    def rank_by(self, config: str) -> tuple[str, ...]:
        """Return the keys of the scores that rank systems in a configuration.

        Args:
            config: the name of the configuration.
        """
        return self.ranking.get(config) or self.ranking.get("default") or self.headline[:1]

    def finish_labels(
        self, labels: LabelRows, weights: FloatArray, config: str
    ) -> dict[str, Number]:
        """Compute the scores of all measures that need labels.

        Args:
            labels: the labels of documents.
            weights: ``[n, width]``, how often each document counts in each of ``n`` corpora.
            config: the configuration.
        """
        if np.count_nonzero(weights) * _SPARSE > weights.size or len(weights) <= _AT_ONCE:
            return self._finish_block(labels, weights, config)
        starts = range(0, len(weights), _AT_ONCE)
        blocks = [labels.narrow(weights[at : at + _AT_ONCE]) for at in starts]
        parts = [self._finish_block(*block, config) for block in blocks]
        return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}

    def needs(self, labels: LabelRows) -> bool:
        """Return whether any score needs the labels.

        Args:
            labels: the labels of documents.
        """
        return any(measure.needs(labels) for measure in self.each)

    def trace_curves(self, labels: LabelRows) -> dict[str, Trace]:
        """Return the curves whose areas are scores, by name.

        Args:
            labels: the labels of documents.
        """
        return dict(
            chain.from_iterable(measure.trace_curves(labels).items() for measure in self.each)
        )

    def find_undefined(
        self, marked: Mapping[str, float], labels: LabelRows | None
    ) -> tuple[str, ...]:
        """Return the scores that a corpus does not define, such as kappa if there is one class.

        Args:
            marked: the scores, with marks at those without a denominator
                (:func:`~clineval.base.ratios.marking_empty`).
            labels: the labels of documents; None if there are none.
        """
        empty = find_empty(marked, self.coefficients)
        if labels is not None:
            empty += _flatten(measure.find_undefined(labels) for measure in self.each)
        return tuple(empty)

    def _finish_block(
        self, labels: LabelRows, weights: FloatArray, config: str
    ) -> dict[str, Number]:
        scores: dict[str, Number] = {}
        for measure in self.each:
            scores |= measure.finish_labels(labels, weights, config)
        return scores

    @property
    def short_names(self) -> dict[str, str]:
        """Key to the name in spaCy's training table, without the challenge's prefix."""
        return dict(chain.from_iterable(of.short_names.items() for of in self.each))

    @classmethod
    def of(
        cls,
        *measures: Measure,
        ranking: Mapping[str, tuple[str, ...]] | None = None,
        headline: tuple[str, ...] = (),
        shown_per_document: tuple[str, ...] | None = None,
        layouts: Mapping[str, Callable[..., str]] | None = None,
    ) -> Measures:
        """Combine measures; further arguments replace the values that follow from the measures.

        Systems are ranked by the first score of the first measure.

        Args:
            measures: the measures, the main one first.
            ranking: see :class:`Measures`, also for the other arguments.
            headline: the keys of the main scores.
            shown_per_document: the keys that a table of documents shows.
            layouts: layouts of the challenge's own.
        """
        main = _flatten(measure.headline for measure in measures)
        shown = _flatten(measure.shown_per_document for measure in measures)
        return cls(
            measures,
            partial(_finish, measures),
            _lay_out(measures),
            {"default": main[:1]} if ranking is None else ranking,
            headline or main,
            shown if shown_per_document is None else shown_per_document,
            layouts or {},
        )

    def of_protocol(self, protocol: str) -> Measures:
        """Return the measures of a protocol.

        Args:
            protocol: the name of the protocol.
        """
        return self.protocols.get(protocol, self)

    def with_protocols(self, others: Mapping[str, Measures]) -> Measures:
        """Return a copy with other measures for some protocols, and with the tables of all.

        The copy has the scores of all protocols, for lists of them; :meth:`of_protocol` has those
        of one, ``spec`` among them.

        Args:
            others: protocol to its measures.
        """
        every = (self, *others.values())
        return replace(
            self,
            grids=unite_grids(_merge(measures.grids for measures in every)),
            headline=_merge(measures.headline for measures in every),
            protocols={SPEC: self, **others},
        )

    def with_configurations(self, others: Mapping[str, Measures]) -> Measures:
        """Return a copy with other measures for some configurations.

        Args:
            others: configuration to its measures.
        """
        every = (self, *others.values())
        rankings = {config: measures.rank_by(config) for config, measures in others.items()}
        return Measures(
            _merge(measures.each for measures in every),
            partial(
                _finish_configured,
                self.finish,
                {c: measures.finish for c, measures in others.items()},
            ),
            unite_grids(_merge(measures.grids for measures in every)),
            {"default": self.rank_by("default"), **self.ranking, **rankings},
            _merge(measures.headline for measures in every),
            _merge(measures.shown_per_document for measures in every),
            {name: layout for measures in every for name, layout in measures.layouts.items()},
        )


def _finish_configured(
    usual: Finish, others: Mapping[str, Finish], totals: Totals, config: str
) -> dict[str, Number]:
    return others.get(config, usual)(totals, config)


def _lay_out(measures: Sequence[Measure]) -> tuple[Grid, ...]:
    """Return the tables of measures, and then their details."""
    tables = _flatten(measure.tables() for measure in measures)
    return unite_grids(tables + _flatten(measure.details() for measure in measures))


def _finish(measures: Iterable[Measure], totals: Totals, config: str) -> dict[str, Number]:
    scores: dict[str, Number] = {}
    for measure in measures:
        scores |= measure.finish(totals, config)
    return scores


def find_empty(marked: Mapping[str, float], names: Sequence[str]) -> list[str]:
    """Return the keys of marked scores without a denominator that have one of these names.

    A label may stand before the name.
    """
    known = marked.items() if names else ()
    return [key for key, value in known if is_empty(value) and _ends(key, names)]


def _ends(key: str, names: Iterable[str]) -> bool:
    """Return whether a key is one of these names, with or without a label before it."""
    return f"_{key}".endswith(tuple(f"_{name}" for name in names))


def _flatten(each: Iterable[Iterable[T]]) -> tuple[T, ...]:
    return tuple(chain.from_iterable(each))


def _merge(each: Iterable[Iterable[T]]) -> tuple[T, ...]:
    """Join tuples without repeats."""
    every = list(chain.from_iterable(each))  # most of them hold dicts, so that they have no hash
    return tuple(one for at, one in enumerate(every) if one not in every[:at])
