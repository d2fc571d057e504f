"""Pair entities as the i2b2 2012 program does: each of one side against all of the other.

The pairing is not one to one in both directions, so precision and recall have one each. Names in
brackets are cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from clineval.challenges.i2b2_2012_temporal.official.tags import Entity
from clineval.challenges.i2b2_2012_temporal.official.values import same_value

Right = tuple[bool, ...]
"""Which attributes of a pair are right."""
NOBODY = -1


@dataclass(slots=True)
class Pairing:
    """The partners of one side's entities.

    Args:
        firsts, seconds: the entities of both sides.
        ids: the ids of the other side that an entity overlaps, or its own [l16].
        scores: 1 for a pair with the same words, 0.5 for another pair, 0 for none.
        partners: the partner of each entity, or :data:`NOBODY`.
        right: which attributes are right.
        holders: who holds an entity of the other side.
    """

    firsts: Sequence[Entity]
    seconds: Sequence[Entity]
    ids: dict[str, list[str]]
    scores: list[float]
    partners: list[int]
    right: list[Right]
    holders: dict[int, int] = field(default_factory=dict)

    @classmethod
    def between(cls, firsts: Sequence[Entity], seconds: Sequence[Entity], take: Take) -> Pairing:
        """Pair entities in their order; ``take`` decides who gets whom."""
        size = len(firsts)
        self = cls(firsts, seconds, {}, [0.0] * size, [NOBODY] * size, [()] * size)
        overlapped: dict[str, list[str]] = {entity.id: [] for entity in firsts}
        for one, other in _list_overlaps(firsts, seconds):
            overlapped[firsts[one].id].append(seconds[other].id)
            same = firsts[one].words == seconds[other].words  # whatever the offsets [i05, i05b]
            take(self, one, other, 1.0 if same else 0.5)
        self.ids = {name: ids or [name] for name, ids in overlapped.items()}
        return self

    def compare(self, one: int, other: int) -> Right:
        """Return which attributes of two entities are the same text."""
        sides = self.firsts[one].attributes, self.seconds[other].attributes
        return tuple(a == b for a, b in zip(*sides, strict=True))

    def give(self, one: int, other: int, score: float, right: Right) -> None:
        """Make two entities partners; the former partner of the first one is free."""
        self.holders.pop(self.partners[one], None)
        self._set(one, other, score, right)

    def rob(self, one: int, other: int, score: float, right: Right) -> None:
        """Take an entity from its holder, which keeps nothing [i10, v13]."""
        self.scores[self.holders[other]], self.right[self.holders[other]] = 0.0, ()
        self.partners[self.holders[other]] = NOBODY
        self._set(one, other, score, right)

    def count(self, *, exact: bool) -> int:
        """Count the entities that are found."""
        return sum(score > (0.5 if exact else 0) for score in self.scores)

    def _set(self, one: int, other: int, score: float, right: Right) -> None:
        self.scores[one], self.partners[one], self.right[one] = score, other, right
        self.holders[other] = one


Take = Callable[[Pairing, int, int, float], None]


def take_event(pairing: Pairing, one: int, other: int, score: float) -> None:
    """Pair events: the same words first, then more right attributes [i12]."""
    right = pairing.compare(one, other)
    better = sum(right) > sum(pairing.right[one])  # a half match needs a right attribute [i11]
    holder, exact = pairing.holders.get(other), pairing.scores[one] == 1
    if holder is None:
        if (better and not exact) if score < 1 else (better or not exact):
            pairing.give(one, other, score, right)
    elif score == 1 and pairing.scores[holder] < 1:
        pairing.rob(one, other, score, right)


def take_time(pairing: Pairing, one: int, other: int, score: float) -> None:
    """Pair times: while the value is wrong, the next one that overlaps is taken [v13b]."""
    kind, _, modifier = pairing.compare(one, other)
    value = same_value(pairing.firsts[one].attributes, pairing.seconds[other].attributes)
    right, holder = (kind, value, modifier), pairing.holders.get(other)
    if holder is None:
        if not any(pairing.right[one][1:2]):
            pairing.give(one, other, score, right)
    elif pairing.scores[holder] < 1:
        pairing.rob(one, other, score, right)


def _list_overlaps(
    firsts: Sequence[Entity], seconds: Sequence[Entity]
) -> Iterator[tuple[int, int]]:
    """Yield pairs that overlap: by two characters if the second one begins earlier [i03]."""
    if not firsts or not seconds:
        return
    start, end, spoken = _columns(firsts)
    other_start, other_end, other_spoken = _columns(seconds)
    before = start[:, None] <= other_start
    after_start = np.where(before, end[:, None] > other_start, other_end > start[:, None] + 1)
    overlaps = after_start & spoken[:, None].astype(bool) & other_spoken.astype(bool)
    yield from zip(*(rows.tolist() for rows in np.nonzero(overlaps)), strict=True)


def _columns(entities: Sequence[Entity]) -> np.ndarray:
    return np.array([(entity.start, entity.end, entity.spoken) for entity in entities]).T
