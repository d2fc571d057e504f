"""Records with some values, such as those of one kind, which are scored separately."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, rank_rows
from clineval.base.ratios import Number, Totals, precision_recall_f1, prf_keys
from clineval.kinds.mentions.rows import Split
from clineval.kinds.records.corpus import RecordCorpus
from clineval.results.averages import MACRO, PRF, average, is_there, list_parts_of
from clineval.results.columns import MentionColumns
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure

_BITS = 62


@dataclass(frozen=True, slots=True)
class Part:
    """Records that are scored separately, because some of their fields have certain values.

    Args:
        key: the beginning of the keys of their scores.
        heading: the heading of their row in tables.
        values: name of a field to its value, in upper or lower case.
    """

    key: str
    heading: str
    values: Mapping[str, str]

    def find(self, side: MentionColumns) -> BoolArray:
        """Return which records of a side belong to it, ``[n]``."""
        found = np.ones(len(side), np.bool_)
        for name, value in self.values.items():
            column = side.attributes[name]
            found &= column.is_among({v for v in column.values if v.lower() == value.lower()})
        return found


def split_records(corpus: RecordCorpus, parts: Sequence[Part]) -> Split:
    """Split the records of both sides into parts; a record can belong to several."""
    sides = [[part.find(side) for part in parts] for side in corpus.sides]
    members = np.concatenate([np.array(side).reshape(len(parts), -1) for side in sides], axis=1)
    numbers = _number_columns(members)
    first = np.unique(numbers, return_index=True)[1]
    named = {
        part.key: tuple(numbers[first[row[first]]].tolist())
        for part, row in zip(parts, members, strict=True)
    }
    size = len(corpus.gold)
    return Split(numbers[:size], numbers[size:], named)


def _number_columns(members: BoolArray) -> IntArray:
    """Give equal columns of a table of ``[parts, n]`` the same number, ``[n]``."""
    packed = [
        (1 << np.arange(len(some), dtype=np.int64)) @ some.astype(np.int64)
        for some in np.split(members, range(_BITS, len(members), _BITS))
    ]
    return rank_rows(packed)


@dataclass(frozen=True)
class PartScores(Measure):
    """Precision, recall and F1 of each part, and their means over the parts that either side has.

    Args:
        parts: the parts.
        title: heading of their table.
        means: the heading of a row with the means over the parts, whose keys begin with ``macro_``;
            empty for no means.
    """

    parts: tuple[Part, ...]
    title: str
    _: KW_ONLY
    means: str = ""

    @property
    def _mean_keys(self) -> tuple[str, ...]:
        return tuple(f"{MACRO}_{score}" for score in PRF) if self.means else ()

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the scores of each part, and the means."""
        counted = [part.key for part in self.parts if f"{part.key}_tp" in totals]
        groups = [precision_recall_f1(key, totals) for key in counted]
        scores = average(MACRO, groups, is_there) if self.means and groups else {}
        for group in groups:
            scores |= group
        return scores

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of the parts that either side has."""
        return list_parts_of(MACRO, [p.key for p in self.parts], scores) if self.means else {}

    def tables(self) -> Iterable[Grid]:
        """Lay out the means."""
        if self.means:
            rows = {self.means: self._mean_keys}
            yield Grid(f"{self.title}, mean", PRF_HEADINGS[: len(PRF)], rows)

    def details(self) -> Iterable[Grid]:
        """Lay out each part."""
        yield Grid(self.title, PRF_HEADINGS, {p.heading: prf_keys(p.key) for p in self.parts})

    @property
    def headline(self) -> tuple[str, ...]:
        """The mean F1, if there are means."""
        return self._mean_keys[-1:]
