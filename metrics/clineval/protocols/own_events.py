"""Events of a user's own scheme: types and arguments that an option lists, or the data show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from clineval.base.errors import InputError, shown
from clineval.base.strict_json import expect_json
from clineval.formats.files import read_text
from clineval.kinds.events.found import list_unit_kinds
from clineval.kinds.events.kind import EventKind
from clineval.kinds.events.measures import MAIN, OVERALL, TRIGGER, TypeScores, find_types
from clineval.kinds.events.near_misses import explain, pair_overlapping
from clineval.kinds.events.rows import PAIRED
from clineval.kinds.events.units import LABEL, NO_VALUE, EventCorpus, EventSide, UnitKind
from clineval.kinds.mentions.outcomes import ANY_CLASS, NEAR_MISSES
from clineval.protocols.events import Events
from clineval.protocols.own_labels import parse_names
from clineval.results.averages import MACRO, label_key
from clineval.results.challenge import Setup
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.scheme import Argument, Scheme
from clineval.results.slots import ANY, Slot

MOST_VALUES = 20
"""The most values of an argument that have scores of their own."""
_REMEDY = "Rename it, or leave it out with events="
_EXPECTED = 'such as {"Start": {"Status": ["planned", "done"], "Rate": []}}'
_RESERVED = (*MAIN, f"{MACRO}_{OVERALL}", f"{MACRO}_{TRIGGER}")
"""The keys of the scores of all events."""
Given = Sequence[str] | Scheme | None
"""The option: types of events, or their scheme; None to find them."""


@dataclass(frozen=True)
class OwnEvents(Events):
    """Events of a scheme of the user's own, which may have no types; an argument can be an event.

    Args:
        events: see :class:`Events`; it is not checked again.
    """

    shared: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Accept any scheme."""

    @property
    def kind(self) -> EventKind:
        """Events of any types; mentions can have any attributes."""
        return replace(super().kind, free=True, triggers=(ANY,))

    @property
    def doc_slots(self) -> Sequence[Slot]:
        """The label, and any attributes."""
        return LABEL, Slot(ANY, "free")

    def key_value(self, value: str) -> str:
        """Return the end of the key of a value's scores."""
        return label_key(value)

    def widen(
        self, corpus: EventCorpus, matches: Mapping[str, Match], _setup: Setup, /
    ) -> Mapping[str, Match]:
        """Pair also units with different labels, and near misses."""
        paired = matches[PAIRED]
        near_misses = explain(corpus, paired, self.scheme.labelled)
        widest = pair_overlapping(corpus, paired)
        return {**matches, ANY_CLASS: widest, NEAR_MISSES: near_misses}

    @property
    def measures(self) -> Measures:
        """The scores of any scheme: those that have counts."""
        main = OwnEvents({}) if self.events else self
        usual = super(OwnEvents, main).measures
        return Measures.of(
            *usual.each,
            TypeScores(),
            headline=(*usual.headline, f"{MACRO}_{OVERALL}_f1"),
            shown_per_document=usual.shown_per_document,
        )


def parse_events(events: object) -> Given:
    """Parse the events to score: types, or a scheme as a mapping or a file of JSON.

    Raises:
        InputError: the value is invalid, or two scores would have the same key.

    Examples:
        >>> parse_events("Start,Stop")
        ('Start', 'Stop')
        >>> parse_events({"Start": {"Status": ["planned", "done"], "Rate": []}}).labelled
        ('Status',)
    """
    if events is None or isinstance(events, Scheme):
        return events
    names = [events] if isinstance(events, str) else events
    if isinstance(names, (list, tuple)) and len(names) == 1 and str(names[0]).endswith(".json"):
        events = expect_json(read_text(str(names[0])), "a scheme of events", "events")
    if not isinstance(events, Mapping):
        return parse_names(events, "events", "event type", _REMEDY)
    scheme = Scheme(dict(_parse_type(*item) for item in events.items()))
    check_scheme(scheme)
    return without_taken_values(scheme)


def _parse_type(event: object, arguments: object) -> tuple[str, tuple[Argument, ...]]:
    """Parse the arguments of an event type: names, or names with their values."""
    if not isinstance(event, str):
        raise InputError(f"expected names of event types, got {shown(event)}", where="events")
    if isinstance(arguments, Mapping):
        return event, tuple(_parse_argument(*item) for item in arguments.items())
    if not isinstance(arguments, (list, tuple)):
        problem = f"expected the arguments of each type as a dict or a list, {_EXPECTED}"
        raise InputError(problem, where="events")
    return event, tuple(
        each if isinstance(each, Argument) else _parse_argument(each, ()) for each in arguments
    )


