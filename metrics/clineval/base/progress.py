"""Progress of long tasks: the library reports it, the command line shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Advance = Callable[[int], None]


class Meter(Protocol):
    """Shows how many of ``total`` are done, if that is known; ``size`` is for counts of bytes."""

    def __call__(
        self, total: int | None, label: str, /, *, size: bool = False
    ) -> AbstractContextManager[Advance]:
        """Return a function that is called with the number of those that were just done."""
        ...


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered(total: int | None, label: str, *, size: bool = False) -> Iterator[Advance]:
    """Report how many of ``total`` are done to the meter of :func:`metered_by`.

    Args:
        total: the number to do; None if it is unknown.
        label: what is done, such as ``reading gold``.
        size: whether bytes are counted.
    """
    meter = _meter.get()
    if meter is None:
        yield lambda _: None
    else:
        with meter(total, label, size=size) as advance:
            yield advance


def track(items: Sequence[Item], label: str) -> Iterable[Item]:
    """Iterate over ``items`` and report each to the meter of :func:`metered_by`."""
    return items if _meter.get() is None else _track(items, label)


def _track(items: Sequence[Item], label: str) -> Iterator[Item]:
    with metered(len(items), label) as advance:
        for item in items:
            yield item
            advance(1)


@contextmanager
def metered_by(meter: Meter | None) -> Iterator[None]:
    """Show all progress inside with ``meter(total, label)``."""
    token = _meter.set(meter)
    try:
        yield
    finally:
        _meter.reset(token)
