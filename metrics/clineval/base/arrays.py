"""Arrays and columns, on which all scores are computed, and checks of values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clineval.base.errors import InputError, shown

IntArray = NDArray[np.signedinteger[Any]]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
NumberArray = NDArray[np.number[Any]]
Given = TypeVar("Given")


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number that fits a float; booleans and NaN are not.

    Examples:
        >>> is_number(0.5), is_number(10**400), is_number(True), is_number("1")
        (True, False, False, False)
    """
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer of Python or NumPy; booleans are not."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_iterable(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether a value can be iterated over; arrays without dimensions cannot.

    Examples:
        >>> is_iterable([]), is_iterable(np.zeros(1)), is_iterable(np.array(1)), is_iterable(1)
        (True, True, False, False)
    """
    return isinstance(value, Iterable) and getattr(value, "shape", None) != ()


def is_array(value: object) -> bool:
    """Return whether a value is an array of items, for example of NumPy or PyTorch.

    A spaCy token has a shape but is not an array. Nor is an array without dimensions.

    Examples:
        >>> is_array(np.zeros(1)), is_array(np.array(1)), is_array([1])
        (True, False, False)
    """
    return hasattr(value, "__array__") and np.ndim(value) > 0


def is_list(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether a value is a series of items: iterable, but not text or a mapping.

    Examples:
        >>> is_list((1, 2)), is_list(np.zeros(1)), is_list("ab"), is_list({"a": 1})
        (True, True, False, False)
    """
    return is_iterable(value) and not isinstance(value, (str, bytes, Mapping))


def expect_list(given: object, wanted: str, where: str = "") -> Iterable[Any]:
    """Return the value if it is a series of items (:func:`is_list`).

    Args:
        given: the value.
        wanted: the expected value, for the message.
        where: the place, for the message.

    Raises:
        InputError: the value is not a series of items.
    """
    if not is_list(given):
        raise InputError(f"expected {wanted}, got {shown(given)}", where=where)
    return given


def expect_names(given: object, where: str) -> list[str]:
    """Return the value as a list of names.

    Raises:
        InputError: the value is not a list, or an item is not a string.
    """
    every = list(given) if is_list(given) else [None]
    names = [each for each in every if isinstance(each, str)]
    if len(names) < len(every):
        raise InputError(f"expected a list of names, got {shown(given)}", where=where)
    return names


def expect_all(kind: type[Given], given: object, wanted: str, where: str = "") -> list[Given]:
    """Return a list of objects of one type from a list or from a single object.

    Raises:
        InputError: an object has another type; the message names ``wanted``.
    """
    every = list(given) if is_list(given) else [given]
    expected = [item for item in every if isinstance(item, kind)]
    if len(expected) < len(every):
        stray = next(item for item in every if not isinstance(item, kind))
        raise InputError(f"expected {wanted}, got {shown(stray)}", where=where)
    return expected


