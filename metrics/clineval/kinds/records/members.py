"""Words of texts and members of sets, which two values of a field may share."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from clineval.base.arrays import IntArray, expand_ranges
from clineval.kinds.records.values import INVALID

_NO_MEMBER = "\0 "
"""A member that no value has."""


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """The members of ``v`` values with their frequencies; ``m`` in all.

    Args:
        bounds: ``[v + 1]``; the members of value ``i`` are ``bounds[i]:bounds[i + 1]``.
        keys: ``[m]``, value and member as one number, ascending.
        times: ``[m]``, the frequency of the member in the value.
        sizes: ``[v]``, the number of the value's members with repeats.
        stride: the difference between the keys of consecutive values.
    """

    bounds: IntArray
    keys: IntArray
    times: IntArray
    sizes: IntArray
    stride: int

    def count_common(self, left: IntArray, right: IntArray) -> IntArray:
        """Count the shared members of pairs of values, ``[p]``, including shared repeats.

        Examples:
            >>> members = find_members(["a a b", "a b b c", ""])
            >>> members.count_common(np.array([0, 0]), np.array([1, 2])).tolist()
            [2, 0]
        """
        pair, own, other = self._find_common(left, right)
        common = np.minimum(self.times[own], self.times[other])
        return np.bincount(pair, common, len(left)).astype(np.int64)

    def count_found(self, left: IntArray, right: IntArray) -> IntArray:
        """Count the members of the left value of each pair that the right value has.

        Examples:
            >>> members = find_members(["a a b", "a b b c"])
            >>> members.count_found(np.array([0, 1]), np.array([1, 0])).tolist()
            [3, 3]
        """
        pair, own, _ = self._find_common(left, right)
        return np.bincount(pair, self.times[own], len(left)).astype(np.int64)

    def _find_common(self, left: IntArray, right: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Find the pair of each common member, and its places on the left and on the right."""
        low, high = self.bounds[left], self.bounds[left + 1]
        positions, pair = expand_ranges(low, high), np.repeat(np.arange(len(left)), high - low)
        step = right.astype(np.int64) - left
        wanted = self.keys[positions] + step[pair] * self.stride
        place = np.searchsorted(self.keys, wanted)
        common = (
            np.flatnonzero(self.keys.take(place, mode="clip") == wanted)
            if len(positions)
            else positions
        )
        return pair[common], positions[common], place[common]


def find_members(values: Sequence[str], *, listed: bool = False) -> Members:
    """Find the members of texts: their words, or the elements of JSON lists if ``listed``."""
    split = _open_lists(values) if listed else map(str.split, values)
    counts, members = [], []
    for value, part in zip(values, split, strict=True):
        own = [_NO_MEMBER] if value == INVALID else part
        counts.append(len(own))
        members += own
    sizes = np.array(counts, np.int64)
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    ids = np.fromiter(map(numbers.__getitem__, members), np.int64, len(members))
    stride = max(len(numbers), 1)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    keys, times = np.unique(owners * stride + ids, return_counts=True)
    bounds = np.searchsorted(keys, np.arange(len(sizes) + 1) * stride)
    return Members(bounds, keys, times, sizes, stride)


def _open_lists(values: Sequence[str]) -> list[list[str]]:
    """Parse JSON lists, all at once."""
    written = ("[]" if value in ("", INVALID) else value for value in values)
    parsed: list[list[str]] = json.loads(f"[{','.join(written)}]")
    return parsed
