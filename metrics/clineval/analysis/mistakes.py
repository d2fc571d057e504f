"""Mistakes: confusion matrices of slots and codes, and the most frequent errors.

They are taken from the widest match of a challenge, in which every mention is in one row:

    right        same span, same code
    boundary     paired, the spans differ
    code         paired, the codes (labels of sections, of spans) differ
    both         paired, spans and codes differ
    spurious     a prediction without a gold mention
    missed       a gold mention without a prediction
    displaced    a prediction that a released script counts as nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from clineval.analysis.outcomes import NONE, Match, Outcomes
from clineval.arrays import BoolArray, IntArray, expand_ranges
from clineval.errors import InputError, listed
from clineval.mentions.columns import MentionColumns

KINDS = ("right", "boundary", "code", "both", "spurious", "missed", "displaced")
_RIGHT, _SPURIOUS, _MISSED, _DISPLACED = (
    KINDS.index(kind) for kind in ("right", "spurious", "missed", "displaced")
)
_CLASSES = ("cui", "label", "field")


@dataclass(frozen=True, slots=True)
class Mistake:
    """Errors of one kind that are alike.

    Args:
        kind: one of :data:`KINDS`.
        gold: the gold code or label; None if there is no gold mention.
        prediction: the predicted one; None if there is no prediction.
        rows: the rows of the widest match.
    """

    kind: str
    gold: str | None
    prediction: str | None
    rows: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How often each gold value was predicted as each value.

    Args:
        slot: the slot.
        values: the values that occur; most frequent gold values first.
        table: ``[v + 1, v + 1]``, gold values by predicted values; the last row counts spurious
            predictions, the last column missed gold mentions.
        rows: ``[n]``, row of the table of each outcome of the widest match; -1 for none.
        columns: ``[n]``, its column.
    """

    slot: str
    values: tuple[str, ...]
    table: IntArray
    rows: IntArray
    columns: IntArray

    def outcomes(self, gold: str | None, prediction: str | None) -> IntArray:
        """The outcomes that a cell counts; None is for no mention."""
        row, column = (
            len(self.values) if value is None else self.values.index(value)
            for value in (gold, prediction)
        )
        return np.flatnonzero((self.rows == row) & (self.columns == column))


def classify(outcomes: Outcomes) -> IntArray:
    """``[n]``, the kind of each row of the widest match, an index into :data:`KINDS`."""
    match = outcomes.matches[outcomes.widest]
    kinds = np.where(match.gold == NONE, _SPURIOUS, _MISSED)
    paired = np.flatnonzero((match.gold != NONE) & (match.prediction != NONE))
    gold, prediction = match.gold[paired], match.prediction[paired]
    boundary = ~same_spans(outcomes.gold, gold, outcomes.prediction, prediction)
    code = ~_same_class(outcomes, match, paired)
    kinds[paired] = boundary + 2 * code
    if "displaced" in match.verdicts:
        kinds[match.verdict == match.verdicts.index("displaced")] = _DISPLACED
    return kinds


def count_mistakes(outcomes: Outcomes) -> dict[str, int]:
    """How many mentions or pairs there are of each kind."""
    counts = np.bincount(classify(outcomes), minlength=len(KINDS)).tolist()
    return dict(zip(KINDS, counts, strict=True))


def find_frequent(outcomes: Outcomes, most: int = 10) -> list[Mistake]:
    """The most frequent errors of each kind, by code or label.

    Args:
        outcomes: the outcomes.
        most: how many of each kind.

    Examples:
        >>> from clineval.analysis.outcomes import find_outcomes
        >>> gold = [[{"spans": [[0, 4]], "cui": "C1"}, {"spans": [[9, 12]], "cui": "C2"}]]
        >>> found = [[{"spans": [[0, 4]], "cui": "C3"}]]
        >>> outcomes = find_outcomes("semeval15_task14", found, gold)
        >>> [(m.kind, m.gold, m.prediction, len(m)) for m in find_frequent(outcomes)]
        [('code', 'c1', 'c3', 1), ('missed', 'c2', None, 1)]
    """
    match = outcomes.matches[outcomes.widest]
    kinds = classify(outcomes)
    slot = class_of(outcomes)
    gold, prediction = _values(outcomes, match, slot)
    mistakes = []
    for kind in range(1, _DISPLACED):
        rows = np.flatnonzero(kinds == kind)
        alike = [
            Mistake(KINDS[kind], *values, tuple(rows[which].tolist()))
            for values, which in _group(outcomes, slot, gold[rows], prediction[rows])
        ]
        mistakes += sorted(alike, key=len, reverse=True)[:most]
    return mistakes


