"""Declare the scores of the i2b2 2012 program, and count the documents of a corpus for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from clineval.base.ratios import Columns, Number, Totals, harmonic_mean, ratio
from clineval.challenges.i2b2_2012_temporal.official.counts import DocumentCounts, Spans
from clineval.results.formulas import Formula
from clineval.results.measures import Measures

ATTRIBUTES = {"event": ("type", "polarity", "modality"), "timex3": ("type", "value", "modifier")}
"""The attributes of events and of times, in the program's order."""
_TITLES = {"event": "Events", "timex3": "Times", "links": "Links"}
_COUNTS = ("gold", "system", "right_system", "right_gold")


def count_columns(documents: Sequence[DocumentCounts], spans: Spans) -> Columns:
    """Return the counts of all documents by name; with ``partialCredit``, credit is counted."""
    names = {key: (*_COUNTS, "found", *of) for key, of in ATTRIBUTES.items()} | {"links": _COUNTS}
    columns: dict[str, list[float]] = {
        f"{key}_n_{name}": [] for key in names for name in names[key]
    }
    for key, attributes in ATTRIBUTES.items():
        for document in documents:
            of = document.events if key == "event" else document.times
            right: Sequence[float] = of.right_precision, of.right_recall
            if spans == "partialCredit":
                right = of.credit_precision, of.credit_recall
            values = [of.gold, of.system, *right, of.right_recall, of.first, of.second, of.third]
            for name, value in zip((*_COUNTS, "found", *attributes), values, strict=True):
                columns[f"{key}_n_{name}"].append(value)
    for document in documents:
        system, gold, *links = document.links
        for name, value in zip(_COUNTS, (gold, system, *links), strict=True):
            columns[f"links_n_{name}"].append(value)
    return {name: np.array(values) for name, values in columns.items()}


@dataclass(frozen=True)
class OfDocuments(Formula):
    """A score of whole documents: the program counts no groups of annotations."""

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the score; none for a group, which has no counts of the program."""
        counted = f"links_n_{_COUNTS[0]}" in totals
        return super().finish(totals, config) if counted else {}


def _share(part: str, whole: str, totals: Totals) -> Number:
    return ratio(totals[part], totals[whole])


def _rate(key: str, rate: str, totals: Totals) -> Number:
    """Compute a rate; ``average`` is the share of right units of both sides."""
    gold, system, right_system, right_gold = (totals[f"{key}_n_{name}"] for name in _COUNTS)
    precision, recall = ratio(right_system, system), ratio(right_gold, gold)
    rates: dict[str, Callable[[], Number]] = {
        "precision": lambda: precision,
        "recall": lambda: recall,
        "f1": lambda: harmonic_mean(precision, recall),
        "average": lambda: ratio(precision * system + recall * gold, system + gold),
    }
    return rates[rate]()


def _declare_rates(key: str) -> Iterator[Formula]:
    configs = ("default", "links" if key == "links" else "entities")
    for rate, column in {"precision": "P", "recall": "R", "f1": "F1", "average": "P&R"}.items():
        cell, name = (f"{_TITLES[key]}, program", "all", column), f"{key}_{rate}"
        yield OfDocuments(name, partial(_rate, key, rate), cell, configs=configs, main=rate == "f1")


def _declare_attributes(key: str) -> Iterator[Formula]:
    """Declare the shares of gold entities, and of those that are found."""
    for name in ATTRIBUTES[key]:
        for ending, whole, column in (("", "gold", "of all"), ("_accuracy", "found", "of found")):
            yield OfDocuments(
                f"{key}_{name}{ending}",
                partial(_share, f"{key}_n_{name}", f"{key}_n_{whole}"),
                (f"{_TITLES[key]}, attributes", name, column),
                configs=("default", "entities"),
            )


MEASURES = Measures.of(
    *(formula for key in _TITLES for formula in _declare_rates(key)),
    *(formula for key in ATTRIBUTES for formula in _declare_attributes(key)),
    ranking={
        "default": ("links_f1", "event_f1", "timex3_f1"),
        "entities": ("event_f1", "timex3_f1"),
        "links": ("links_f1",),
    },
)
"""The scores that the program prints."""
