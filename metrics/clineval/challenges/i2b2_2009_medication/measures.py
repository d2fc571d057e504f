"""The scores of i2b2 2009 medication, each declared once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, product
from typing import ClassVar

import numpy as np

from clineval.base.ratios import Number, Totals, ratio
from clineval.challenges.i2b2_2009_medication.levels import DIRECTIONS, MATCHES, PRF
from clineval.kinds.entries.entry import FIELD_NAMES, SETS
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.views import ItemCheck, short_prf

_HEADINGS = ("P", "R", "F1", "patient P", "R", "F1")


def score_system(name: str, totals: Totals, of_nothing: Number = 0.0) -> dict[str, Number]:
    """Return P, R and F at system level; ``of_nothing`` is the recall without gold items."""
    shared, gold, system = (totals[f"{name}_{part}"] for part in ("shared", "gold", "system"))
    return {
        f"{name}_system_precision": ratio(shared, system),
        f"{name}_system_recall": ratio(shared, gold) + of_nothing * (gold == 0),
        f"{name}_system_f1": ratio(2 * shared, gold + system),
    }


@dataclass(frozen=True)
class Levels(Measure):
    """P, R and F at system and at patient level, exact and inexact, in all directions.

    Args:
        prefix: the prefix of columns and keys.
        title: the prefix of the headings of tables.
    """

    prefix: str = ""
    title: str = ""

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the scores by the formulas of the specification."""
        records = totals[f"{self.prefix}records"]
        unasked = ratio(totals[f"{self.prefix}recall_of_nothing"], records)
        scores: dict[str, Number] = {}
        for match, direction in product(MATCHES, DIRECTIONS):
            name = f"{self.prefix}{match}_{direction}"
            scores |= score_system(name, totals, unasked)
            for measure in PRF:
                mean = ratio(totals[f"{name}_{measure}_sum"], totals[f"{name}_records"])
                scores[f"{name}_patient_{measure}"] = mean
        return scores

    def tables(self) -> Iterator[Grid]:
        """Lay out a table of the horizontal scores, and one table of vertical scores per match."""
        rows = {match: self._list_keys(match, "horizontal") for match in MATCHES}
        yield Grid(f"{self.title}Horizontal: linked fields", _HEADINGS, rows)
        for match in MATCHES:
            title = f"{self.title}Vertical, {match}: fields by themselves"
            fields = {of.partition("_")[2]: self._list_keys(match, of) for of in DIRECTIONS[1:]}
            yield Grid(title, _HEADINGS, fields)

    def _list_keys(self, match: str, direction: str) -> tuple[str, ...]:
        levels = product(("system", "patient"), PRF)
        return tuple(f"{self.prefix}{match}_{direction}_{of}_{key}" for of, key in levels)


class Overall(Levels):
    """The scores of all records, including the main scores."""

    short_names: ClassVar = {
        **short_prf("exact_horizontal_system", "ex"),
        **short_prf("inexact_horizontal_system", "in"),
        "exact_horizontal_patient_f1": "ex_pat_f",
        "inexact_horizontal_patient_f1": "in_pat_f",
        **{f"exact_vertical_{name}_system_f1": f"{name[:3]}_f" for name in FIELD_NAMES},
    }
    headline = tuple(
        f"{match}_{of}_f1"
        for of in ("horizontal_system", "horizontal_patient", "vertical_all_system")
        for match in MATCHES
    )
    shown_per_document = tuple(key for key in headline if key.endswith("_system_f1"))

    def item_checks(self) -> Iterator[ItemCheck]:
        """List the exact scores at system level."""
        same, either = ("same",), ("same", "different")
        gold, system = (*either, "missed"), (*either, "spurious")
        for direction in (DIRECTIONS[0], DIRECTIONS[-1], *DIRECTIONS[1:-1]):
            mode, _, row = direction.partition("_")
            key = f"exact_{direction}_system"
            row = row.removeprefix("all")
            yield ItemCheck(f"{key}_precision", mode, same, system, row)
            yield ItemCheck(f"{key}_recall", mode, same, gold, row)
            yield ItemCheck(f"{key}_f1", mode, (*same, *same), (*gold, *system), row)


class OfSets(Measure):
    """The scores of each evaluation set, and their mean over the sets that have a record."""

    sets = tuple(Levels(f"set_{of.lower()}_", f"Evaluation set {of}. ") for of in SETS)
    mean = Levels("sets_mean_", "Mean of the evaluation sets. ")

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores, if there are sets."""
        columns = [f"{of.prefix}records" for of in self.sets]
        if columns[0] not in totals:
            return {}
        scores = [of.finish(totals, config) for of in self.sets]
        used = sum((np.sign(totals[column]) for column in columns), np.zeros(()))
        means = (ratio(sum(each), used) for each in zip(*map(dict.values, scores), strict=True))
        names = (name.removeprefix(self.sets[0].prefix) for name in scores[0])
        mean = {f"{self.mean.prefix}{name}": of for name, of in zip(names, means, strict=True)}
        return {key: score for of in (*scores, mean) for key, score in of.items()}

    def details(self) -> Iterable[Grid]:
        """Lay out the sets, then their mean."""
        return chain.from_iterable(of.tables() for of in (*self.sets, self.mean))


MEASURES = Measures.of(Overall(), OfSets())
