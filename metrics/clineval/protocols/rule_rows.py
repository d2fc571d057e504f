"""The rows that a rule returns for each document, checked and turned into matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called, shown
from clineval.results.match import NONE, VERDICTS, Match

Row: TypeAlias = (
    "tuple[int | None, int | None, str] | tuple[int | None, int | None, str, Mapping[str, float]]"
)
"""The indices of a gold and a predicted item, a verdict, and the values that a pair adds to
sums."""
Added = Mapping[str, float]
"""Name of a sum to the value that a pair adds."""
_Columns: TypeAlias = "tuple[IntArray, IntArray, NDArray[np.int8], Sequence[Added]]"
"""Gold and predicted indices, verdicts, and the values that rows add to sums; empty without
sums."""
_WITHOUT_SUMS = 3
_NUMBERS = {verdict: number for number, verdict in enumerate(VERDICTS)}
_TP = _NUMBERS["tp"]
_NOTHING: Added = {}


@dataclass(slots=True)
class RuleRows:
    """The rows of one kind of match, one document after the other.

    Args:
        name: the kind of match.
        main: the main kind of match; only its pairs add to sums.
        sums: the names of the sums.
        pairs: whether only pairs may be true positives.
    """

    name: str
    main: str
    sums: tuple[str, ...]
    pairs: bool
    rows: list[Row] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    """Number of a document to the number of its rows."""

    def add(self, document: int, rows: Iterable[Row]) -> None:
        """Add the rows of a document."""
        before = len(self.rows)
        self.rows += rows
        self.counts[document] = len(self.rows) - before

    def as_match(
        self, names: Sequence[str], bounds: Sequence[IntArray]
    ) -> tuple[Match, Sequence[Added]]:
        """Build a match, and list the values that its pairs add to sums.

        Args:
            names: the names of the documents.
            bounds: ``[documents + 1]`` for each side, where the items of each document begin.

        Raises:
            InputError: a row is wrong; the message names the first one.
        """
        documents = np.repeat([*self.counts], [*self.counts.values()]).astype(np.int64)
        columns = self._take_apart(documents, bounds) if self.rows else _EMPTY
        if columns is None:
            self._name_problem(names, documents, bounds)
        gold, prediction, verdict, added = columns
        order = np.argsort((gold < 0) | (prediction < 0), kind="stable")
        match = Match(gold[order], prediction[order], verdict[order], VERDICTS)
        return match, [added[at] for at in order[: match.pairs].tolist()] if added else []

    def _take_apart(self, documents: IntArray, bounds: Sequence[IntArray]) -> _Columns | None:
        """Turn the rows into columns; None if one of them is wrong."""
        with_sums = bool(self.sums) and self.name == self.main
        try:
            filled = map(_fill, self.rows) if with_sums else self.rows
            golds, predictions, verdicts, *rest = zip(*filled, strict=True)
            verdict = np.array([_NUMBERS.get(each, NONE) for each in verdicts], np.int8)
        except (TypeError, ValueError):
            return None
        gold, prediction = (
            _number(places, side[documents], side[documents + 1])
            for places, side in zip((golds, predictions), bounds, strict=True)
        )
        if gold is None or prediction is None or len(rest) != with_sums:
            return None
        added = cast(Sequence[Added], rest[0] if rest else ())
        alone = (gold < 0) | (prediction < 0)
        wrong = (verdict < 0) | ((gold < 0) & (prediction < 0))
        wrong |= alone & (verdict == _TP) if self.pairs else False
        for lone, of_row in zip(alone, added, strict=True) if with_sums else ():
            if of_row and (lone or not of_row.keys() <= {*self.sums}):
                return None
        return None if wrong.any() else (gold, prediction, verdict, added)

    def _name_problem(
        self, names: Sequence[str], documents: IntArray, bounds: Sequence[IntArray]
    ) -> NoReturn:
        """Raise the error of the first row that is wrong."""
        firsts = {
            document: position for position, document in reversed([*enumerate(documents.tolist())])
        }
        for position, (document, row) in enumerate(zip(documents.tolist(), self.rows, strict=True)):
            sizes = [int(side[document + 1] - side[document]) for side in bounds]
            if problem := self._find_problem(row, sizes):
                number = position - firsts[document] + 1
                where = f"document {called(names[document])}, match {self.name!r}"
                raise InputError(problem, where=f"{where}, row {number} of the rule")
        raise AssertionError(self.name)

    def _find_problem(self, row: Row, sizes: Sequence[int]) -> str:
        """Describe the problem of a row; empty if there is none."""
        *places, verdict = row[:_WITHOUT_SUMS]
        if len(row) < _WITHOUT_SUMS or verdict not in VERDICTS:
            return "expected a gold index, a predicted index and one of " + ", ".join(VERDICTS)
        for side, place, size in zip(("gold", "predicted"), places, sizes, strict=True):
            if not isinstance(place, (int, np.integer, type(None))):
                return f"expected the index of a {side} item or None, got {shown(place)}"
            if place is not None and place not in range(size):
                return f"there is no {side} item {place} among {size}"
        if places == [None, None]:
            return "expected an item on at least one side"
        if self.pairs and verdict == "tp" and None in places:
            return "expected a pair. Pass pairs=False if one item can be a tp"
        return self._judge_sums(row) if len(row) > _WITHOUT_SUMS else ""

    def _judge_sums(self, row: Row) -> str:
        """Describe the problem of a row's values for sums; empty if there is none."""
        if self.name != self.main:
            return f"only pairs of the first kind of match, {self.main!r}, add to sums"
        if None in row or {*row[-1]} - {*self.sums}:
            known = ", ".join(self.sums) or "none"
            return f"only pairs add to sums, and only to declared sums: {known}"
        return ""


_EMPTY: _Columns = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int8), ())


def _fill(row: Row) -> Sequence[object]:
    """Return a row with its values for sums, which may be empty."""
    return (*row, _NOTHING) if len(row) == _WITHOUT_SUMS else row


def _number(places: tuple[object, ...], first: IntArray, end: IntArray) -> IntArray | None:
    """Return ``[n]``, indices among the items of all documents; None if one is wrong."""
    numbers = np.array([NONE if place is None else place for place in places])
    if numbers.dtype.kind not in "iub":
        return None
    known = numbers >= 0
    moved: IntArray = np.where(known, numbers + first, NONE)
    right = int(known.sum()) + places.count(None) == len(places) and (moved < end).all()
    return moved if right else None
