"""Find the quotes of an answer in its note."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, get_args

from clineval.answers.forms import Form, Nearest, form_of
from clineval.answers.policies import Align, Match
from clineval.base.arrays import is_number
from clineval.base.errors import InputError, shown
from clineval.results.options import check_name

Quote = tuple[str, ...]
Fragment = tuple[int, int]
Spans = tuple[Fragment, ...]
ALIGNED, UNALIGNED, AMBIGUOUS = "aligned", "unaligned", "ambiguous"
WITHOUT_TEXT = "without text"


@dataclass(frozen=True, slots=True)
class Alignment:
    """Policies for finding quotes in a note and for choosing among several places.

    Args:
        align: the choice among places. ``in-order``: the first free place after the previous
            quote, or else the first free place anywhere; a place is free if no earlier quote uses
            it. ``first``: the first place, even if another quote uses it. ``all``: every place;
            each becomes a mention. ``unique``: the only place; a quote with several places is
            ambiguous and gets none.
        match: the comparison. ``exact``: the same characters. ``whitespace``: any white space
            counts as one blank. ``fold``: also ignore case, compatible forms of letters, and
            types of quotation marks and dashes. ``fuzzy``: as ``fold``; if this finds nothing,
            the nearest run of words within ``distance``. ``text``: compare quotes with the texts
            of the gold mentions, not with the note. ``set``: as ``text``, but equal texts of a
            document have one place, so that repeats with the same class count once.
        distance: for ``fuzzy``, the maximum number of insertions, deletions and replacements per
            character of the quote, from 0 to less than 1.

    Raises:
        InputError: a policy is unknown, or ``distance`` is out of range.

    Examples:
        >>> str(Alignment()), str(Alignment("first", "fuzzy"))
        ('in-order,exact', 'first,fuzzy,0.2')
    """

    align: Align = "in-order"
    match: Match = "exact"
    distance: float = 0.2

    def __post_init__(self) -> None:
        check_name("align", self.align, get_args(Align))
        check_name("match", self.match, get_args(Match))
        if not is_number(self.distance) or not 0 <= self.distance < 1:
            problem = f"expected a number from 0 to less than 1, got {shown(self.distance)}"
            raise InputError(problem, where="distance")

    @property
    def by_words(self) -> bool:
        """Whether quotes are compared with the texts of the gold mentions, without places."""
        return self.match in ("text", "set")

    def __str__(self) -> str:
        """Return the policies as written in the signature."""
        if self.by_words:
            return self.match
        bound = f",{self.distance:g}" if self.match == "fuzzy" else ""
        return f"{self.align},{self.match}{bound}"


class Placement(NamedTuple):
    """The result of placing a quote.

    Examples:
        >>> align_quotes([("edema",)], "No edema.")
        [Placement(verdict='aligned', places=(((3, 8),),))]
    """

    verdict: str
    """``aligned``, ``unaligned``, ``ambiguous``, or ``without text`` if there is no quote."""
    places: tuple[Spans, ...] = ()
    """The spans of the mentions of the quote; several only with ``all``."""


def align_quotes(
    quotes: Sequence[Quote], text: str, alignment: Alignment | None = None
) -> list[Placement]:
    """Find the quotes of an answer in its note.

    The fragments of a discontiguous mention follow one another in the note. If several places end
    with the same fragment, the place that begins last counts. Places that do not cut through a
    word are preferred.

    Args:
        quotes: the fragments of each mention, in the order of the answer.
        text: the note.
        alignment: the policies.

    Returns:
        A placement for each quote; offsets count code points of the text.

    Examples:
        >>> note = "Pain in the knee. Knee pain, no pain in the hip."
        >>> [p.places for p in align_quotes([("pain",), ("hip",), ("pain",)], note)]
        [(((23, 27),),), (((44, 47),),), (((32, 36),),)]
        >>> align_quotes([("knee", "hip")], note)[0].places
        (((12, 16), (44, 47)),)
        >>> align_quotes([("pain",)], note, Alignment("unique"))
        [Placement(verdict='ambiguous', places=())]
    """
    return _align(_Note(text, alignment or Alignment()), quotes, _Used())


def _align(note: _Note, quotes: Sequence[Quote], used: _Used) -> list[Placement]:
    """Find quotes one after another."""
    align = note.alignment.align
    return [
        _choose(note.find(quote), align, used) if quote else Placement(WITHOUT_TEXT)
        for quote in quotes
    ]


def align_events(
    events: Sequence[Sequence[tuple[str, Quote]]], text: str, alignment: Alignment
) -> list[list[Placement]]:
    """Find the quotes of events in a note: first triggers, then arguments near their trigger.

    Triggers are placed as in :func:`align_quotes`, except that triggers with different labels may
    share a place. With ``in-order``, an argument gets the first place that does not begin before
    its trigger, or else the last place before it. Equal arguments of an event get different places;
    other arguments may share a place.

    Args:
        events: the units of each event as label and quote; the first unit is the trigger.
        text: the note.
        alignment: the policies, except ``all``.

    Returns:
        For each event the placements of its units; offsets count code points of the text.

    Examples:
        >>> note = "Quit wine. Never smoked. Quit beer in 2010."
        >>> events = [[("Alcohol", (word,)), ("Status", ("Quit",))] for word in ("wine", "beer")]
        >>> [[unit.places[0][0] for unit in event]
        ...  for event in align_events(events, note, Alignment())]
        [[(5, 9), (25, 29)], [(30, 34), (25, 29)]]
    """
    note = _Note(text, alignment)
    taken: defaultdict[str, set[Spans]] = defaultdict(set)
    end = 0
    found = []
    for (label, quote), *arguments in events:
        used = _Used(taken[label], end)
        [trigger] = _align(note, [quote], used)
        found.append([trigger, *_align_arguments(note, trigger, arguments)])
        end = used.end
    return found


def _align_arguments(
    note: _Note, trigger: Placement, arguments: Sequence[tuple[str, Quote]]
) -> Iterator[Placement]:
    """Place the arguments of an event near its trigger."""
    start = trigger.places[0][0][0] if trigger.places else 0
    met: Counter[tuple[str, Quote]] = Counter()
    for argument in arguments:
        _, quote = argument
        places = note.find(quote) if quote else []
        if note.alignment.align == "in-order":
            behind = [place for place in places if place[0][0] >= start]
            nearest = [*behind, *reversed(places[: len(places) - len(behind)])]
            places = nearest[met[argument] :][:1]
        met[argument] += 1
        align: Align = "unique" if note.alignment.align == "unique" else "first"
        yield _choose(places, align, _Used()) if quote else Placement(WITHOUT_TEXT)


@dataclass
class _Used:
    """The places of earlier quotes, and the end of the first fragment of the last quote."""

    places: set[Spans] = field(default_factory=set)
    end: int = 0

    def take_next(self, places: Sequence[Spans]) -> Sequence[Spans]:
        """Take the first free place after the last one, or else the first free place anywhere."""
        free = [place for place in places if place not in self.places]
        chosen = [place for place in free if place[0][0] >= self.end][:1] or free[:1]
        for place in chosen:
            self.places.add(place)
            self.end = place[0][1]
        return chosen


@dataclass
class _Note:
    """A note that is searched for quotes, for each quote only once."""

    text: str
    alignment: Alignment
    known: dict[Quote, list[Spans]] = field(default_factory=dict)

    @cached_property
    def form(self) -> Form:
        return form_of(self.text, self.alignment.match)

    @cached_property
    def nearest(self) -> Nearest:
        return Nearest(self.form, self.alignment.distance)

    def find(self, quote: Quote) -> list[Spans]:
        """Return the places of a mention in the order of the text."""
        places = self.known.get(quote)
        if places is None:
            places = self.known[quote] = _chain([self._find_fragment(each) for each in quote])
        return places

    def _find_fragment(self, fragment: str) -> list[Fragment]:
        form, match = self.form, self.alignment.match
        if match == "exact":
            return form.find(fragment)
        wanted = form_of(fragment, match).text.strip()
        places = form.find(wanted) or (self.nearest.find(wanted) if match == "fuzzy" else [])
        return places if form.origin is None else [form.restore(place) for place in places]


def _chain(fragments: Sequence[list[Fragment]]) -> list[Spans]:
    """Combine the places of fragments into places of mentions."""
    if len(fragments) == 1:
        return [(place,) for place in fragments[0]]
    chains: list[Spans] = []
    for first in fragments[0]:
        chain = [first]
        for places in fragments[1:]:
            behind = next((place for place in places if place[0] >= chain[-1][1]), None)
            chain += [behind] if behind else []
        if len(chain) == len(fragments):
            if chains and chains[-1][-1] == chain[-1]:
                chains.pop()
            chains.append(tuple(chain))
    return chains


def _choose(places: Sequence[Spans], align: Align, used: _Used) -> Placement:
    """Choose among the places of a quote."""
    if align == "unique" and len(places) > 1:
        return Placement(AMBIGUOUS)
    if align == "in-order":
        places = used.take_next(places)
    elif align == "first":
        places = places[:1]
    return Placement(ALIGNED, tuple(places)) if places else Placement(UNALIGNED)
