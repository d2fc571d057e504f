"""``list.sort`` of CPython 2.7, comparison by comparison, slow and readable.

Independent of the package: used as its oracle on random data.

For a consistent order every stable sort gives the same list. For a comparison that is no order
the list depends on which pairs are compared, and later versions of Python compare others (the
merge policy changed in 3.11, the search for runs in 3.13). The algorithm is Tim Peters' as
described in CPython's listsort.txt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

Items = list[int]
Less = Callable[[int, int], bool]
_MIN_GALLOP = 7
_MIN_MERGE = 64


def sort_stably(items: Items, less: Less) -> Items:
    """Sort a copy.

    Args:
        items: what to sort.
        less: whether the first item comes before the second.

    Examples:
        >>> sort_stably([3, 1, 2], lambda a, b: a < b)
        [1, 2, 3]
    """
    return _Sort(list(items), less).run()


class _Sort:
    """One call: the list, the runs that wait to be merged, and how soon to gallop."""

    def __init__(self, items: Items, less: Less) -> None:
        self.items = items
        self.less = less
        self.runs: list[tuple[int, int]] = []  # start and length
        self.min_gallop = _MIN_GALLOP

    def run(self) -> Items:
        low, rest = 0, len(self.items)
        shortest = _shortest_run(rest)
        while rest:
            length = self._find_run(low)
            if length < shortest:
                forced = min(rest, shortest)
                self._insert(low, low + forced, low + length)
                length = forced
            self.runs.append((low, length))
            self._merge_pending()
            low, rest = low + length, rest - length
        while len(self.runs) > 1:
            n = len(self.runs) - 2
            self._merge_at(n - 1 if n > 0 and self.runs[n - 1][1] < self.runs[n + 1][1] else n)
        return self.items

    def _find_run(self, low: int) -> int:
        """Length of the run at ``low``, turned round if it falls strictly."""
        items, less, high = self.items, self.less, len(self.items)
        at = low + 1
        if at >= high:
            return high - low
        falling = less(items[at], items[low])
        at += 1
        while at < high and less(items[at], items[at - 1]) == falling:
            at += 1
        if falling:
            items[low:at] = items[low:at][::-1]
        return at - low

    def _insert(self, low: int, high: int, start: int) -> None:
        """Binary insertion of ``start:high`` into the sorted ``low:start``."""
        items, less = self.items, self.less
        for at in range(start, high):
            pivot = items[at]
            left, right = low, at
            while left < right:
                middle = (left + right) // 2
                if less(pivot, items[middle]):
                    right = middle
                else:
                    left = middle + 1
            items[left : at + 1] = [pivot, *items[left:at]]

    def _merge_pending(self) -> None:
        """Merge until the lengths of the waiting runs fall fast enough."""
        runs = self.runs
        while len(runs) > 1:
            n = len(runs) - 2
            size = [length for _, length in runs]
            if (n > 0 and size[n - 1] <= size[n] + size[n + 1]) or (
                n > 1 and size[n - 2] <= size[n - 1] + size[n]
            ):
                self._merge_at(n - 1 if size[n - 1] < size[n + 1] else n)
            elif size[n] <= size[n + 1]:
                self._merge_at(n)
            else:
                return

    def _merge_at(self, number: int) -> None:
        (a, a_size), (b, b_size) = self.runs[number : number + 2]
        self.runs[number : number + 2] = [(a, a_size + b_size)]
        items = self.items
        skipped = self.gallop_right(items[b], items[a:b], 0)
        if skipped == a_size:
            return
        end = b + self.gallop_left(items[b - 1], items[b : b + b_size], b_size - 1)
        if end == b:
            return
        left, right = items[a + skipped : b], items[b:end]
        merge = _Merge(self, left, right, forward=len(left) <= len(right))
        items[a + skipped : end] = merge.run()

    def gallop_left(self, key: int, run: Items, hint: int) -> int:
        """Where ``key`` belongs in a run, before all equals."""
        less = self.less
        if less(run[hint], key):
            low, high = _leap(hint, len(run) - hint, lambda at: less(run[at], key), 1)
        else:
            high, low = _leap(hint, hint + 1, lambda at: not less(run[at], key), -1)
        low += 1
        while low < high:
            middle = low + (high - low) // 2
            if less(run[middle], key):
                low = middle + 1
            else:
                high = middle
        return high

    def gallop_right(self, key: int, run: Items, hint: int) -> int:
        """Where ``key`` belongs in a run, after all equals."""
        less = self.less
        if less(key, run[hint]):
            high, low = _leap(hint, hint + 1, lambda at: less(key, run[at]), -1)
        else:
            low, high = _leap(hint, len(run) - hint, lambda at: not less(key, run[at]), 1)
        low += 1
        while low < high:
            middle = low + (high - low) // 2
            if less(key, run[middle]):
                high = middle
            else:
                low = middle + 1
        return high


class _Merge:
    """Merges two neighbouring runs, from the front or from the back.

    The side that is not longer has the outermost item, which is known and never compared.
    """

    def __init__(self, sort: _Sort, left: Items, right: Items, *, forward: bool) -> None:
        self.sort = sort
        self.left = left
        self.right = right
        self.forward = forward
        self.end = 0 if forward else -1
        self.merged: Items = []

    def run(self) -> Items:
        inner, outer = (self.right, self.left) if self.forward else (self.left, self.right)
        for _ in self._moves():
            if not inner or len(outer) <= 1:
                break
        if self.forward:
            return self.merged + self.right + self.left
        return self.right + self.left + self.merged[::-1]

    def _moves(self) -> Iterator[None]:
        """Move items one by one until one side wins too often, then as many as fit; and so on."""
        self._move(self.right if self.forward else self.left)
        yield
        gallop = self.sort.min_gallop
        while True:
            yield from self._one_by_one(gallop)
            gallop += 1
            far = True
            while far:
                gallop -= gallop > 1
                self.sort.min_gallop = gallop
                far = False
                for moved in self._many_at_once():
                    far |= moved >= _MIN_GALLOP
                    yield
            gallop += 1
            self.sort.min_gallop = gallop

    def _one_by_one(self, gallop: int) -> Iterator[None]:
        wins = {True: 0, False: 0}
        while max(wins.values()) < gallop:
            right = self.sort.less(self.right[self.end], self.left[self.end]) == self.forward
            wins = {right: wins[right] + 1, not right: 0}
            self._move(self.right if right else self.left)
            yield

    def _many_at_once(self) -> Iterator[int]:
        """Move what belongs before the other side's next item, then that item; yields how many."""
        for source, other, gallop in (
            (self.left, self.right, self.sort.gallop_right),
            (self.right, self.left, self.sort.gallop_left),
        ):
            at = gallop(other[self.end], source, 0 if self.forward else len(source) - 1)
            count = at if self.forward else len(source) - at
            for _ in range(count):
                self._move(source)
            yield count
            self._move(other)
            yield 0

    def _move(self, source: Items) -> None:
        self.merged.append(source.pop(self.end))


def _leap(hint: int, most: int, goes_on: Callable[[int], bool], step: int) -> tuple[int, int]:
    """Leap from ``hint`` by 1, 3, 7, ...; the last place that goes on, and the next one tried."""
    last, leap = 0, 1
    while leap < most and goes_on(hint + step * leap):
        last, leap = leap, 2 * leap + 1
    return hint + step * last, hint + step * min(leap, most)


def _shortest_run(size: int) -> int:
    odd = 0
    while size >= _MIN_MERGE:
        odd |= size & 1
        size >>= 1
    return size + odd
