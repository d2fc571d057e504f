"""Mistakes: confusion matrices of slots and codes, and the most frequent errors.

They come from the widest match of a challenge, in which every mention is in one row. Errors also
show near misses, if a kind of annotation pairs these. The kinds are:

    right        same span, same code; records have no spans: paired, same type
    boundary     paired, the spans differ
    code         paired, the codes differ; called label, field or type if mentions have these
    both         paired, spans and codes differ
    spurious     a prediction without a gold mention
    missed       a gold mention without a prediction
    displaced    a prediction that a released script does not count

A match may know more about some rows, for example that a relation has the wrong direction. These
rows have a kind of their own (:attr:`~clineval.results.match.Match.reasons`).

If links of an order follow from others, the lists also show the chains of links from which they
follow, and the cycles of contradictions (:class:`~clineval.results.reasoning.Reasoning`).

An unpaired mention is also right if its verdict is a true positive. It is in no confusion matrix,
because it has no value on the other side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.kinds.mentions.matching import same_spans
from clineval.kinds.mentions.outcomes import NEAR_MISSES, Outcomes
from clineval.results.columns import ABSENT
from clineval.results.match import NONE, Match
from clineval.results.options import check_name
from clineval.results.reasoning import NamedLink, Reasoning
from clineval.results.tables import Sheet, Table, lines_of

KINDS = ("right", "boundary", "code", "both", "spurious", "missed", "displaced")
_RIGHT, _SPURIOUS, _MISSED, _DISPLACED = (
    KINDS.index(kind) for kind in ("right", "spurious", "missed", "displaced")
)
_OF_ROLE = np.array([_RIGHT, _SPURIOUS, _MISSED, _DISPLACED])
"""The kinds of unpaired mentions, by :attr:`Match.roles`."""
_SHOWN_LINKS = 8
"""How many links of a chain a table shows."""
_NO_MENTION, _OTHERS = "(none)", "(others)"


@dataclass(frozen=True, slots=True)
class Mistake:
    """Errors of one kind with the same values.

    Args:
        kind: one of :func:`kinds_of`.
        gold: the gold code or label; None if there is no gold mention.
        prediction: the predicted code or label; None if there is no prediction.
        rows: the rows of the match.
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
        values: the values that occur; the most frequent gold values first.
        table: ``[v + 1, v + 1]``, gold values by predicted values. The last row counts spurious
            predictions; the last column counts missed gold mentions.
        rows: ``[n]``, the table row of each outcome of the widest match; -1 for none.
        columns: ``[n]``, the table column of each outcome.
    """

    slot: str
    values: tuple[str, ...]
    table: IntArray
    rows: IntArray
    columns: IntArray

    def outcomes(self, gold: str | None, prediction: str | None) -> IntArray:
        """Return the outcomes that a cell counts; None stands for no mention."""
        row, column = (
            len(self.values) if value is None else self.values.index(value)
            for value in (gold, prediction)
        )
        return np.flatnonzero((self.rows == row) & (self.columns == column))

    def shortened(self, most: int) -> tuple[tuple[str, ...], IntArray]:
        """Return the ``most`` frequent values and their table; all others become one value."""
        if len(self.values) <= most:
            return (*self.values, _NO_MENTION), self.table
        edges = [*range(most + 1), len(self.values)]
        table = np.add.reduceat(np.add.reduceat(self.table, edges, axis=0), edges, axis=1)
        return (*self.values[:most], _OTHERS, _NO_MENTION), table

    def sheet(self, most: int) -> Sheet:
        """Lay out the matrix for :mod:`clineval.results.tables`; programs get all values."""
        values, counts = self.shortened(most)
        names = tuple(map(_spell, values))
        rows = zip(names, counts.tolist(), strict=True)
        table = Table(
            f"{self.slot}: gold (rows) and predicted (columns)",
            names,
            tuple((name, *map(str, row)) for name, row in rows),
        )
        every = [*self.values, None]  # None for no mention
        data = {"slot": self.slot, "values": every, "confusion": self.table.tolist()}
        return Sheet(lambda: [table], lambda: data)


def kinds_of(outcomes: Outcomes) -> tuple[str, ...]:
    """Return :data:`KINDS` with the challenge's word for classes, and the match's own kinds."""
    classes, own = outcomes.kind.class_slot, _find_match(outcomes).reasons
    usual = (classes.word if classes and kind == "code" else kind for kind in KINDS)
    return (*usual, *own)


def _find_match(outcomes: Outcomes) -> Match:
    """Return the match whose rows are sorted by kinds of errors."""
    name = NEAR_MISSES if NEAR_MISSES in outcomes.matches else outcomes.widest
    return outcomes.matches[name]


def classify(outcomes: Outcomes) -> IntArray:
    """Return ``[n]``, the kind of each row of that match, an index into :func:`kinds_of`."""
    match = _find_match(outcomes)
    kinds = _OF_ROLE[match.roles]
    paired = np.flatnonzero((match.gold != NONE) & (match.prediction != NONE))
    gold, prediction = match.gold[paired], match.prediction[paired]
    boundary = ~same_spans(outcomes.gold, gold, outcomes.prediction, prediction)
    code = ~_same_class(outcomes, match, paired)
    kinds[paired] = boundary + 2 * code
    kinds[match.is_among(["displaced"])] = _DISPLACED
    for number, rows in enumerate(match.reasons.values(), len(KINDS)):
        kinds[rows] = number
    return kinds


def count_mistakes(outcomes: Outcomes) -> dict[str, int]:
    """Count the rows of each kind."""
    names = kinds_of(outcomes)
    counts = np.bincount(classify(outcomes), minlength=len(names)).tolist()
    return dict(zip(names, counts, strict=True))


def find_frequent(outcomes: Outcomes, most: int = 10) -> list[Mistake]:
    """List the ``most`` frequent errors of each kind, by code or label.

    Examples:
        >>> from clineval import evaluate
        >>> gold = [[{"spans": [[0, 4]], "cui": "C1"}, {"spans": [[9, 12]], "cui": "C2"}]]
        >>> found = [[{"spans": [[0, 4]], "cui": "C3"}]]
        >>> outcomes = evaluate("semeval15_task14", found, gold).outcomes
        >>> [(m.kind, m.gold, m.prediction, len(m)) for m in find_frequent(outcomes)]
        [('code', 'c1', 'c3', 1), ('missed', 'c2', None, 1)]
    """
    match = _find_match(outcomes)
    kinds = classify(outcomes)
    names, mistakes = kinds_of(outcomes), []
    slots = dict.fromkeys(range(1, _DISPLACED), outcomes.class_slot)
    own = match.reason_slot or outcomes.class_slot
    for kind, slot in {**slots, **dict.fromkeys(range(len(KINDS), len(names)), own)}.items():
        gold, prediction = _values(outcomes, match, slot)
        rows = np.flatnonzero(kinds == kind)
        alike = [
            Mistake(names[kind], *values, tuple(rows[which].tolist()))
            for values, which in _group(outcomes, slot, gold[rows], prediction[rows])
        ]
        mistakes += sorted(alike, key=len, reverse=True)[:most]
    return mistakes


def list_reasonings(outcomes: Outcomes) -> list[Reasoning]:
    """List the chains from which links follow, and the cycles of contradictions, by document."""
    return [*_find_match(outcomes).reasonings()]


def describe(
    mistakes: Sequence[Mistake],
    kinds: Mapping[str, int],
    heading: str = "",
    reasonings: Sequence[Reasoning] = (),
    most: int = 10,
) -> Sheet:
    """Lay out frequent errors and the numbers of all kinds for :mod:`clineval.results.tables`.

    Args:
        mistakes: the errors.
        kinds: kind to its number.
        heading: the line above the tables.
        reasonings: chains of links; programs get all of them.
        most: how many of each kind a table shows.
    """
    numbers = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
    rows = tuple((m.kind, _spell(m.gold), _spell(m.prediction), str(len(m))) for m in mistakes)
    title = f"Most frequent errors ({numbers})"
    main = Table(title, ("gold", "predicted", "times"), rows)
    errors = [
        {"kind": m.kind, "gold": m.gold, "predicted": m.prediction, "times": len(m)}
        for m in mistakes
    ]
    data: dict[str, object] = {"kinds": dict(kinds), "errors": errors}
    if reasonings:
        data["reasonings"] = [reasoning.as_dict() for reasoning in reasonings]
    return Sheet(
        lambda: [main, *_tabulate(reasonings, most)], lambda: data, lambda: lines_of(main), heading
    )


def _spell(value: str | None) -> str:
    """Write a value for people; a tab joins the codes of a pair."""
    return value.replace("\t", " – ") if value else _NO_MENTION


def _tabulate(reasonings: Sequence[Reasoning], most: int) -> Iterator[Table]:
    """Lay out the first chains of each kind."""
    for kind in dict.fromkeys(reasoning.kind for reasoning in reasonings):
        own = [reasoning for reasoning in reasonings if reasoning.kind == kind]
        rows = ((r.document, r.side, str(r.link), ", ".join(map(str, r.chain))) for r in own[:most])
        yield Table(f"{kind}: {len(own)}", ("side", "link", "because of"), tuple(rows))


def _say_chain(chain: Sequence[NamedLink]) -> str:
    """Write the first links of a chain, and how many follow."""
    more = len(chain) - _SHOWN_LINKS
    return ", ".join([*map(str, chain[:_SHOWN_LINKS]), *([f"{more} more"] if more > 0 else [])])


def confuse(outcomes: Outcomes, slot: str) -> Confusion:
    """Make the confusion matrix of a slot, such as ``negation`` or the challenge's classes."""
    attributes = outcomes.gold.attributes
    check_name("slot", slot, attributes)
    match = outcomes.matches[outcomes.widest]
    gold, prediction = _values(outcomes, match, slot)
    size = len(attributes[slot].values)
    absent = _find_absent(attributes[slot], np.where(gold == NONE, prediction, gold))
    gold, prediction = (np.where(absent, NONE, values) for values in (gold, prediction))
    alone = (gold == NONE) | (prediction == NONE)
    counted = ~alone | np.isin(_OF_ROLE[match.roles], (_SPURIOUS, _MISSED))
    counted &= ~absent
    frequency = np.bincount(gold[gold != NONE], minlength=size) * len(match)
    frequency += np.bincount(prediction[counted & (prediction != NONE)], minlength=size)
    order = np.argsort(-frequency, kind="stable")[: int((frequency > 0).sum())]
    place = np.full(size + 1, len(order))  # the last place is for -1
    place[order] = np.arange(len(order))
    rows, columns = np.where(counted, place[gold], -1), np.where(counted, place[prediction], -1)
    width = len(order) + 1
    cells = rows[counted] * width + columns[counted]
    table = np.bincount(cells, minlength=width * width).reshape(width, width)
    values = tuple(attributes[slot].values[number] for number in order)
    return Confusion(slot, values, table, rows, columns)