def confuse(outcomes: Outcomes, slot: str) -> Confusion:
    """The confusion matrix of a slot.

    Args:
        outcomes: the outcomes.
        slot: such as ``negation``, ``cui`` or ``label``.

    Raises:
        InputError: no such slot.
    """
    attributes = outcomes.gold.attributes
    if slot not in attributes:
        raise InputError(f"unknown slot {slot!r}, expected one of {listed(list(attributes))}")
    match = outcomes.matches[outcomes.widest]
    gold, prediction = _values(outcomes, match, slot)
    size = len(attributes[slot].values)
    counted = (gold != NONE) | (match.verdict != _verdict(match, "displaced"))
    frequency = np.bincount(gold[gold != NONE], minlength=size) * len(match)
    frequency += np.bincount(prediction[counted & (prediction != NONE)], minlength=size)
    order = np.argsort(-frequency, kind="stable")[: int((frequency > 0).sum())]
    place = np.full(size + 1, len(order))  # the last one is that of -1
    place[order] = np.arange(len(order))
    rows, columns = np.where(counted, place[gold], -1), np.where(counted, place[prediction], -1)
    width = len(order) + 1
    cells = rows[counted] * width + columns[counted]
    table = np.bincount(cells, minlength=width * width).reshape(width, width)
    values = tuple(attributes[slot].values[number] for number in order)
    return Confusion(slot, values, table, rows, columns)


def class_of(outcomes: Outcomes) -> str:
    """The attribute that says what a mention is: its code, its label, or its field."""
    return next(name for name in _CLASSES if name in outcomes.gold.attributes)


def same_spans(
    gold: MentionColumns, gold_rows: IntArray, prediction: MentionColumns, rows: IntArray
) -> BoolArray:
    """``[k]``, which pairs have the same fragments; mentions without any have the same ones."""
    counts = gold.fragment_counts[gold_rows]
    same: BoolArray = counts == prediction.fragment_counts[rows]
    alike = np.flatnonzero(same & (counts > 0))
    left = expand_ranges(gold.bounds[gold_rows[alike]], gold.bounds[gold_rows[alike] + 1])
    right = expand_ranges(prediction.bounds[rows[alike]], prediction.bounds[rows[alike] + 1])
    differ = gold.starts[left] != prediction.starts[right]
    differ |= gold.ends[left] != prediction.ends[right]
    first = np.cumsum(counts[alike]) - counts[alike]
    if len(alike):
        same[alike] = ~np.logical_or.reduceat(differ, first)
    return same


def _same_class(outcomes: Outcomes, match: Match, paired: IntArray) -> BoolArray:
    slot = class_of(outcomes)
    if slot in match.equal:
        return match.equal[slot]
    gold, prediction = _values(outcomes, match, slot)
    same: BoolArray = gold[paired] == prediction[paired]
    return same


def _values(outcomes: Outcomes, match: Match, slot: str) -> tuple[IntArray, IntArray]:
    """``[n]`` each, the number of the gold and of the predicted value; -1 for no mention."""
    columns = []
    for side, rows in ((outcomes.gold, match.gold), (outcomes.prediction, match.prediction)):
        values = np.full(len(match), NONE)
        there = rows != NONE
        values[there] = side.attributes[slot].ids[rows[there]]
        columns.append(values)
    return columns[0], columns[1]


def _group(
    outcomes: Outcomes, slot: str, gold: IntArray, prediction: IntArray
) -> Iterator[tuple[tuple[str | None, str | None], IntArray]]:
    """Pairs of values that occur, and where."""
    names = (*outcomes.gold.attributes[slot].values, None)
    stride = len(names) + 1
    keys, group = np.unique((gold + 1) * stride + prediction + 1, return_inverse=True)
    order = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[order], np.arange(len(keys) + 1))
    for at, key in enumerate(keys.tolist()):
        values = (names[key // stride - 1], names[key % stride - 1])
        yield values, order[bounds[at] : bounds[at + 1]]


def _verdict(match: Match, verdict: str) -> int:
    return match.verdicts.index(verdict) if verdict in match.verdicts else NONE
