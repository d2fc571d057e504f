"""Quotes that a note does not hold: the run of words that is nearest to each."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import pairwise

from clineval.answers.forms import Form
from clineval.base.errors import need

_WORD = re.compile(
    "(?:[^\\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff]|[\u0300-\u036f])+|\\S"
)
_ASCII_WORD = re.compile(r"\w+|\S", re.ASCII)
"""A word, or another sign; of scripts that have no blanks each character."""
Place = tuple[int, int]


class Nearest:
    """Finds the runs of words of a text that are nearest to quotes, by edits for a character."""

    def __init__(self, form: Form, distance: float) -> None:
        self._form, self._distance = form, distance
        self._starts, self._ends = form.runs(_ASCII_WORD if form.text.isascii() else _WORD)

    def find(self, quote: str) -> list[Place]:
        """Find where the text is nearest to a quote, in the order of the text.

        The distance is the number of characters that are inserted, deleted or replaced
        (Levenshtein). Of runs that are equally near and overlap the first counts, and of those
        that begin together the shortest.

        The quote is in the form of the text. There is no place if each needs more edits than
        allowed.
        """
        most = int(self._distance * len(quote))
        places = self._find_candidates(quote, most) if most else []
        if not places:
            return []
        problem = "match='fuzzy' needs rapidfuzz, which is not installed"
        measure = need("rapidfuzz.distance.Levenshtein", "answers", problem).distance
        text = self._form.text
        found = [measure(quote, text[start:end], score_cutoff=most) for start, end in places]
        least = min(found)
        if least > most:
            return []
        return _disjoint([at for at, edits in zip(places, found, strict=True) if edits == least])

    def _find_candidates(self, quote: str, most: int) -> list[Place]:
        """Find the runs of words that can be near enough, in the order of the text.

        Of a quote in one part more than there may be edits, one part at least is as it was, and
        has not moved by more than there may be edits.
        """
        text, starts, ends = self._form.text, self._starts, self._ends
        bounds = [len(quote) * part // (most + 1) for part in range(most + 2)]
        near: set[int] = set()
        for first, last in pairwise(bounds):
            part = quote[first:last]
            at = text.find(part)
            while at >= 0:
                low = bisect_left(starts, at - first - most)
                near.update(starts[low : bisect_right(starts, at - first + most, low)])
                at = text.find(part, at + 1)
        least, longest = max(len(quote) - most, 1), len(quote) + most
        return [
            (start, end)
            for start in sorted(near)
            for end in ends[bisect_left(ends, start + least) : bisect_right(ends, start + longest)]
        ]


def _disjoint(places: list[Place]) -> list[Place]:
    kept: list[Place] = []
    for start, end in places:
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
