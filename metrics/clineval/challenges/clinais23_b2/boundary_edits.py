"""Boundary edit distance: how one segmentation of a text becomes another.

Fournier, Evaluating Text Segmentation using Boundary Edit Distance, ACL 2013. The edits are the
same, one by one, as in the author's released algorithm. That algorithm visits all positions for
every displacement. This one visits only boundaries on which the two sides differ, of all notes at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray, expand_ranges, unite_keys
from clineval.base.errors import InputError, called
from clineval.kinds.mentions.batches import MOST_PAIRS
from clineval.kinds.sections.segmentation import Boundaries

KINDS = ("match", "addition", "deletion", "substitution", "transposition")
MATCH, ADDITION, DELETION, SUBSTITUTION, TRANSPOSITION = range(len(KINDS))
_NONE = -1
_ROUNDS, _PART = 8, 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Edits:
    """The edits and matches of the boundaries of both sides, by note and position.

    Args:
        note: ``[e]``, index of the note.
        kind: ``[e]``, index into :data:`KINDS`; a match is not an edit, but is listed too.
        position: ``[e]``, token of the gold boundary; of a deletion, of the predicted one.
        displacement: ``[e]``, tokens from the gold boundary to the predicted one, negative if
            it was predicted too early; 0 for all but transpositions.
        gold: ``[e]``, label of the gold boundary; -1 for a deletion.
        prediction: ``[e]``, label of the predicted boundary; -1 for an addition.
    """

    note: IntArray
    kind: IntArray
    position: IntArray
    displacement: IntArray
    gold: IntArray
    prediction: IntArray

    def __len__(self) -> int:
        return len(self.note)

    def take(self, rows: IntArray) -> Edits:
        """Return the edits at ``rows``, in that order."""
        return Edits(*(getattr(self, name)[rows] for name in self.__slots__))

    def numbers(self, kind: int, notes: int) -> IntArray:
        """Return ``[notes]``, the number of edits of one kind in each note."""
        return np.bincount(self.note[self.kind == kind], minlength=notes)

    def sums(self, values: FloatArray, notes: int) -> FloatArray:
        """Return ``[notes]``, the sum of the edits' ``values``, ``[e]``, for each note."""
        return np.bincount(self.note, values, minlength=notes).astype(np.float64)


