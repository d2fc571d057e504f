"""Leak: the parts of gold mentions that no prediction covers, whatever its label.

If mentions must be hidden, such as patients' names, these parts would remain visible. A character
leaks if it is in a gold mention and in no prediction of the document, so that several predictions
may cover a mention together. A mention leaks if any of its characters leaks, and leaks whole if all
of them leak.

    leaked_characters_share     = leaked characters / characters in gold mentions
    leaked_mentions_share       = leaked mentions / gold mentions
    leaked_whole_mentions_share = mentions that leak whole / gold mentions

A character that is in several gold mentions counts once, and once for each of their labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from clineval.base.arrays import IntArray, cover
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.measures import RowsOfLabels, SpanMeasure, find_labels
from clineval.results.averages import label_key
from clineval.results.columns import MentionColumns
from clineval.results.measures import Grid

_OF = {
    "characters": "characters",
    "mentions": "mentions",
    "whole_mentions": "mentions",
}
"""Leaking quantity to its total."""
_HEADINGS = (
    *("characters", "share", "of"),
    *("mentions", "share", "whole", "share", "of"),
)
_KEYS = (
    *("leaked_characters", "leaked_characters_share", "gold_characters"),
    *("leaked_mentions", "leaked_mentions_share"),
    *("leaked_whole_mentions", "leaked_whole_mentions_share", "gold_mentions"),
)
"""The cells of a row of the table."""


def tally_leak(
    gold: MentionColumns,
    prediction: MentionColumns,
    documents: int,
    labels: Mapping[str, Sequence[str]] | None = None,
) -> Columns:
    """Count the leaks and the totals of each document, ``[documents]`` each.

    Args:
        gold: the gold mentions.
        prediction: the predictions.
        documents: the number of documents.
        labels: a slot to the values that are counted separately.

    Examples:
        >>> from clineval.formats.dicts import read_records
        >>> from clineval.results.slots import Slot
        >>> spans = [[{"spans": [[0, 4], [6, 9]]}, {"spans": [[20, 25]]}], [{"spans": [[2, 7]]}]]
        >>> gold, found = (read_records([side], []).mentions for side in spans)
        >>> {key: int(value[0]) for key, value in tally_leak(gold, found, 1).items()}
        ... # doctest: +NORMALIZE_WHITESPACE
        {'leaked_characters': 9, 'gold_characters': 12, 'leaked_mentions': 2,
         'leaked_whole_mentions': 1, 'gold_mentions': 2}
    """
    stride = 1 + max(int(side.ends.max(initial=0)) for side in (gold, prediction))
    line = _Line.of(prediction, stride)
    columns = dict(line.count(gold, gold.document, documents))
    for slot, values in (labels or {}).items():
        column = gold.attributes[slot]
        places = {value: value_number for value_number, value in enumerate(values)}
        number = np.array([places.get(value, len(places)) for value in column.values], np.int64)
        width = len(places) + 1
        groups = gold.document.astype(np.int64) * width + number[column.ids]
        counted = line.count(gold, groups, documents * width)
        for value_number, value in enumerate(values):
            for key, counts in counted:
                columns[f"{label_key(value)}_{key}"] = counts.reshape(-1, width)[:, value_number]
    return columns


class _Line:
    """The characters of documents, ``stride`` apart, and the ``[r]`` ranges that are covered."""

    def __init__(self, stride: int, begins: IntArray, ends: IntArray) -> None:
        self._stride = stride
        self._begins, self._ends = begins, ends
        self._sums = np.concatenate([[0], np.cumsum(ends - begins)])

    @classmethod
    def of(cls, mentions: MentionColumns, stride: int) -> _Line:
        document = mentions.document[mentions.owners].astype(np.int64)
        keys, starts, ends = cover(document, mentions.starts, mentions.ends)
        return cls(stride, keys * stride + starts, keys * stride + ends)

    def _before(self, places: IntArray) -> IntArray:
        if not len(self._begins):
            return np.zeros(len(places), np.int64)
        at = np.searchsorted(self._begins, places, side="right")
        beyond = np.maximum(self._ends[at - 1] - places, 0)
        count: IntArray = self._sums[at] - np.where(at > 0, beyond, 0)
        return count

    def count(
        self, gold: MentionColumns, groups: IntArray, size: int
    ) -> list[tuple[str, IntArray]]:
        """Count the leaks and the totals of each group of gold mentions.

        All mentions of a group, ``[n]``, belong to one document.
        """
        rows = np.arange(len(gold))
        leaked, there = self._measure(gold, rows, len(gold))
        leaked_characters, characters = self._measure(gold, groups, size)
        return [
            ("leaked_characters", leaked_characters),
            ("gold_characters", characters),
            ("leaked_mentions", np.bincount(groups[leaked > 0], minlength=size)),
            (
                "leaked_whole_mentions",
                np.bincount(groups[(leaked == there) & (there > 0)], minlength=size),
            ),
            ("gold_mentions", np.bincount(groups, minlength=size)),
        ]

    def _measure(
        self, gold: MentionColumns, groups: IntArray, size: int
    ) -> tuple[IntArray, IntArray]:
        """Count the leaked and all characters of each group of mentions, ``[size]`` each."""
        owners = gold.owners
        document = np.zeros(size, np.int64)
        document[groups] = gold.document
        keys, starts, ends = cover(groups[owners].astype(np.int64), gold.starts, gold.ends)
        shift = document[keys] * self._stride
        covered = self._before(ends + shift) - self._before(starts + shift)
        there = np.bincount(keys, ends - starts, size).astype(np.int64)
        hidden = np.bincount(keys, covered, size).astype(np.int64)
        return there - hidden, there


@dataclass(frozen=True, slots=True)
class Leak(SpanMeasure):
    """The parts of gold mentions that no prediction covers (see the module's docstring).

    Args:
        by: the slot with labels that are also counted separately; empty for none.
        labels: all labels that may count, in the order of the table.
        title: heading of the table.
        main: whether the share of mentions that leak is one of the main scores.
    """

    by: str = "label"
    labels: tuple[str, ...] = ()
    title: str = "Leaks"
    main: bool = False

    def count(self, corpus: Corpus, labels: Sequence[str], /) -> Columns:
        """Count the leaks and the totals."""
        sides = corpus.gold.columns, corpus.prediction.columns
        return tally_leak(*sides, len(corpus.documents), {self.by: labels} if self.by else {})

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute shares and numbers, for all labels and each label."""
        labels = find_labels(totals, "_gold_mentions", self.labels)
        prefixes = ("", *(f"{label_key(label)}_" for label in labels))
        scores = (
            _finish(prefix, totals) for prefix in prefixes if f"{prefix}gold_mentions" in totals
        )
        return dict(chain.from_iterable(scores))

    def details(self) -> Iterable[Grid]:
        """Lay out each label, and all labels."""
        prefixes = {**{label: f"{label_key(label)}_" for label in self.labels}, "all": ""}
        rows = {name: tuple(f"{of}{key}" for key in _KEYS) for name, of in prefixes.items()}
        yield Grid(self.title, _HEADINGS, rows)
        if self.by and not self.labels:
            title = f"Labels, {self.title[:1].lower()}{self.title[1:]}"
            yield Grid(title, _HEADINGS, {}, RowsOfLabels(_KEYS))

    @property
    def headline(self) -> tuple[str, ...]:
        """The share of mentions that leak, if it is a main score."""
        return ("leaked_mentions_share",) if self.main else ()

    @property
    def less_is_better(self) -> tuple[str, ...]:
        """The shares of leaks."""
        return tuple(f"leaked_{what}_share" for what in _OF)

    @property
    def short_names(self) -> Mapping[str, str]:
        """The share of mentions that leak."""
        return {"leaked_mentions_share": "leak"}


def _finish(prefix: str, totals: Totals) -> Iterator[tuple[str, Number]]:
    for what, total in _OF.items():
        part, whole = totals[f"{prefix}leaked_{what}"], totals[f"{prefix}gold_{total}"]
        yield f"{prefix}leaked_{what}", part
        yield f"{prefix}leaked_{what}_share", ratio(part, whole)
    for total in dict.fromkeys(_OF.values()):
        yield f"{prefix}gold_{total}", totals[f"{prefix}gold_{total}"]
