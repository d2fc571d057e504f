"""The challenges by name; each is imported on first use.

Other packages add challenges by an entry point of the group ``clineval.challenges``. Its name is
the challenge's name; its object is the :class:`~clineval.results.challenge.Challenge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from clineval.base.errors import InputError, one_line, unknown_name, warn

if TYPE_CHECKING:  # the command line's help must not wait for NumPy
    from importlib.metadata import EntryPoint

    from clineval.results.challenge import Challenge

NAMES = (
    "semeval15_task14",
    "clefehealth13_task1",
    "clefehealth13_task2",
    "clefehealth13_task3",
    "i2b2_2009_medication",
    "clinais23_b2",
    "codiesp20",
    "i2b2_2014_deid",
    "i2b2_2014_risk",
    "meddocan19",
    "pharmaconer19",
    "clinical_spans",
    "i2b2_2010",
    "bc5cdr",
    "ncbi_disease",
    "medmentions",
    "n2c2_2018_track2",
    "clinical_tempeval",
    "i2b2_2012_temporal",
    "chemu20",
    "drugprot21",
    "chemprot17",
    "n2c2_2022_cmed",
    "n2c2_2022_sdoh",
    "ehealthkd20",
    "medprocner23",
    "mediqa_synur26",
    "distemist22",
    "symptemist23",
    "multicardioner24",
    "toxhabits25",
    "cantemist20",
    "multiclinai26",
    "mediqa_oe25",
    "livingner22",
    "clinical_relations",
    "clinical_codes",
    "archehr_qa26",
    "clinical_records",
    "clinical_events",
    "clinical_classes",
    "n2c2_2018_track1",
    "i2b2_2006_smoking",
    "i2b2_2008_obesity",
    "icd_coding",
    "gutbrainie26",
    "tac2017_adr",
)
"""The challenges of this package: the files of the folder ``challenges``."""
GROUP = "clineval.challenges"


_lent: ContextVar[Mapping[str, Challenge]] = ContextVar("lent", default={})  # noqa: B039
"""Challenges that are not installed, by name."""


@contextmanager
def lending(challenge: Challenge) -> Iterator[None]:
    """Make a challenge known that is not installed, such as one that was just written."""
    token = _lent.set({**_lent.get(), challenge.name: challenge})
    try:
        yield
    finally:
        _lent.reset(token)


def known_names() -> tuple[str, ...]:
    """List the names of all challenges without importing any; other packages come last."""
    return (*NAMES, *_others(), *_lent.get())


def is_known(name: str) -> bool:
    """Return whether there is a challenge of this name."""
    return name in NAMES or name in _others() or name in _lent.get()


def find_challenge(name: str | Challenge) -> Challenge:
    """Look up a challenge by its module name; a challenge is returned as it is.

    Raises:
        InputError: no challenge has that name, or the package that provides it is broken.

    Examples:
        >>> find_challenge("semeval15_task14").task.title
        'SemEval-2015 Task 14: Analysis of Clinical Text'
    """
    challenge: Challenge
    module_name = name if isinstance(name, str) else ""
    if module_name in NAMES:
        challenge = import_module(f"clineval.challenges.{module_name}").CHALLENGE
        return challenge
    if module_name in _lent.get():
        return _lent.get()[module_name]
    if module_name and module_name in _others():
        return _load(_others()[module_name])
    from clineval.results.challenge import Challenge

    if isinstance(name, Challenge):
        return name
    raise unknown_name("metric", name, known_names())


@cache
def all_challenges() -> tuple[Challenge, ...]:
    """Import all challenges; leave out other packages that are broken, with one warning."""
    challenges = [find_challenge(name) for name in NAMES]
    for point in _others().values():
        try:
            challenges.append(_load(point))
        except InputError as error:
            warn(f"{error}. It is left out")
    return tuple(challenges)


def check_face(challenge: Challenge, face: str, problem: str, others: str) -> None:
    """Reject a face that the kind of a challenge lacks, and name the challenges that have it.

    Args:
        challenge: the challenge.
        face: one of :data:`~clineval.results.kind.FACES`.
        problem: the task that is not possible. The message begins with it, followed by the kind's
            own sentence.
        others: words before the names of the other challenges, such as ``these do``.

    Raises:
        InputError: the kind lacks the face; the message gives the reason.
    """
    if reason := challenge.kind.lacks.get(face):
        able = [each.name for each in all_challenges() if face not in each.kind.lacks]
        raise InputError(f"{problem}: {reason}; {others}: {', '.join(able)}")


def find_package(name: str) -> str:
    """Return the name of the other package that provides a challenge."""
    return _package_of(_others()[name])


def _package_of(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module


def _load(point: EntryPoint) -> Challenge:
    from clineval.results.challenge import Challenge

    where = f"package {one_line(_package_of(point))}, metric {one_line(point.name)}"
    try:
        challenge = point.load()
    except Exception as error:  # noqa: BLE001 - others' packages
        problem = f"it cannot be imported: {type(error).__name__}: {error}"
        raise InputError(problem, where=where) from None
    if not isinstance(challenge, Challenge) or challenge.name != point.name:
        problem = f"expected a Challenge of this name at {point.value}"
        raise InputError(problem, where=where)
    return challenge


@cache
def _others() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # which takes long to import

    points = {point.name: point for point in entry_points(group=GROUP)}
    return {name: point for name, point in points.items() if name not in NAMES}
