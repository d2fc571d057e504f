"""Events whose types and arguments the data show, ready to be scored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from clineval.base.errors import InputError
from clineval.base.subjects import read_predictions, read_references
from clineval.formats.brat.event_units import drop_values
from clineval.formats.given.free_events import read_free_events
from clineval.kinds.events.found import find_labelled, keep_arguments, keep_types, list_unit_kinds
from clineval.kinds.events.kind import EventKind
from clineval.kinds.events.units import EventCorpus, EventSide
from clineval.kinds.mentions.rows import Pairing
from clineval.protocols.delegating import Chosen
from clineval.protocols.events import OPTIONS as CRITERIA
from clineval.protocols.own_events import OwnEvents, find_scheme, parse_events
from clineval.protocols.own_labels import list_in_signature, parse_names, warn_of_new
from clineval.results.challenge import Setup
from clineval.results.faces import Faces
from clineval.results.measures import Measures
from clineval.results.options import Option, check_name
from clineval.results.scheme import Scheme

_LABELED, _NAMES = "labeled_arguments", "argument_names"
_ADVICE = f"; pass {_LABELED}= to score the values of arguments"
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
        "The arguments whose values count, separated by commas; by default those of which most "
        "have a value in the gold standard.",
        None,
        "names",
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


class FoundEvents(Chosen[EventSide, EventCorpus, Pairing]):
    """Events of any types, scored as :class:`~clineval.protocols.events.Events` for their scheme.

    ``clineval describe clinical_events`` defines the scheme that the data show.

    Examples:
        >>> FoundEvents().measures.headline[0], FoundEvents().kind.name
        ('overall_f1', 'events')
    """

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
        gold = read_references(partial(_read, setup), references)
        labelled = _find_labelled(gold, setup)
        gold = _drop_values(gold, labelled)
        known = _list_types(gold)

        def read_system(given: object, side: str) -> EventSide:
            return _drop_values(_read(setup, given, side, known), labelled)

        sides = [gold, *read_predictions(read_system, predictions)]
        scheme = setup["events"]
        if not isinstance(scheme, Scheme):
            scheme = find_scheme(sides, labelled, scheme)
            _check_names(scheme, sides, setup)
            warn_of_new(known, map(_list_types, sides[1:]), "event type")
        first, *rest = (replace(side, scheme=scheme) for side in sides)
        return first, rest

    def read_side(self, source: object, side: str, setup: Setup, /) -> EventSide:
        """Read brat files or text, JSON Lines, dicts, Documents; keep the events to score."""
        return _read(setup, source, side)

    def resolve(self, corpus: EventCorpus, setup: Setup, /) -> Setup:
        """Set the scheme to the one of all sides that were read together."""
        return setup.with_options(events=corpus.scheme)

    def whole(self, setup: Setup, /) -> str:
        """Return the reason why parts cannot be counted alone: all documents define the scheme."""
        if isinstance(setup["events"], Scheme):
            return ""
        return "all documents define the arguments. Pass events={type: {argument: [values]}}"

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


def _read(setup: Setup, given: object, side: str, known: Sequence[str] = ()) -> EventSide:
    """Read one side; keep the events, and with a scheme the arguments, that are scored."""
    events = setup["events"]
    types = events.triggers if isinstance(events, Scheme) else events
    by_role = setup[_NAMES] == "role"
    found = read_free_events(given, side, by_role=by_role, types=types, known=known)
    if types is not None:
        found = keep_types(found, types)
    return keep_arguments(found, events.arguments) if isinstance(events, Scheme) else found


def _find_labelled(gold: EventSide, setup: Setup) -> Sequence[str]:
    """Return the labels of arguments whose values count."""
    events, given = setup["events"], setup[_LABELED]
    if given is not None and isinstance(events, Scheme):
        raise InputError("events= already lists the values of arguments", where=_LABELED)
    if isinstance(events, Scheme):
        return events.labelled
    return find_labelled(gold) if given is None else given


def _drop_values(side: EventSide, labelled: Sequence[str]) -> EventSide:
    return replace(side, mentions=drop_values(side.mentions, labelled, _ADVICE))


def _list_types(side: EventSide) -> list[str]:
    return sorted({kind.event for kind in list_unit_kinds(side)})


def _check_names(scheme: Scheme, sides: Sequence[EventSide], setup: Setup) -> None:
    """Reject a type of events, or an argument, that no side has."""
    if any(len(side.mentions) for side in sides):
        types = {name for side in sides for name in _list_types(side)}
        for name in setup["events"] or ():
            check_name("event type", name, types)
        for name in setup[_LABELED] or ():
            check_name("argument", name, scheme.arguments)
