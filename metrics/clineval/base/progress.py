"""Progress of long tasks: the library reports it, the command line shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Tracker(Protocol):
    """Shows how far a loop is."""

    def __call__(self, items: Sequence[Item], label: str, /) -> Iterable[Item]:
        """Go through items."""
        ...


_tracker: ContextVar[Tracker | None] = ContextVar("tracker", default=None)


def track(items: Sequence[Item], label: str) -> Iterable[Item]:
    """Iterate over ``items`` and report progress to the tracker of :func:`tracked_by`."""
    tracker = _tracker.get()
    return items if tracker is None else tracker(items, label)


def tracked_by(tracker: Tracker | None) -> AbstractContextManager[None]:
    """Show the progress of all iterations inside with ``tracker(items, label)``."""
    return _set_inside(_tracker, tracker)


Advance = Callable[[int], None]
Meter = Callable[[int | None, str], AbstractContextManager[Advance]]

_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered(total: int | None, label: str) -> Iterator[Advance]:
    """Report how many of ``total`` are done to the meter of :func:`metered_by`."""
    meter = _meter.get()
    if meter is None:
        yield lambda _: None
    else:
        with meter(total, label) as advance:
            yield advance


def metered_by(meter: Meter | None) -> AbstractContextManager[None]:
    """Show the progress of all counts inside with ``meter(total, label)``."""
    return _set_inside(_meter, meter)


@contextmanager
def _set_inside(variable: ContextVar[Item], value: Item) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