def find_edits(
    gold: Boundaries, prediction: Boundaries, n_t: int, names: Sequence[str] = ()
) -> Edits:
    """Find the edits that turn the predicted boundaries into the gold ones.

    A boundary with the same label at the same token is a match. Next, an unmatched gold and an
    unmatched predicted boundary with the same label within reach are a transposition: nearest
    pairs first, then from left to right. Each boundary is transposed at most once. If both tokens
    still hold a gold and a predicted boundary, they are left for two substitutions. Then a gold
    and a predicted boundary at the same token are a substitution, a gold boundary alone is an
    addition (it was missed), and a predicted one alone a deletion (it is spurious).

    Args:
        gold: the gold boundaries.
        prediction: the predicted boundaries, of the same notes.
        n_t: transpositions have a displacement of at most ``n_t - 1`` tokens.
        names: the notes' names, for messages.

    Raises:
        InputError: too many boundaries of a note could be transposed.

    Examples:
        >>> gold = Boundaries(np.array([0, 0]), np.array([0, 5]), np.array([0, 1]))
        >>> late = Boundaries(np.array([0, 0]), np.array([0, 8]), np.array([0, 1]))
        >>> edits = find_edits(gold, late, n_t=40)
        >>> [KINDS[kind] for kind in edits.kind], edits.displacement.tolist()
        (['match', 'transposition'], [0, 3])
        >>> [KINDS[kind] for kind in find_edits(gold, late, n_t=3).kind]
        ['match', 'addition', 'deletion']
    """
    largest = max(int(side.position.max(initial=0)) for side in (gold, prediction))
    reach = min(n_t - 1, largest)
    left, right = (_Rows.of(side, largest + 1 + reach) for side in (gold, prediction))
    a, b = _at_same_place(left, right)
    same = left.label[a] == right.label[b]
    pairs = [(MATCH, left.row[a[same]], right.row[b[same]])]
    left, right = left.without(a[same]), right.without(b[same])
    low, high, order = _find_ranges(left, right, reach)
    _refuse_too_many(gold.note[left.row], high - low, names)
    candidates = np.repeat(np.arange(len(low)), high - low), order[expand_ranges(low, high)]
    a, b = _choose_transpositions(left, right, *candidates)
    pairs.append((TRANSPOSITION, left.row[a], right.row[b]))
    left, right = left.without(a), right.without(b)
    a, b = _at_same_place(left, right)
    pairs.append((SUBSTITUTION, left.row[a], right.row[b]))
    return _list_edits(gold, prediction, pairs)


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Boundaries ``[k]`` of one side; keys of notes lie farther apart than a boundary can move."""

    row: IntArray
    key: IntArray
    label: IntArray

    @classmethod
    def of(cls, side: Boundaries, stride: int) -> _Rows:
        keys = side.note.astype(np.int64) * stride + side.position
        return cls(np.arange(len(side)), keys, side.label)

    def without(self, taken: IntArray) -> _Rows:
        rest = _others(taken, len(self.row))
        return _Rows(self.row[rest], self.key[rest], self.label[rest])


def _at_same_place(left: _Rows, right: _Rows) -> tuple[IntArray, IntArray]:
    at = np.searchsorted(right.key, left.key)
    found = np.flatnonzero(np.append(right.key, _NONE)[at] == left.key)
    return found, at[found]


def _others(taken: IntArray, size: int) -> IntArray:
    return np.flatnonzero(~_mark(taken, size))


def _mark(rows: IntArray, size: int) -> BoolArray:
    marked = np.zeros(size, np.bool_)
    marked[rows] = True
    return marked


def _refuse_too_many(note: IntArray, pairs: IntArray, names: Sequence[str]) -> None:
    of_note = np.bincount(note, pairs)
    if of_note.max(initial=0) > MOST_PAIRS:
        number = int(of_note.argmax())
        raise InputError(
            "gold and predicted boundaries of one label are closer than n_t tokens in more than "
            f"{MOST_PAIRS:,} pairs",
            where=f"note {called(names[number]) if names else number}",
            remedy="Choose a smaller n_t",
        )


def _choose_transpositions(
    gold: _Rows, prediction: _Rows, left: IntArray, right: IntArray
) -> tuple[IntArray, IntArray]:
    """Choose the transposed boundaries among candidate pairs, ``left`` and ``right``."""
    places = unite_keys(gold.key, prediction.key)
    gold_place, predicted_place = (np.searchsorted(places, s.key) for s in (gold, prediction))
    leftmost = np.minimum(gold_place[left], predicted_place[right])
    order = np.lexsort((leftmost, np.abs(gold.key[left] - prediction.key[right])))
    left, right = left[order], right[order]
    accepted = _accept_in_order(
        gold_place[left],
        predicted_place[right],
        _mark(gold_place, len(places)),
        _mark(predicted_place, len(places)),
    )
    return left[accepted], right[accepted]


def _find_ranges(gold: _Rows, prediction: _Rows, reach: int) -> tuple[IntArray, IntArray, IntArray]:
    """Find ranges of the order, the third array, with equal labels at most ``reach`` apart."""
    stride = max(int(side.key.max(initial=0)) for side in (gold, prediction)) + 1 + reach
    wanted, offered = (
        side.label.astype(np.int64) * stride + side.key for side in (gold, prediction)
    )
    order = np.argsort(offered)
    low = np.searchsorted(offered[order], wanted - reach, side="left")
    high = np.searchsorted(offered[order], wanted + reach, side="right")
    return low, high, order


def _accept_in_order(
    gold_place: IntArray, predicted_place: IntArray, gold_at: BoolArray, predicted_at: BoolArray
) -> IntArray:
    """Go through candidate transpositions in order, and accept each that is still possible.

    A candidate that is the first one at both its places does not depend on undecided candidates,
    so each round decides all of these at once. After a few rounds, the remaining candidates are
    decided one by one, part after part.

    ``gold_at`` and ``predicted_at``, ``[places]``, mark the places of boundaries; transposed
    boundaries are removed from them.
    """
    first = np.zeros(len(gold_at), np.int64)
    accepted = [np.zeros(0, np.int64)]
    for low in range(0, len(gold_place), _PART):
        rest = np.arange(low, min(low + _PART, len(gold_place)))
        rest = rest[gold_at[gold_place[rest]] & predicted_at[predicted_place[rest]]]
        for _ in range(_ROUNDS):
            a, b = gold_place[rest], predicted_place[rest]
            # the last assignment to a repeated index wins, so in reverse order the first one wins
            first[np.stack([a, b], 1).ravel()[::-1]] = np.repeat(rest, 2)[::-1]
            certain = (first[a] == rest) & (first[b] == rest)
            two_substitutions = predicted_at[a] & gold_at[b]
            taken = certain & ~two_substitutions
            accepted.append(rest[taken])
            gold_at[a[taken]] = False
            predicted_at[b[taken]] = False
            rest = rest[~certain & gold_at[a] & predicted_at[b]]
        places = gold_place[rest].tolist(), predicted_place[rest].tolist()
        for row, i, j in zip(rest.tolist(), *places, strict=True):
            if gold_at[i] and predicted_at[j] and not (predicted_at[i] and gold_at[j]):
                accepted.append(np.array([row]))
                gold_at[i] = predicted_at[j] = False
    return np.concatenate(accepted)


def _list_edits(
    gold: Boundaries, prediction: Boundaries, pairs: list[tuple[int, IntArray, IntArray]]
) -> Edits:
    """List the pairs of gold and predicted rows by kind, and all rows that are not in a pair."""
    missed = _others(np.concatenate([rows for _, rows, _ in pairs]), len(gold))
    spurious = _others(np.concatenate([rows for *_, rows in pairs]), len(prediction))
    pairs = [
        *pairs,
        (ADDITION, missed, np.full(len(missed), _NONE)),
        (DELETION, np.full(len(spurious), _NONE), spurious),
    ]
    kind = np.repeat([kind for kind, *_ in pairs], [len(rows) for _, rows, _ in pairs])
    left = np.concatenate([rows for _, rows, _ in pairs])
    right = np.concatenate([rows for *_, rows in pairs])
    golds = [np.append(column, _NONE)[left] for column in (gold.note, gold.position, gold.label)]
    found = prediction.note, prediction.position, prediction.label
    predictions = [np.append(column, _NONE)[right] for column in found]
    only_predicted, both = left == _NONE, (left != _NONE) & (right != _NONE)
    note, position = (np.where(only_predicted, predictions[at], golds[at]) for at in (0, 1))
    displacement = np.where(both, predictions[1] - golds[1], 0)
    order = np.lexsort((kind, position, note))
    columns = (note, kind, position, displacement, golds[2], predictions[2])
    return Edits(*(column[order] for column in columns))
