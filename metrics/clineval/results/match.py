"""A match: pairs of gold and predicted mentions under one rule, and unpaired mentions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:  # only closures have them
    from clineval.results.reasoning import Reasoning

NONE = -1
"""The row of a missing mention."""
VERDICTS = ("tp", "fp", "fn", "displaced")
Scalar = TypeVar("Scalar", bound=np.generic)
Values = BoolArray | IntArray | FloatArray
Sums = Callable[[], Iterable[tuple[str, Values]]]
Reasonings: TypeAlias = "Callable[[], Iterable[Reasoning]]"


def no_reasonings() -> Iterable[Reasoning]:
    """Return no reasonings."""
    return ()


def no_sums() -> Iterable[tuple[str, Values]]:
    """Return no sums."""
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """All outcomes under one kind of match: ``n`` rows; the first ``p`` rows are pairs.

    Args:
        gold: ``[n]``, row of the gold mention; -1 if there is none. (If mentions are not paired one
            to one, true positives have no gold row either.)
        prediction: ``[n]``, row of the predicted mention; -1 if there is none.
        verdict: ``[n]``, index into ``verdicts``.
        verdicts: the verdicts' names. Mentions have ``tp``, ``fp``, ``fn``, and ``displaced`` for a
            prediction that counts as neither.
        columns: name of a column of the counts to the verdicts that it counts.
        equal: slot to ``[p]``, whether pairs agree in it by the protocol's rules.
        sums: returns names and ``[p]`` values of the columns that are sums over the pairs.
        reasons: name of a kind of error to ``[n]``, which rows are errors of this kind; they are
            more specific than the usual kinds.
        reason_slot: the slot whose values lists of these errors show; empty for the class.
        reasonings: returns the chains of links from which links follow, and of contradictions.
    """

    gold: IntArray
    prediction: IntArray
    verdict: IntArray
    verdicts: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    equal: Mapping[str, BoolArray] = field(default_factory=dict)
    sums: Sums = no_sums
    reasons: Mapping[str, BoolArray] = field(default_factory=dict)
    reason_slot: str = ""
    reasonings: Reasonings = no_reasonings

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, str]]) -> Match:
        """Build a match from rows (gold mention, predicted mention, verdict), pairs first.

        Examples:
            >>> Match.of([(0, 3, "tp"), (NONE, 4, "displaced"), (1, NONE, "fn")]).verdict.tolist()
            [0, 3, 2]
        """
        columns = [(gold, found, VERDICTS.index(verdict)) for gold, found, verdict in rows]
        gold, prediction, verdict = np.array(columns, np.int64).reshape(-1, 3).T
        return cls(gold, prediction, verdict.astype(np.int8), VERDICTS)

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def pairs(self) -> int:
        """``p``, the number of rows with both a gold and a predicted mention."""
        return int(((self.gold >= 0) & (self.prediction >= 0)).sum())

    def rows(self, column: str) -> IntArray:
        """Return the rows behind a column of the counts."""
        return np.flatnonzero(self.is_among(self.columns[column]))

    def is_among(self, names: Collection[str]) -> BoolArray:
        """Return whether the verdict of each row has one of the names, ``[n]``."""
        wanted = [at for at, name in enumerate(self.verdicts) if name in names]
        return np.isin(self.verdict, wanted)

    @property
    def roles(self) -> IntArray:
        """``[n]``, the verdict of each row as an index into :data:`VERDICTS`.

        A verdict with another name has the role of the column that counts it, such as ``_tp``. If
        no such column counts it, the role depends on the mentions that the row has.

        Examples:
            >>> rows = map(np.array, ([0, NONE, 1], [NONE, 0, NONE], [0, 0, 1]))
            >>> counted = {"recall_tp": ("found",), "recall_fn": ("lost",)}
            >>> Match(*rows, ("found", "lost"), counted).roles.tolist()
            [0, 0, 2]
        """
        roles = np.where(self.gold < 0, 1, np.where(self.prediction < 0, 2, 0))
        for number, role in enumerate(VERDICTS):
            counting = [names for key, names in self.columns.items() if key.endswith(f"_{role}")]
            own = {name for names in counting for name in names} - {*VERDICTS}
            roles[self.is_among({role, *own})] = number
        return roles

    def take(self, rows: IntArray, columns: Mapping[str, tuple[str, ...]]) -> Match:
        """Return some of the rows, in their order, with other counts."""
        pairs = rows[rows < self.pairs]
        return replace(
            self,
            gold=self.gold[rows],
            prediction=self.prediction[rows],
            verdict=self.verdict[rows],
            columns=columns,
            equal={slot: equal[pairs] for slot, equal in self.equal.items()},
            sums=no_sums,
            reasons={name: which[rows] for name, which in self.reasons.items()},
        )

    def shift(self, golds: int, predictions: int) -> Match:
        """Return a copy with rows moved by the numbers of preceding mentions of both sides."""
        gold, prediction = (
            np.where(rows < 0, NONE, rows + before)
            for rows, before in ((self.gold, golds), (self.prediction, predictions))
        )
        return replace(self, gold=gold, prediction=prediction)

    def choose(self, gold: NDArray[Scalar], prediction: NDArray[Scalar]) -> NDArray[Scalar]:
        """Choose each row's value, ``[n]``: the gold mention's, or else the predicted one's."""
        chosen = np.empty(len(self), np.result_type(gold, prediction))
        has_gold = self.gold >= 0
        chosen[has_gold] = gold[self.gold[has_gold]]
        chosen[~has_gold] = prediction[self.prediction[~has_gold]]
        return chosen

    def tally(self, group: IntArray, groups: int) -> dict[str, FloatArray]:
        """Count each column for each group, ``[groups]`` each."""
        counts: dict[str, FloatArray] = {
            column: np.bincount(group[self.rows(column)], minlength=groups).astype(np.float64)
            for column in self.columns
        }
        for column, values in self.sums():
            counts[column] = np.bincount(group[: len(values)], values, groups).astype(np.float64)
        return counts
