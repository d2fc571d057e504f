"""Where the quotes of an answer are in its note."""

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
    """How quotes are looked for in a note, and which of several places counts.

    Args:
        align: which place. ``in-order``: the first one behind the quote before, else the first
            one anywhere, in both cases one that no quote before has. ``first``: the first one,
            also if another quote has it. ``all``: every one, each of which becomes a mention.
            ``unique``: the only one; a quote with several is ambiguous and is not placed.
        match: what is the same. ``exact``: the same characters. ``whitespace``: any white space
            is one blank. ``fold``: besides, case, compatible forms of letters, kinds of quotation
            marks and dashes do not matter. ``fuzzy``: as ``fold``, and where that finds nothing
            the run of words that is nearest, if it is near enough. ``text``: quotes are not
            looked for in a note but compared with the texts of the gold mentions.
        distance: for ``fuzzy``, how many characters may be inserted, deleted or replaced, for
            each character of the quote.

    Raises:
        InputError: an unknown policy, or a distance that is not between 0 and 1.

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

    def __str__(self) -> str:
        """Return the name in the signature."""
        if self.match == "text":
            return "text"
        bound = f",{self.distance:g}" if self.match == "fuzzy" else ""
        return f"{self.align},{self.match}{bound}"


class Placement(NamedTuple):
    """What became of a quote.

    Examples:
        >>> align_quotes([("edema",)], "No edema.")
        [Placement(verdict='aligned', places=(((3, 8),),))]
    """

    verdict: str
    """``aligned``, ``unaligned``, ``ambiguous``, or ``without text``: there is no quote."""
    places: tuple[Spans, ...] = ()
    """The spans of the mentions that it stands for; several only by ``all``."""


def align_quotes(
    quotes: Sequence[Quote], text: str, alignment: Alignment | None = None
) -> list[Placement]:
    """Find the quotes of an answer in its note.

    The fragments of a discontiguous mention follow one another in the note; of places that end
    with the same fragment the one that begins last counts. A place that cuts no word comes before
    those that do.

    Args:
        quotes: in the order of the answer; each the fragments of a mention.
        text: the note.
        alignment: the policies.

    Returns:
        For each quote what became of it; offsets are in code points of the text.

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
    """Find quotes one after the other."""
    align = note.alignment.align
    return [
        _choose(note.find(quote), align, used) if quote else Placement(WITHOUT_TEXT)
        for quote in quotes
    ]


def align_events(
    events: Sequence[Sequence[tuple[str, Quote]]], text: str, alignment: Alignment
) -> list[list[Placement]]:
    """Find the quotes of events in a note: triggers, and near each the arguments of its event.

    Triggers are placed as :func:`align_quotes` does, but that those of different labels may share a
    place. By ``in-order`` an argument has the first place that does not begin before its trigger;
    if there is none, the last one before it. Of equal arguments of an event each has another place;
    otherwise several may share one.

    Args:
        events: for each its units, of which the first is the trigger: label and quote.
        text: the note.
        alignment: the policies; not ``all``.

    Examples:
        >>> note = "Quit wine. Never smoked. Quit beer in 2010."
        >>> events = [[("Alcohol", (word,)), ("Status", ("Quit",))] for word in ("wine", "beer")]
        >>> [[p.places[0][0] for p in of] for of in align_events(events, note, Alignment())]
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
    """The places of the quotes before, and the end of the first fragment of the last one."""

    places: set[Spans] = field(default_factory=set)
    end: int = 0

    def take_next(self, places: Sequence[Spans]) -> Sequence[Spans]:
        """Take the first free place behind the last one; if there is none, the first free one."""
        free = [place for place in places if place not in self.places]
        chosen = [place for place in free if place[0][0] >= self.end][:1] or free[:1]
        for place in chosen:
            self.places.add(place)
            self.end = place[0][1]
        return chosen


@dataclass
class _Note:
    """A note in which quotes are looked for, each only once."""

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
        """Return the places of a mention, in the order of the text."""
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
    """Return places of mentions, from the places of their fragments."""
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
    """Choose which of the places of a quote counts."""
    if align == "unique" and len(places) > 1:
        return Placement(AMBIGUOUS)
    if align == "in-order":
        places = used.take_next(places)
    elif align == "first":
        places = places[:1]
    return Placement(ALIGNED, tuple(places)) if places else Placement(UNALIGNED)
