"""The best assignment of rows to columns, each to one, by shortest augmenting paths.

Crouse, On implementing 2D rectangular assignment algorithms, IEEE Transactions on Aerospace and
Electronic Systems 52 (2016). With integer weights of any size, the result is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

Weights = Sequence[Sequence[float]]
_NOBODY = -1


def assign(weights: Weights) -> list[tuple[int, int]]:
    """Pair rows with columns so that the sum of the weights is largest.

    Each row has a partner, or each column if there are fewer columns. Rows are processed in order;
    among equally good columns the first free one is chosen. If there are fewer columns than rows,
    rows and columns change roles.

    Args:
        weights: ``[r][c]``, for each row the weight of each column.

    Returns:
        Pairs of a row and a column, in the order of the rows.

    Examples:
        >>> assign([[2, 1], [2, 0]]), assign([[1, 1, 1]]), assign([[0], [5]])
        ([(0, 1), (1, 0)], [(0, 0)], [(1, 0)])
    """
    if not weights or not weights[0]:
        return []
    if len(weights[0]) < len(weights):
        turned = assign(list(zip(*weights, strict=True)))
        return sorted((row, column) for column, row in turned)
    search = _Search([[-weight for weight in row] for row in weights])
    for row in range(len(weights)):
        search.add(row)
    return list(enumerate(search.column_of))


class _Search:
    """The assignment so far, with prices at which no other assignment is cheaper."""

    def __init__(self, costs: list[list[float]]) -> None:
        self.costs = costs
        self.column_of = [_NOBODY] * len(costs)
        self.row_of = [_NOBODY] * len(costs[0])
        self.row_price: list[float] = [0] * len(costs)
        self.column_price: list[float] = [0] * len(costs[0])

    def add(self, row: int) -> None:
        """Assign a column to a row; other rows may change their columns."""
        size = len(self.row_of)
        distance = [float("inf")] * size
        before = [_NOBODY] * size
        left = list(range(size - 1, -1, -1))
        reached, least, current_row, column = [row], 0.0, row, _NOBODY
        while True:
            column, least = self._step(current_row, least, left, distance, before)
            if self.row_of[column] == _NOBODY:
                break
            current_row = self.row_of[column]
            reached.append(current_row)
        self._change_prices(reached, least, left, distance)
        while column != _NOBODY:
            current_row = before[column]
            self.row_of[column] = current_row
            self.column_of[current_row], column = column, self.column_of[current_row]
            if current_row == row:
                return

    def _step(
        self, row: int, so_far: float, left: list[int], distance: list[float], before: list[int]
    ) -> tuple[int, float]:
        """Find the nearest remaining column from a row; in ties prefer a free column."""
        costs, own, prices = self.costs[row], self.row_price[row], self.column_price
        nearest, place = float("inf"), _NOBODY
        for number, column in enumerate(left):
            length = so_far + costs[column] - own - prices[column]
            if length < distance[column]:
                distance[column], before[column] = length, row
            length = distance[column]
            free = self.row_of[column] == _NOBODY
            if length < nearest or (length == nearest and free):
                nearest, place = length, number
        column = left[place]
        left[place] = left[-1]
        left.pop()
        return column, nearest

    def _change_prices(
        self, reached: list[int], least: float, left: list[int], distance: list[float]
    ) -> None:
        first, *others = reached
        self.row_price[first] += least
        for row in others:
            self.row_price[row] += least - distance[self.column_of[row]]
        for column in set(range(len(distance))).difference(left):
            self.column_price[column] -= least - distance[column]
