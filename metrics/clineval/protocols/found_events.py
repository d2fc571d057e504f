"""Events whose types and arguments the data show, ready to be scored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from clineval.base.errors import InputError
from clineval.base.subjects import read_predictions, read_references
from clineval.formats.brat.event_units import drop_values
from clineval.formats.given.free_events import read_free_events
from clineval.kinds.events.found import (
    NO_SCORERS,
    Scorers,
    find_labelled,
    keep_arguments,
    keep_types,
    list_unit_kinds,
)
from clineval.kinds.events.kind import EventKind
from clineval.kinds.events.units import EventCorpus, EventSide
from clineval.kinds.mentions.rows import Pairing
from clineval.protocols.delegating import Chosen
from clineval.protocols.events import OPTIONS as CRITERIA
from clineval.protocols.own_events import Given, OwnEvents, find_scheme, parse_events
from clineval.protocols.own_labels import list_in_signature, parse_names, warn_of_new
from clineval.results.challenge import Setup
from clineval.results.faces import Faces
from clineval.results.measures import Measures
from clineval.results.options import Option, check_name
from clineval.results.scheme import Scheme
from clineval.results.settings import Setting, declare_settings

_LABELED, _NAMES = "labeled_arguments", "argument_names"
_NO_TYPES = OwnEvents({}, short="ce")


def parse_labeled(labels: object) -> tuple[str, ...] | None:
    """Parse the labels of arguments whose values count.

    Raises:
        InputError: a value is not a label, or two labels have the same key.
    """
    return None if labels is None else parse_names(labels, _LABELED, "argument")


OPTIONS = (
    Option(
        "events",
        "The types of events to score, separated by commas, or a JSON file with their arguments "
        "and values; by default, the data show them.",
        None,
        "names",
        python="the types of events to score, as a list, or a dict from types to their arguments "
        "with lists of values; if None, the data show them.",
        parse=parse_events,
    ),
    Option(
        _LABELED,
        "The arguments whose values count, separated by commas; by default those that "
        "mostly have a value in the gold standard.",
        None,
        "names",
        flag="--labeled-arguments",
        python="the labels of the arguments whose values count, as a list; if None, the gold "
        "standard shows them.",
        parse=parse_labeled,
    ),
    Option(
        _NAMES,
        "What names an argument: its role in the event, or the label of its mention.",
        "role",
        "choice",
        choices=("role", "mention"),
    ),
    *CRITERIA,
)


@dataclass(frozen=True)
class FoundEvents(Chosen[EventSide, EventCorpus, Pairing]):
    """Events of any types, scored as :class:`~clineval.protocols.events.Events` for their scheme.

    ``clineval describe clinical_events`` defines the scheme that the data show.

    Args:
        scorers: the metrics that score mentions and relations that belong to no event, for
            warnings.

    Examples:
        >>> FoundEvents().measures.headline[0], FoundEvents().kind.name
        ('overall_f1', 'events')
    """

    scorers: Scorers = NO_SCORERS

    @property
    def kind(self) -> EventKind:
        """Events of any types."""
        return _NO_TYPES.kind

    @property
    def measures(self) -> Measures:
        """The scores of all events, and the tables of scores that depend on the scheme."""
        return _NO_TYPES.measures

    @property
    def faces(self) -> Faces:
        """The faces of the ready protocol."""
        return _NO_TYPES.faces

    @property
    def options(self) -> tuple[Option, ...]:
        """The scheme, and the criteria of the ready protocol."""
        return OPTIONS

    def inner(self, setup: Setup, /) -> OwnEvents:
        """Return the protocol for the scheme; it has no types until these are known."""
        events = setup["events"]
        return replace(_NO_TYPES, events=events.events if isinstance(events, Scheme) else {})

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[EventSide, list[EventSide]]:
        """Read all sides; the references show which arguments have values."""
        found = read_references(partial(self._read, setup), references)
        read = partial(self._read, setup, known=_list_types(found))
        systems = read_predictions(read, predictions)
        _check_types(setup["events"], [found, *systems])
        gold = read_references(partial(_keep, setup), found)
        labelled = _find_labelled(gold, setup)
        finish = partial(self._drop_values, labelled)
        kept = read_predictions(partial(_keep, setup), systems)
        sides = [read_references(finish, gold), *read_predictions(finish, kept)]
        scheme = setup["events"]
        if not isinstance(scheme, Scheme):
            scheme = find_scheme(sides, labelled, scheme)
            for name in setup[_LABELED] or ():
                check_name("argument", name, scheme.arguments)
        if setup["events"] is None:
            named = ([name for name in _list_types(of) if name in scheme.events] for of in sides)
            references, *others = named
            warn_of_new(references, others, "event type")
        first, *rest = (replace(side, scheme=scheme) for side in sides)
        return first, rest

    def read_side(self, source: object, side: str, setup: Setup, /) -> EventSide:
        """Read brat files or text, JSON Lines, dicts, Documents; keep the events to score."""
        return _keep(setup, self._read(setup, source, side), side)

    def _read(self, setup: Setup, given: object, side: str, known: Sequence[str] = ()) -> EventSide:
        """Read the events of one side."""
        return read_free_events(
            given,
            side,
            by_role=setup[_NAMES] == "role",
            types=_types_of(setup["events"]),
            known=known,
            scorers=self.scorers,
        )

    def _drop_values(self, labelled: Sequence[str], side: EventSide, _name: str) -> EventSide:
        """Remove the values of arguments that are not labelled."""
        other = self.scorers.mentions
        more = f", or score attributes of mentions with {other}" if other else ""
        advice = f"; pass {_LABELED}= to score them{more}"
        return replace(side, mentions=drop_values(side.mentions, labelled, advice))

    def resolve(self, corpus: EventCorpus, setup: Setup, /) -> Setup:
        """Set the scheme to the one of all sides that were read together."""
        return setup.with_options(events=corpus.scheme)

    def whole(self, setup: Setup, /) -> str:
        """Return the reason why parts cannot be counted alone: all documents define the scheme."""
        if isinstance(setup["events"], Scheme):
            return ""
        return "by default all documents define the arguments. Pass a whole scheme with events="

    own_settings = declare_settings(
        Setting("events", "the types of events that count", option="--events", literal=False),
        Setting("arguments", "the arguments", option="--events", literal=False),
        Setting(
            "labeled_arguments",
            "the arguments whose value counts",
            option="--labeled-arguments",
            literal=False,
        ),
        Setting(
            "argument_names",
            "whether roles or labels of mentions name arguments",
            option="--argument-names",
        ),
        *OwnEvents.own_settings,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the scheme, the names of arguments, and the criteria."""
        scheme: Scheme = setup["events"]
        labels = {"arguments": scheme.arguments, _LABELED: scheme.labelled}
        named = {name: list_in_signature(sorted(of)) for name, of in labels.items() if of}
        own = {"events": list_in_signature(scheme.triggers), **named}
        return {**own, _NAMES: setup[_NAMES], **super().settings(setup)}

    def known_labels(self, setup: Setup, /) -> Collection[str]:
        """Return the requested types, and the arguments of a scheme."""
        events = setup["events"] or ()
        return events.labels if isinstance(events, Scheme) else events