def _parse_argument(label: object, values: object) -> Argument:
    """Parse an argument; without a list of values, any values count."""
    listed = [] if values is None else values
    known = isinstance(listed, (list, tuple)) and all(isinstance(each, str) for each in listed)
    if not isinstance(label, str) or not isinstance(listed, (list, tuple)) or not known:
        problem = f"expected arguments with a list of values each, {_EXPECTED}"
        raise InputError(problem, where="events")
    return Argument(label, tuple(listed), valued=values is None)


def find_scheme(
    sides: Iterable[EventSide], labelled: Collection[str], types: Sequence[str] | None
) -> Scheme:
    """Find the types of the events of some sides, with their arguments and values.

    Names in answers of language models have no scores of their own if their keys are not free.

    Args:
        sides: the sides.
        labelled: the labels of arguments whose values count.
        types: the types of events, in their order; None to find them.

    Raises:
        InputError: two scores would have the same key.
    """
    files, answers = set[UnitKind](), set[UnitKind]()
    for side in sides:
        (files if side.intake is None else answers).update(list_unit_kinds(side))
    scheme = _as_scheme(files, labelled, types)
    check_scheme(scheme)
    for kind in sorted({kind._replace(value=NO_VALUE) for kind in answers - files}):
        wider = _as_scheme({*files, kind}, labelled, types)
        if not _judge(wider):
            scheme, files = wider, {*files, kind}
    return without_taken_values(scheme)


def _as_scheme(
    kinds: Collection[UnitKind], labelled: Collection[str], types: Sequence[str] | None
) -> Scheme:
    of_types: dict[str, list[UnitKind]] = {}
    for kind in sorted(kinds):
        of_types.setdefault(kind.event, []).append(kind)
    order = sorted(of_types) if types is None else types
    return Scheme(
        {event: tuple(_list_arguments(of_types.get(event, ()), labelled)) for event in order}
    )


def _list_arguments(kinds: Sequence[UnitKind], labelled: Collection[str]) -> Iterator[Argument]:
    """Yield the arguments of a type, labelled ones first."""
    values: dict[str, list[str]] = {}
    for kind in kinds:
        if not kind.trigger:
            values.setdefault(kind.label, []).append(kind.value)
    for label, found in sorted(values.items(), key=lambda item: item[0] not in labelled):
        own = [value for value in found if value != NO_VALUE] if label in labelled else []
        few = tuple(own) if len(own) <= MOST_VALUES else ()
        yield Argument(label, few, valued=label in labelled)


def check_scheme(scheme: Scheme) -> None:
    """Reject a scheme in which two types or arguments would have the same key in the results.

    Raises:
        InputError: the message names the type or argument.
    """
    parse_names([*scheme.events], "events", "event type", _REMEDY)
    if problem := _judge(scheme):
        raise InputError(problem, where="events", remedy=_REMEDY)


def _judge(scheme: Scheme) -> str:
    """Return a message if a type or argument has no key, or not one of its own."""
    taken = {*_RESERVED}
    for name, key in _name_keys(scheme):
        if key in taken or not label_key(name):
            return (
                f"the scores of {shown(name)} would be called {key!r} in the results, like others"
            )
        taken.add(key)
    types = find_types([f"{key}_tp" for key in taken])
    if {*types} != {*map(label_key, scheme.events)}:
        return (
            f"an argument is called like the triggers of another one, with {TRIGGER!r} at the end"
        )
    both = {*scheme.labelled} & {*scheme.spans}
    return f"the values of {shown(min(both))} count in some event types only" if both else ""


def _name_keys(scheme: Scheme) -> Iterator[tuple[str, str]]:
    """Yield types, triggers and arguments with the beginning of their keys."""
    for event, arguments in scheme.events.items():
        beginning = label_key(event)
        yield event, beginning
        yield event, f"{beginning}_{TRIGGER}"
        yield from ((of.label, f"{beginning}_{label_key(of.label)}") for of in arguments)


def without_taken_values(scheme: Scheme) -> Scheme:
    """Return the scheme without values whose scores would have no key of their own."""
    taken = {*_RESERVED, *(key for _, key in _name_keys(scheme))}

    def claim(event: str, argument: Argument) -> Argument:
        values = []
        for value in argument.values:
            key = "_".join(map(label_key, (event, argument.label, value)))
            if label_key(value) and key not in taken:
                taken.add(key)
                values.append(value)
        return replace(argument, values=tuple(values), valued=argument.is_labelled)

    return Scheme({
        event: tuple(claim(event, argument) for argument in arguments)
        for event, arguments in scheme.events.items()
    })  # fmt: skip
