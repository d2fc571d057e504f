"""Events in answers: convert triggers and arguments with quotes to one side of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Self

from clineval.answers.alignment import Alignment, Placement, Spans, align_events
from clineval.answers.placing import PlacedAnswers, mark
from clineval.answers.reading import Answer, Item, Response, read_responses
from clineval.answers.repair import LISTS, Shape
from clineval.base.errors import InputError
from clineval.formats.dicts import spell
from clineval.formats.given.events import read_side
from clineval.kinds.events.units import EVENT, LABEL, VALUE, EventSide
from clineval.kinds.mentions.columns import Intake
from clineval.results.scheme import Scheme

_QUOTE, _ARGUMENTS = "text", "arguments"
_SHAPE = Shape(
    ("events", *LISTS),
    (_QUOTE, LABEL.name, _ARGUMENTS),
    words=False,
    parts=(_ARGUMENTS,),
)
"""The form in which models write events."""
_STAND_IN = "?"
"""A label in the place of an invalid one, if events can have any types."""


@dataclass(frozen=True)
class Unit(Item):
    """A trigger or an argument.

    Args:
        event: the number of the unit's event in the answer.
        is_trigger: whether the unit is the trigger.
    """

    event: int
    is_trigger: bool


def read_events(given: object) -> list[Answer]:
    """Read answers whose items are triggers and arguments of events, in the order of the answer.

    An event is ``{"label", "text", "arguments": [{"label", "text", "value"}]}``.

    Args:
        given: as for :func:`~clineval.answers.reading.read_answers`; the list of events may be
            under ``events``.

    Raises:
        InputError: as for :func:`~clineval.answers.reading.read_answers`.

    Examples:
        >>> status = {"label": "StatusTime", "value": "current"}
        >>> event = {"label": "Tobacco", "text": "Smokes", "arguments": [status]}
        >>> [answer] = read_events([{"events": [event]}])
        >>> [unit.quote for unit in answer.items], answer.items[1].values
        ([('Smokes',), ()], {'label': 'StatusTime', 'value': 'current'})
    """
    return [_as_answer(each) for each in read_responses(given, _SHAPE)]


def _as_answer(given: Response) -> Answer:
    items = tuple(unit for at, event in enumerate(given.items) for unit in _list_units(event, at))
    return Answer(given.document, items, given.state, given.text)


def _list_units(event: object, number: int) -> Iterator[Unit]:
    """Yield the trigger and arguments of an event; anything else becomes a unit without label."""
    known = event if isinstance(event, Mapping) else {}
    yield _read_unit({n: v for n, v in known.items() if n != _ARGUMENTS}, number, is_trigger=True)
    given = known.get(_ARGUMENTS)
    arguments = given if isinstance(given, (list, tuple)) else [] if given is None else [given]
    for each in arguments:
        yield _read_unit(each if isinstance(each, Mapping) else {}, number, is_trigger=False)


def _read_unit(given: Mapping[str, object], number: int, *, is_trigger: bool) -> Unit:
    item = Item.of(given.get(_QUOTE), {n: v for n, v in given.items() if n != _QUOTE})
    return Unit(item.quote, item.values, number, is_trigger)


@dataclass(frozen=True)
class PlacedEvents(PlacedAnswers):
    """The events of answers with the places of their quotes.

    Triggers are placed like mentions, and arguments near their trigger. A labelled argument without
    a quote gets the place of its trigger. Events and arguments with unknown labels are scored as
    absent from the gold standard.

    Args:
        answers: answers whose items are units.
        texts: as in :class:`PlacedAnswers`, like ``alignment`` and ``below``.
        scheme: the types of events.
    """

    scheme: Scheme = field(kw_only=True)

    @classmethod
    def of(cls, placed: PlacedAnswers, scheme: Scheme) -> Self:
        """Make placed events from the answers and notes of placed answers.

        Raises:
            InputError: with the policy, an event could have several triggers, or no place.
        """
        policies = placed.alignment
        if policies.align == "all" or policies.by_words:
            where = "match" if policies.by_words else "align"
            given = policies.match if policies.by_words else policies.align
            problem = f"each event needs one place, and {given!r} does not assign one"
            raise InputError(problem, where=where, remedy="Choose another policy")
        answers = [replace(each, items=_borrow_quotes(each, scheme)) for each in placed.answers]
        return cls(answers, placed.texts, policies, placed.below, scheme=scheme)

    @cached_property
    def placements(self) -> list[list[Placement]]:
        """The placements of the quotes of each document."""
        return [
            _place(_units_of(answer), text, self.alignment)
            for answer, text in zip(self.answers, self.texts, strict=True)
        ]

    def as_given(self) -> EventSide:
        """Return the events as predictions, with a list of those that cannot be correct."""
        self._warn_of_unread()
        self._warn_of_others({LABEL.name, VALUE.name})
        invalid = [[self._judge(unit) for unit in _units_of(each)] for each in self.answers]
        nested = [
            self._nest(*row) for row in zip(self.answers, self._spans(), invalid, strict=True)
        ]
        side = read_side(nested, "answers", self.scheme)
        marks = [
            bad
            for of, answer in zip(invalid, self.answers, strict=True)
            for bad in _mark_events(_units_of(answer), of)
        ]
        marked = mark(side.mentions, marks)
        settings = {"answers": str(self.alignment)}
        intake = Intake(settings, self._count(invalid), tuple(self._list_lost(invalid)))
        return replace(side, mentions=marked, texts=tuple(self.notes), intake=intake)

    def _judge(self, unit: Unit) -> tuple[str, ...]:
        """Return the slots whose values are invalid."""
        known = self.scheme.triggers if unit.is_trigger else self.scheme.arguments
        label = spell(unit.values.get(LABEL.name), LABEL)
        if label is None or not (self.scheme.is_open or label in known):
            return (LABEL.name,)
        has_value = _has_value(label, self.scheme) and not unit.is_trigger
        wrong = has_value and spell(_value_of(unit), VALUE) is None
        return (VALUE.name,) if wrong else ()

    def _nest(
        self, answer: Answer, spans: Sequence[Sequence[Spans]], invalid: Sequence[tuple[str, ...]]
    ) -> dict[str, object]:
        """Return an answer in the form of predictions, with placeholders for invalid values."""
        events: list[dict[str, object]] = []
        arguments: list[dict[str, object]] = []
        for unit, [place], bad in zip(_units_of(answer), spans, invalid, strict=True):
            label = unit.values.get(LABEL.name)
            if unit.is_trigger:
                arguments = []
                stand_in = next(iter(self.scheme.triggers), _STAND_IN) if bad else label
                events.append({"label": stand_in, "spans": place, "arguments": arguments})
                continue
            other = next(iter(self.scheme.arguments), _STAND_IN)
            stand_in = other if LABEL.name in bad else label
            own = None if bad or not _has_value(label, self.scheme) else _value_of(unit)
            arguments.append({"label": stand_in, "spans": place, "value": own})
        name = {} if answer.document is None else {"id": answer.document}
        return {**name, "events": events}


def _units_of(answer: Answer) -> list[Unit]:
    return [item for item in answer.items if isinstance(item, Unit)]


def _has_value(label: object, scheme: Scheme) -> bool:
    """Return whether an argument with a label can have a value."""
    return scheme.is_open or label in scheme.labelled


def _value_of(unit: Unit) -> object:
    return VALUE.word(unit.values.get(VALUE.name))


def _borrow_quotes(answer: Answer, scheme: Scheme) -> tuple[Item, ...]:
    """Give labelled arguments without a quote the quote of their trigger."""
    units: list[Item] = []
    for _, event in groupby(_units_of(answer), lambda unit: unit.event):
        trigger, *arguments = event
        units.append(trigger)
        for each in arguments:
            valued = VALUE.name in each.values or not scheme.is_open
            placeless = (
                not each.quote and valued and _has_value(each.values.get(LABEL.name), scheme)
            )
            units.append(replace(each, quote=trigger.quote) if placeless else each)
    return tuple(units)


def _place(units: Sequence[Unit], text: str, alignment: Alignment) -> list[Placement]:
    """Place the units of a document."""
    events = [
        [(str(unit.values.get(LABEL.name)), unit.quote) for unit in event]
        for _, event in groupby(units, lambda unit: unit.event)
    ]
    return [each for of in align_events(events, text, alignment) for each in of]


def _mark_events(
    units: Sequence[Unit], invalid: Sequence[tuple[str, ...]]
) -> Iterator[tuple[str, ...]]:
    """Yield the invalid slots of each unit; an invalid event type makes all its units invalid."""
    of_event: tuple[str, ...] = ()
    for unit, bad in zip(units, invalid, strict=True):
        if unit.is_trigger:
            of_event = (EVENT.name,) if bad else ()
        yield (*bad, *of_event)