@lru_cache(maxsize=256)
def _find_type(values: int) -> str:
    """Find the name of the smallest type of numbers of so many values."""
    return np.min_scalar_type(-max(1, values)).name


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of strings as small integers.

    Args:
        ids: ``[n]``, index into ``values``.
        values: the distinct strings.

    Examples:
        >>> column = Coded.of(["yes", "no", "yes"])
        >>> column.ids.tolist(), column.values
        ([0, 1, 0], ('yes', 'no'))
    """

    ids: IntArray
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        # most slots have few values: one byte for each mention is enough, instead of eight
        size = _find_type(len(self.values))
        if self.ids.dtype != size:
            object.__setattr__(self, "ids", self.ids.astype(size))

    @classmethod
    def of(cls, strings: Sequence[str]) -> Coded:
        """Assign numbers to the distinct strings in order of first appearance."""
        numbers = {value: number for number, value in enumerate(dict.fromkeys(strings))}
        ids = np.fromiter(map(numbers.__getitem__, strings), np.int32, len(strings))
        return cls(ids, tuple(numbers))

    def compact(self) -> Coded:
        """Return the same column without values that no row has.

        Examples:
            >>> Coded(np.array([2, 0, 2]), ("a", "b", "c")).compact().values
            ('a', 'c')
        """
        there = np.bincount(self.ids, minlength=len(self.values)) > 0
        if there.all():
            return self
        numbers: IntArray = np.cumsum(there) - 1
        values = (value for value, kept in zip(self.values, there, strict=True) if kept)
        return Coded(numbers.take(self.ids), tuple(values))

    def is_among(self, values: Collection[str]) -> BoolArray:
        """Return which rows have one of some values, ``[n]``.

        Examples:
            >>> Coded.of(["yes", "no", "yes"]).is_among({"yes", "maybe"}).tolist()
            [True, False, True]
        """
        wanted = np.array([value in values for value in self.values], np.bool_)
        return wanted[self.ids] if len(self.ids) else np.zeros(0, np.bool_)

    def blank(self, rows: BoolArray) -> Coded:
        """Return a copy in which some rows, ``[n]``, are empty.

        Examples:
            >>> column = Coded.of(["yes", "no"]).blank(np.array([True, False]))
            >>> column.values, column.ids.tolist()
            (('', 'no'), [0, 1])
        """
        wide = Coded(np.where(rows, 0, self.ids.astype(np.int64) + 1), ("", *self.values))
        return wide.fold(str, tuple(dict.fromkeys(wide.values))).compact()

    def fold(self, fold: Callable[[str], str], values: tuple[str, ...]) -> Coded:
        """Renumber by ``values``, which must contain the folded form of each value."""
        numbers = {value: number for number, value in enumerate(values)}
        renumber = [numbers[fold(value)] for value in self.values]
        if renumber == list(range(len(renumber))):
            return Coded(self.ids, values)
        table = Coded(np.array(renumber), values).ids
        return Coded(table.take(self.ids, mode="clip"), values)


def find_first(column: IntArray, values: ArrayLike) -> IntArray:
    """Find the first position of each value, or where to insert it, in a sorted column.

    NumPy's own search copies the whole column if the values have another type.

    Examples:
        >>> find_first(np.array([0, 0, 2, 2, 2], np.int32), [0, 1, 2, 3]).tolist()
        [0, 2, 2, 5]
    """
    return np.searchsorted(column, np.asarray(values, column.dtype))


def unite_keys(*keys: IntArray) -> IntArray:
    """Return the different keys, sorted, as ``np.union1d`` does, but faster.

    NumPy's function imports ``numpy.ma``, which takes longer than a score of a few notes.

    Examples:
        >>> unite_keys(np.array([3, 1]), np.array([1, 2])).tolist()
        [1, 2, 3]
    """
    every = np.sort(np.concatenate(keys), kind="stable")  # keys are often sorted parts
    new = np.ones(len(every), np.bool_)
    new[1:] = every[1:] != every[:-1]
    return every[new]


def expand_ranges(low: IntArray, high: IntArray) -> IntArray:
    """List the integers of all half-open ranges, one range after the other.

    Examples:
        >>> expand_ranges(np.array([3, 10, 10]), np.array([5, 10, 12])).tolist()
        [3, 4, 10, 11]
    """
    counts = high - low
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    shifts: IntArray = np.repeat(low - (ends - counts), counts)
    return np.arange(total) + shifts


def rank_rows(columns: Sequence[IntArray]) -> IntArray:
    """Rank the distinct rows of a table, sorted by the first column, then the next.

    Examples:
        >>> rank_rows([np.array([2, 1, 2]), np.array([0, 5, 0])]).tolist()
        [1, 0, 1]
    """
    if not columns or not len(columns[0]):
        return np.zeros(len(columns[0]) if columns else 0, np.int64)
    order = np.lexsort(columns[::-1])
    steps = np.zeros(len(order), np.int64)
    for column in columns:
        arranged = column[order]
        steps[1:] |= arranged[1:] != arranged[:-1]
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.cumsum(steps)
    return ranks


def number_repeats(keys: IntArray) -> IntArray:
    """Assign numbers to the rows of each key, from 0, in their order.

    Examples:
        >>> number_repeats(np.array([7, 3, 7, 7])).tolist()
        [0, 0, 1, 2]
    """
    order = np.argsort(keys, kind="stable")
    arranged = keys[order]
    numbers: IntArray = np.empty(len(keys), np.int64)
    numbers[order] = np.arange(len(keys)) - np.searchsorted(arranged, arranged)
    return numbers


def cover(keys: IntArray, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Merge the ranges of each key that overlap or touch.

    Args:
        keys: ``[f]``, not negative.
        starts: ``[f]``, not negative.
        ends: ``[f]``, exclusive, after the starts.

    Returns:
        Keys, starts and ends of the merged ranges, sorted by key and start.

    Examples:
        >>> ranges = cover(np.array([7, 7, 7]), np.array([4, 0, 1]), np.array([5, 2, 3]))
        >>> [column.tolist() for column in ranges]
        [[7, 7], [0, 4], [3, 5]]
    """
    order = np.lexsort((starts, keys))
    keys, starts, ends = keys[order], starts[order], ends[order]
    stride = np.int64(ends.max(initial=0)) + 1
    reach = np.maximum.accumulate(keys * stride + ends)
    new = np.ones(len(keys), np.bool_)
    new[1:] = keys[1:] * stride + starts[1:] > reach[:-1]
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(keys)) - 1 if len(keys) else first
    return keys[first], starts[first], reach[last] - keys[first] * stride
