"""Forms of a text in which quotes are searched: unchanged, without line breaks, without case.

For a quote that the note does not contain, find the nearest run of words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import normalize

from clineval.answers.policies import Match
from clineval.base.errors import need

Place = tuple[int, int]
_SPACES = re.compile(r"\s+")
_OTHER_SPACES = re.compile(r"[^\S ]|  ")
_TYPED = dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
_TYPED |= dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
_TYPED |= dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
"""Quotation marks and dashes that models often write differently."""
_WORD = re.compile(
    "(?:[^\\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff]|[\u0300-\u036f])+|\\S"
)
_ASCII_WORD = re.compile(r"\w+|\S", re.ASCII)
"""A word or another sign; in scripts without blanks, each character."""


class _Folding(dict[int, str]):
    """Case-folded, decomposed characters, computed when they first occur."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        folded = _TYPED.get(letter) or normalize("NFKD", normalize("NFKD", letter).casefold())
        self[code] = folded
        return folded


_FOLDING = _Folding()


@dataclass(frozen=True, slots=True)
class Form:
    """A text in the form in which it is compared with quotes.

    Args:
        text: the text in this form.
        origin: the position of each character in the original, and the original's length; None if
            positions are equal.
    """

    text: str
    origin: Sequence[int] | None = None

    def find(self, quote: str) -> list[Place]:
        """Find the places of a quote in the order of the text, except those that cut a word.

        If every place cuts a word, as in languages without blanks, return all places.
        """
        if not quote:
            return []
        text, size, places = self.text, len(quote), []
        at = text.find(quote)
        while at >= 0:
            places.append((at, at + size))
            at = text.find(quote, at + 1)
        if self.origin is not None:
            places = [place for place in places if self._has_edges(*place)]
        if len(places) < 2:  # noqa: PLR2004 - at most one place
            return places
        return [place for place in places if not self._cuts_word(*place)] or places

    def restore(self, place: Place) -> Place:
        """Convert a place in this form to a place in the original."""
        if self.origin is None:
            return place
        return self.origin[place[0]], self.origin[place[1] - 1] + 1

    def _has_edges(self, start: int, end: int) -> bool:
        """Return whether a place begins and ends with whole characters of the original."""
        origin = self.origin or ()
        return (start == 0 or origin[start] != origin[start - 1]) and origin[end] != origin[end - 1]

    def _cuts_word(self, start: int, end: int) -> bool:
        text = self.text
        return (start > 0 and text[start].isalnum() and text[start - 1].isalnum()) or (
            end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
        )

    def runs(self) -> tuple[list[int], list[int]]:
        """Return the starts and ends of words.

        A character whose decomposition contains more than letters, such as ½, is its own word.
        """
        words = _ASCII_WORD if self.text.isascii() else _WORD
        spans, done = [], 0
        for start, end in self._taken_apart():
            word = words.match(self.text, start, end)
            if word is None or word.end() < end:
                spans += [match.span() for match in words.finditer(self.text, done, start)]
                spans.append((start, end))
                done = end
        spans += [match.span() for match in words.finditer(self.text, done)]
        return [start for start, _ in spans], [end for _, end in spans]

    def _taken_apart(self) -> list[Place]:
        """List the places where one character of the original becomes several."""
        steps = enumerate(pairwise(self.origin or ()), 1)
        ends = [end for end, (here, following) in steps if here != following]
        return [(start, end) for start, end in pairwise([0, *ends]) if end > start + 1]


def form_of(text: str, match: Match) -> Form:
    r"""Return the form of a text in which quotes are searched.

    Args:
        text: a note, or a quote.
        match: ``exact``: unchanged; ``whitespace``: any white space is one blank; ``fold`` and
            ``fuzzy``: also without case, with accents separated from their letters, and with one
            kind of quotation marks and dashes.

    Examples:
        >>> form_of("No\n  ÉDEMA", "fold").text == form_of("no é\u0064ema", "fold").text
        True
        >>> form_of("a\n\n b", "whitespace")
        Form(text='a b', origin=[0, 1, 4, 5])
    """
    if match == "exact":
        return Form(text)
    folded, origin = (text, None) if match == "whitespace" else _fold(text)
    if not _OTHER_SPACES.search(folded):
        return Form(folded, origin)
    narrow = _SPACES.sub(" ", folded)
    if len(narrow) == len(folded):
        return Form(narrow, origin)
    kept = [*_kept(folded), len(folded)]
    return Form(narrow, kept if origin is None else [origin[at] for at in kept])


def _fold(text: str) -> tuple[str, list[int] | None]:
    if text.isascii():
        return text.lower(), None
    folded = text.translate(_FOLDING)
    if len(folded) == len(text):  # no character disappears, so each became one
        return folded, None
    origin = [at for at, letter in enumerate(text) for _ in _FOLDING[ord(letter)]]
    return folded, [*origin, len(text)]


def _kept(text: str) -> Iterator[int]:
    """Yield the positions of characters, with only the first one of each run of white space."""
    at = 0
    for match in _SPACES.finditer(text):
        yield from range(at, match.start() + 1)
        at = match.end()
    yield from range(at, len(text))


class Nearest:
    """Finds the runs of words in a text nearest to quotes, by edits per character."""

    def __init__(self, form: Form, distance: float) -> None:
        self._form, self._distance = form, distance
        self._starts, self._ends = form.runs()

    def find(self, quote: str) -> list[Place]:
        """Find the places in the text nearest to a quote, in the order of the text.

        The distance is the number of inserted, deleted or replaced characters (Levenshtein). If
        equally near runs overlap, the first counts; if they begin together, the shortest counts.

        The quote must be in the form of the text. The result is empty if every place needs more
        edits than allowed.
        """
        most = int(self._distance * len(quote))
        places = self._find_candidates(quote, most) if most else []
        if not places:
            return []
        problem = "match='fuzzy' needs rapidfuzz, which is not installed"
        measure = need("rapidfuzz.distance.Levenshtein", "answers", problem).distance
        text = self._form.text
        distances = [measure(quote, text[start:end], score_cutoff=most) for start, end in places]
        least = min(distances)
        if least > most:
            return []
        measured = zip(places, distances, strict=True)
        return _disjoint([place for place, distance in measured if distance == least])

    def _find_candidates(self, quote: str, most: int) -> list[Place]:
        """Find the runs of words that may be near enough, in the order of the text.

        If the quote is split into one part more than the allowed edits, at least one part is
        unchanged, and has not moved farther than the allowed edits.
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
