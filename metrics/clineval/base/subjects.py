"""The subject of a warning: a side of a corpus, or one of several systems.

Readers and joins do not know the names of systems. Callers that know them set them here. Each
warning that is issued inside begins with the name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from clineval.base.escaping import visible

GivenT = TypeVar("GivenT")
SideT = TypeVar("SideT")
_REFERENCES, _PREDICTIONS = "references", "predictions"
_subject: ContextVar[str] = ContextVar("subject", default="")
_references: ContextVar[str] = ContextVar("references", default="")
_names: ContextVar[tuple[str, ...]] = ContextVar("names", default=())


@contextmanager
def about(subject: str) -> Iterator[None]:
    """Begin the warnings that are issued inside with a name; an empty name adds nothing."""
    token = _subject.set(subject)
    try:
        yield
    finally:
        _subject.reset(token)


@contextmanager
def naming(*names: str) -> Iterator[None]:
    """Set the names of the gold standard and the systems, in this order, for all reads inside."""
    token = _names.set(names)
    try:
        yield
    finally:
        _names.reset(token)


@contextmanager
def naming_several(systems: Sequence[str]) -> Iterator[None]:
    """Set the names of systems if there are several; otherwise warnings name only the side."""
    with naming(*((_REFERENCES, *systems) if len(systems) > 1 else ())):
        yield


def name_subject(message: str) -> str:
    """Begin the message of a warning with its subject.

    Examples:
        >>> with about("tagger"):
        ...     name_subject("{n} mentions do not count")
        'tagger: {n} mentions do not count'
    """
    subject = visible(_subject.get()).translate({ord("{"): "(", ord("}"): ")"})
    return f"{subject}: {message}" if subject else message


def system_name(number: int) -> str:
    """Return the name of a system by its number, from 0; empty if systems have no names."""
    names = _names.get()
    return names[number + 1] if number + 1 < len(names) else ""


def read_references(read: Callable[[GivenT, str], SideT], given: GivenT) -> SideT:
    """Read the gold standard; ``read`` also receives the name of the side."""
    is_path = isinstance(given, os.PathLike) or (isinstance(given, str) and "\n" not in given)
    _references.set(str(given) if is_path else "")  # holds no corpus in memory
    with about(_names.get()[0] if _names.get() else _REFERENCES):
        return read(given, _REFERENCES)


def last_references() -> str:
    """Return the path that was last read as the gold standard, or an empty string."""
    return _references.get()


def read_predictions(
    read: Callable[[GivenT, str], SideT], systems: Sequence[GivenT]
) -> list[SideT]:
    """Read the predictions of each system; ``read`` also receives the name of the side."""
    found = []
    for number, given in enumerate(systems):
        with about(system_name(number) or _PREDICTIONS):
            found.append(read(given, _PREDICTIONS))
    return found
