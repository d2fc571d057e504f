"""Scores of relations that are counted for each type, with the mean over the types of gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from clineval.base.ratios import Number, Totals, precision_recall_f1
from clineval.kinds.mentions.measures import Spans
from clineval.results.averages import MACRO, PRF, average, label_key
from clineval.results.formulas import PRF_HEADINGS, Prf
from clineval.results.measures import Grid

MICRO = "micro"
"""The match of relations, and the beginning of the keys of their scores."""


def has_gold(tp: Number, _fp: Number, fn: Number) -> Number:
    """Return 1 if the gold standard has a type, otherwise 0."""
    there: Number = np.sign(tp + fn)
    return there


@dataclass(frozen=True)
class TypedRelations(Spans):
    """Precision, recall and F1 of all relations (``micro_``) and of each type (``<type>_``).

    ``macro_`` is the mean over the types that the gold standard has.
    """

    name: str = MICRO

    def name_labels(self, labels: Sequence[str]) -> dict[str, str]:
        """Return the beginning of the keys of each type."""
        return {label: label_key(label) for label in labels}

    def rate(self, key: str, totals: Totals) -> dict[str, Number]:
        """Compute the scores of one type, or of all relations, from their counts."""
        return precision_recall_f1(key, totals)

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores of all relations and of each type, and the mean over types."""
        if not Prf.finish(self, totals, config):
            return {}
        of_types = [self.rate(key, totals) for key in self.name_labels(self.labels).values()]
        means = average(MACRO, of_types, has_gold)
        every = (self.rate(self.name, totals), means, *of_types)
        return dict(chain.from_iterable(each.items() for each in every))

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of the types that the gold standard has."""
        keys = self.name_labels(self.labels).values()
        there = [key for key in keys if any(scores.get(f"{key}_{of}") for of in ("tp", "fn"))]
        return {f"{MACRO}_{score}": [f"{key}_{score}" for key in there] for score in PRF}

    def lay_out_means(self) -> Grid:
        """Lay out the mean over the types."""
        keys = tuple(f"{MACRO}_{score}" for score in PRF)
        return Grid(self.means_title, PRF_HEADINGS[: len(PRF)], {MACRO: keys})