def _types_of(events: Given) -> Sequence[str] | None:
    """Return the types of events, if the user gives them."""
    return events.triggers if isinstance(events, Scheme) else events


def _keep(setup: Setup, side: EventSide, _name: str) -> EventSide:
    """Keep the events, and with a scheme the arguments, that are scored."""
    events = setup["events"]
    types = _types_of(events)
    kept = side if types is None else keep_types(side, types)
    return keep_arguments(kept, events.arguments) if isinstance(events, Scheme) else kept


def _find_labelled(gold: EventSide, setup: Setup) -> Sequence[str]:
    """Return the labels of arguments whose values count."""
    events, given = setup["events"], setup[_LABELED]
    if given is not None and isinstance(events, Scheme):
        raise InputError("events= already lists the values of arguments", where=_LABELED)
    if isinstance(events, Scheme):
        return events.labelled
    return find_labelled(gold) if given is None else given


def _list_types(side: EventSide) -> list[str]:
    return sorted({kind.event for kind in list_unit_kinds(side)})


def _check_types(events: Given, sides: Sequence[EventSide]) -> None:
    """Reject a type that no side has, if any events were read."""
    there = sorted({name for side in sides for name in _list_types(side)})
    if there and not isinstance(events, Scheme):
        for name in events or ():
            check_name("event type", name, there)
