"""Many merges of ``list.sort`` at once, drafted as if none of them galloped.

Merging one item after the other from the front, an item ``b`` of the second run goes before the
first item ``a`` of the first run that is larger by a tie's width or more, and before it go all
that came before ``b``. So if ``A`` and ``B`` are the largest items up to ``a`` and ``b``, ``b``
goes before ``a`` exactly if ``B + tie <= A``: to merge is to sort by ``A`` and ``B + tie``, and
that is done for all runs together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clineval.base.arrays import BoolArray, IntArray

SHIFT = 32
"""A key is a score, and below it, in this many bits, where the score stood."""
_WIDTH = 1 << 27

Merge = tuple[int, int, int, int]
"""Where the left run begins, where the right one does, where it ends, and how deep merges lie."""


class Drafts:
    """What short merges that follow one another come to if none of them gallops."""

    def __init__(self, keys: IntArray, merges: Sequence[Merge], tie: int) -> None:
        table = np.array(merges, np.int64).reshape(-1, 4)
        self.keys = keys
        self.start = int(table[:, 0].min(initial=len(keys)))
        part = keys[self.start : int(table[:, 2].max(initial=self.start))]
        self.levels = np.empty((1 + int(table[:, 3].max(initial=0)), len(part)), np.int64)
        self.levels[0] = part
        self.streaks: dict[Merge, int] = {}
        self.ready: dict[int, tuple[int, int]] = {}  # start: end and depth of what is done
        self.stale: set[int] = set()  # starts of what is not as it was drafted
        for depth in range(1, len(self.levels)):
            self.levels[depth] = self.levels[depth - 1]
            now = np.flatnonzero(table[:, 3] == depth)
            runs = table[now, :3].T - self.start
            streaks = _merge_all(self.levels[depth], runs, tie)
            self.streaks |= zip([merges[k] for k in now.tolist()], streaks.tolist(), strict=True)

    def holds(self, merge: Merge, patience: int) -> bool:
        """Whether no side wins often enough to gallop, and the runs are as they were drafted."""
        stale = merge[0] in self.stale or merge[1] in self.stale
        return not stale and self.streaks[merge] < patience

    def accept(self, merge: Merge) -> None:
        """The merge is done."""
        start, middle, end, depth = merge
        self.ready.pop(middle, None)
        self.ready[start] = end, depth

    def read_runs(self, merge: Merge) -> IntArray:
        """The items before the merge."""
        start, middle, end, _ = merge
        return np.concatenate([self._read(start, middle), self._read(middle, end)])

    def replace(self, merge: Merge, keys: IntArray) -> None:
        """The merge is done, and came to something else."""
        self.stale -= set(merge[:2])
        self.accept(merge)
        draft = self._read(merge[0], merge[2])
        if not np.array_equal(draft, keys):
            draft[:] = keys
            self.stale.add(merge[0])

    def hand_over(self, *starts: int) -> None:
        """Put what begins at these places, and is done, among all items."""
        for start in starts:
            if start in self.ready:
                end = self.ready[start][0]
                self.keys[start:end] = self._read(start, end)
                del self.ready[start]

    def _read(self, start: int, end: int) -> IntArray:
        depth = self.ready[start][1] if start in self.ready else 0
        return self.levels[depth, start - self.start : end - self.start]


def _merge_all(keys: IntArray, runs: IntArray, tie: int) -> IntArray:
    """Merge pairs of neighbouring runs in place.

    Returns:
        ``[k]``, how often at most a side wins in a row.
    """
    scores = keys >> SHIFT
    starts, middles, ends = runs
    low = starts + _leap_all(scores, starts, middles - starts, scores[middles] + tie, 1)
    high = ends - _leap_all(scores, ends - 1, ends - middles, tie - scores[middles - 1], -1)
    streaks = np.zeros(len(starts), np.int64)
    rows = np.flatnonzero((low < middles) & (middles < high))
    if len(rows):
        trimmed = np.stack([low, middles, high])[:, rows]
        streaks[rows] = _merge_trimmed(keys, scores, trimmed, tie)
    return streaks


def _leap_all(
    scores: IntArray, starts: IntArray, counts: IntArray, bounds: IntArray, step: int
) -> IntArray:
    """Leap in ``[k]`` runs at once; ``step`` -1 for turned ones."""

    def reaches(rows: IntArray, at: IntArray) -> BoolArray:
        found: BoolArray = step * scores[starts[rows] + step * at] >= bounds[rows]
        return found

    every = np.arange(len(starts))
    low = np.where(reaches(every, np.zeros_like(every)), 0, 1)
    high = np.where(low == 0, 0, counts)
    rows, leap = np.flatnonzero(low), 1
    while len(rows := rows[leap < counts[rows]]):
        there = reaches(rows, np.full(len(rows), leap))
        high[rows[there]] = leap
        rows = rows[~there]
        low[rows], leap = leap + 1, 2 * leap + 1
    while len(rows := np.flatnonzero(low < high)):
        middle = (low[rows] + high[rows] - (step < 0)) >> 1
        there = reaches(rows, middle)
        high[rows[there]] = middle[there]
        low[rows[~there]] = middle[~there] + 1
    return high


def _merge_trimmed(keys: IntArray, scores: IntArray, runs: IntArray, tie: int) -> IntArray:
    """As :func:`_merge_all`, without the items that stay where they are.

    It begins at the side of the shorter run; from the back all is turned round and negative.
    """
    starts, middles, ends = runs
    sizes = ends - starts
    begins = np.cumsum(sizes) - sizes
    backwards = middles - starts > ends - middles
    sign = np.where(backwards, -1, 1)
    source = np.repeat(sign, sizes) * np.arange(sizes.sum())
    source += np.repeat(np.where(backwards, ends - 1 + begins, starts - begins), sizes)
    first = np.where(backwards, ends - middles, middles - starts)
    lengths = np.stack([first, sizes - first], axis=1).ravel()
    # twice the largest so far of each run, that of a second run plus twice the tie's width; odd
    # if the run is a first one, so that it comes after its equals
    run = np.arange(len(lengths), dtype=np.int64)
    code = scores[source] * np.repeat(2 * sign, sizes) + np.repeat(run * _WIDTH, lengths)
    code = np.maximum.accumulate(code)
    code += np.repeat((run // 2 - run) * _WIDTH + np.where(run % 2, 2 * tie, 1), lengths)
    code[begins + first - 1] = run[::2] // 2 * _WIDTH + _WIDTH // 2 - 1
    order = np.argsort(code, kind="stable")
    keys[source] = keys[source[order]]
    turns = np.flatnonzero(np.diff(code[order] & 1, prepend=1))
    streaks = np.diff(turns, append=len(order))
    return np.maximum.reduceat(streaks, np.searchsorted(turns, begins))
