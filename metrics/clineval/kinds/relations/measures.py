"""The part of the errors of relations that mentions cause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clineval.base.ratios import Number, Totals, ratio
from clineval.results.measures import Grid, Measure


@dataclass(frozen=True, slots=True)
class LostEnds(Measure):
    """The wrong relations with an end that no mention of the other side matches.

        <match>_ends_share = (fn_ends + fp_ends) / (fn + fp)

    Args:
        match: the kind of match.
    """

    match: str

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the number of such relations by the number of all wrong relations."""
        missed, spurious = f"{self.match}_fn", f"{self.match}_fp"
        counts = {
            key: totals[key] for key in (f"{missed}_ends", f"{spurious}_ends") if key in totals
        }
        if not counts:
            return {}
        share = ratio(sum(counts.values()), totals[missed] + totals[spurious])
        return {f"{self.match}_ends_share": share, **counts}

    def tables(self) -> Iterable[Grid]:
        """Lay out the share and the counts beside those of other kinds of match."""
        keys = (f"{self.match}_{name}" for name in ("ends_share", "fn_ends", "fp_ends"))
        columns = ("share of all errors", "FN", "FP")
        title = "Errors of relations with an end that the other side does not have"
        yield Grid(title, columns, {self.match: tuple(keys)})
