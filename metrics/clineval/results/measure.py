"""A measure computes scores from counts or labels, and defines how the scores are shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from clineval.base.arrays import FloatArray
from clineval.base.ratios import Columns, Number, Totals
from clineval.results.grid import Grid
from clineval.results.views import ItemCheck, PairCheck, Preset

if TYPE_CHECKING:  # few scores need labels
    from clineval.results.label_rows import LabelRows
    from clineval.stats.curves import Trace


class Measure(ABC):
    """Scores that are declared once, for all faces.

    Kinds of annotation also have measures that count annotations, such as
    :class:`~clineval.kinds.mentions.measures.Spans`.
    """

    @abstractmethod
    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores of one configuration; return none if their counts are missing."""

    def under(self, _settings: Mapping[str, str], /) -> Measure:
        """Return the measure for the settings of a signature, if it depends on any of them."""
        return self

    def finish_labels(
        self, _labels: LabelRows, _weights: FloatArray, _config: str, /
    ) -> dict[str, FloatArray]:
        """Compute the scores that need labels, ``[n]`` each, for ``[n, width]`` weights."""
        return {}

    def needs(self, _labels: LabelRows, /) -> bool:
        """Return whether any score of these labels needs them; without, counts are faster."""
        return type(self).finish_labels is not Measure.finish_labels

    def trace_curves(self, _labels: LabelRows, /) -> Mapping[str, Trace]:
        """Return the curves whose areas are scores, by name."""
        return {}

    @property
    def coefficients(self) -> Sequence[str]:
        """The scores that are undefined, rather than 0, without a denominator, such as kappa.

        A label may stand before the key.
        """
        return ()

    def find_undefined(self, _labels: LabelRows, /) -> Sequence[str]:
        """Return the keys of scores that are left out, because the labels do not define them."""
        return ()

    def complete(self, _counted: Columns, _config: str, /) -> Columns:
        """Compute further columns from the counted ones, ``[documents]`` each."""
        return {}

    def tables(self) -> Iterable[Grid]:
        """Lay out the main scores."""
        return ()

    def details(self) -> Iterable[Grid]:
        """Lay out the other scores, in tables that follow all main tables."""
        return ()

    @property
    def headline(self) -> tuple[str, ...]:
        """The keys of the main scores; the first one ranks systems."""
        return ()

    def list_parts(self, _scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map the key of each mean over labels to the keys of the scores that it averages.

        Args:
            scores: all scores and counts.
        """
        return {}

    @property
    def less_is_better(self) -> tuple[str, ...]:
        """The keys of the scores that are better if they are lower."""
        return ()

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """The keys that a table of documents shows."""
        return ()

    @property
    def signed(self) -> tuple[str, ...]:
        """The columns of the counts that may be negative."""
        return ()

    @property
    def short_names(self) -> Mapping[str, str]:
        """Key to the name in spaCy's training table, without the challenge's prefix."""
        return {}

    def checks(self) -> Iterable[PairCheck]:
        """List the scores that a page of pairs recounts."""
        return ()

    def presets(self) -> Iterable[Preset]:
        """List the choices that a page of pairs offers."""
        return ()

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the scores that a page of items recounts."""
        return ()