def _find_absent(column: Coded, numbers: IntArray) -> BoolArray:
    """Return which annotations cannot have the slot, by the numbers of their values."""
    if ABSENT not in column.values:
        return np.zeros(len(numbers), np.bool_)
    return np.asarray(numbers == column.values.index(ABSENT))


def _same_class(outcomes: Outcomes, match: Match, paired: IntArray) -> BoolArray:
    slot = outcomes.class_slot
    if slot in match.equal:
        return match.equal[slot]
    gold, prediction = _values(outcomes, match, slot)
    same: BoolArray = gold[paired] == prediction[paired]
    return same


def _values(outcomes: Outcomes, match: Match, slot: str) -> tuple[IntArray, IntArray]:
    """Return ``[n]`` each, the numbers of the gold and predicted values; -1 for no mention."""
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
    """Yield the pairs of values that occur, and their positions."""
    names = (*outcomes.gold.attributes[slot].values, None)
    stride = len(names) + 1
    keys, group = np.unique((gold + 1) * stride + prediction + 1, return_inverse=True)
    order = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[order], np.arange(len(keys) + 1))
    for at, key in enumerate(keys.tolist()):
        values = (names[key // stride - 1], names[key % stride - 1])
        yield values, order[bounds[at] : bounds[at + 1]]
