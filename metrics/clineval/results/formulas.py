"""Scores that formulas compute from counts, each declared once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field

from clineval.base.ratios import Number, Totals, harmonic_mean, precision_recall_f1, prf_keys
from clineval.results.measures import Grid, Measure
from clineval.results.views import PairCheck, Preset, check_prf, short_prf

PRF_HEADINGS = ("P", "R", "F1", "TP", "FP", "FN")
"""The headings of a table of scores and counts."""


@dataclass(frozen=True)
class Prf(Measure):
    """Precision, recall and F1 from the counts ``<name>_tp``, ``_fp`` and ``_fn``.

        P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    Args:
        name: the beginning of the keys.
        title: heading of the table; empty if there is no table.
        heading: heading of the row; by default the name.
        main: whether F1 is one of the main scores, has short names, and stands in a table of
            documents.
        short: the beginning of the names in spaCy's training table; by default the name.
        place: match mode and criterion with which a page recounts it
            (:class:`~clineval.results.views.PairCheck`), such as ``exact/both``; empty if no page
            does.
        narrow: arguments of :class:`~clineval.results.views.PairCheck` that limit the count:
            ``classes``, ``without``, ``protocols``.
        preset: its name among the choices of the page; empty if it is no choice.
        configs: the configurations that have it; empty for all that have its counts.
        recall_of: the beginning of the counts for recall, if gold annotations and predictions have
            different true positives, as with closures; by default the name. F1 is then 2 P R / (P +
            R).

    Examples:
        >>> Prf("strict").finish({"strict_tp": 1, "strict_fp": 0, "strict_fn": 1}, "default")
        ... # doctest: +NORMALIZE_WHITESPACE
        {'strict_precision': 1.0, 'strict_recall': 0.5, 'strict_f1': 0.6666666666666666,
         'strict_tp': 1, 'strict_fp': 0, 'strict_fn': 1}
    """

    name: str
    title: str = "Spans"
    _: KW_ONLY
    heading: str = ""
    main: bool = True
    short: str = ""
    place: str = ""
    narrow: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    preset: str = ""
    configs: tuple[str, ...] = ()
    recall_of: str = ""

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores, and return them with their counts."""
        if f"{self.name}_tp" not in totals or (self.configs and config not in self.configs):
            return {}
        return self._compute(totals)

    def _compute(self, totals: Totals) -> dict[str, Number]:
        scores = precision_recall_f1(self.name, totals)
        if not self.recall_of:
            return scores
        of_gold = precision_recall_f1(self.recall_of, totals)
        precision, recall = scores[f"{self.name}_precision"], of_gold[f"{self.recall_of}_recall"]
        keys = (
            *prf_keys(self.name)[3:5],
            *(f"{self.recall_of}_{verdict}" for verdict in ("tp", "fn")),
        )
        return {
            f"{self.name}_precision": precision,
            f"{self.name}_recall": recall,
            f"{self.name}_f1": harmonic_mean(precision, recall),
            **{key: totals[key] for key in keys},
        }

    def compute_f1(self, totals: Totals) -> Number:
        """Return F1 alone, for other formulas.

        Args:
            totals: the counts of all documents, numbers or arrays.
        """
        return self._compute(totals)[f"{self.name}_f1"]

    def tables(self) -> Iterable[Grid]:
        """Lay the scores out, with their counts."""
        size = 3 if self.recall_of else len(PRF_HEADINGS)
        if self.title:
            keys = prf_keys(self.name)[:size]
            yield Grid(self.title, PRF_HEADINGS[:size], {self.heading or self.name: keys})

    @property
    def headline(self) -> tuple[str, ...]:
        """F1, if it is a main score."""
        return (f"{self.name}_f1",) if self.main else ()

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """F1 and the counts, if F1 is a main score."""
        return prf_keys(self.name)[2 : 3 if self.recall_of else None] if self.main else ()

    @property
    def short_names(self) -> Mapping[str, str]:
        """Short names of precision, recall and F1, if F1 is a main score."""
        return short_prf(self.name, self.short or self.name) if self.main else {}

    def checks(self) -> Iterable[PairCheck]:
        """List precision, recall, F1 and the counts, if a page recounts them."""
        mode, _, criterion = self.place.partition("/")
        return check_prf(self.name, mode, criterion, **self.narrow) if self.place else ()

    def presets(self) -> Iterable[Preset]:
        """Offer F1, if it has a name among the choices."""
        mode, _, criterion = self.place.partition("/")
        return [Preset(self.preset, mode, criterion, f"{self.name}_f1")] if self.preset else []


@dataclass(frozen=True)
class Formula(Measure):
    """One score that is computed from counts.

    Args:
        key: its name.
        compute: computes it from the totals.
        cell: title of its table, heading of its row, heading of its column.
        configs: the configurations that have it.
        main: whether it is one of the main scores.
        short: its name in spaCy's training table; empty if it is not there.
        place: as in :class:`Prf`.
        preset: as in :class:`Prf`.
        check: the number that a page recounts, such as ``accuracy``; empty for none.

    Examples:
        >>> from clineval.base.ratios import ratio
        >>> place = "Leak", "all", "leak"
        >>> rate = Formula("leak", lambda of: ratio(of["fn"], of["sentences"]), place)
        >>> rate.finish({"fn": 1, "sentences": 4}, "default")
        {'leak': 0.25}
    """

    key: str
    compute: Callable[[Totals], Number]
    cell: tuple[str, str, str]
    _: KW_ONLY
    configs: tuple[str, ...] = ()
    main: bool = False
    short: str = ""
    place: str = ""
    preset: str = ""
    check: str = ""

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the score."""
        left_out = self.configs and config not in self.configs
        return {} if left_out else {self.key: self.compute(totals)}

    def tables(self) -> Iterable[Grid]:
        """Lay the score out in its cell."""
        title, row, column = self.cell
        yield Grid(title, (column,), {row: (self.key,)})

    @property
    def headline(self) -> tuple[str, ...]:
        """The score, if it is a main score."""
        return (self.key,) if self.main else ()

    @property
    def short_names(self) -> Mapping[str, str]:
        """Its name in spaCy's training table."""
        return {self.key: self.short} if self.short else {}

    def checks(self) -> Iterable[PairCheck]:
        """List the score, if a page recounts it."""
        mode, _, criterion = self.place.partition("/")
        return [PairCheck(self.key, mode, criterion, self.check)] if self.check else []

    def presets(self) -> Iterable[Preset]:
        """Offer the score, if it has a name among the choices."""
        mode, _, criterion = self.place.partition("/")
        return [Preset(self.preset, mode, criterion, self.key)] if self.preset else []
