"""Published and computed results, as stored in ``results.json``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from clineval.base.arrays import expect_list, is_number
from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.escaping import write_json
from clineval.base.files import read_json, write_file

PROTOCOLS = "official", "spec"
_ROUNDING = 1e-12
"""The rounding error in a fully printed number if a formula's steps have another order."""

_TYPES = {"str": str, "tuple": list, "Mapping": dict}
"""The JSON types of fields."""


@dataclass(frozen=True, slots=True)
class Run:
    """A system's output, and its scores.

    Args:
        run: the name of the system.
        published: a dict from key to the printed number; the first one ranks.
        file: the output; empty if it is not public.
        official: a dict from key to our score under ``official``; empty if it was not computed.
        spec: the same for ``spec``.
        ``refused``: the reason why ``spec`` has no score; otherwise empty.
        why: the reason why our score under ``official`` differs from the published one, or cannot
            be compared; otherwise empty.
    """

    run: str
    published: Mapping[str, str]
    file: str = ""
    official: Mapping[str, float] = field(default_factory=dict)
    spec: Mapping[str, float] = field(default_factory=dict)
    refused: str = ""
    why: str = ""

    @property
    def agrees(self) -> bool:
        """Whether all published numbers equal ours under ``official``."""
        return all(agree(self.official[key], said) for key, said in self.published.items())


@dataclass(frozen=True, slots=True)
class Ranking:
    """Runs with the same gold standard and settings.

    Args:
        title: the part of the challenge.
        module: the challenge's name.
        source: the publication of the numbers.
        runs: the runs, in the order of the source.
        config: the configuration of the module.
        gold: the gold standard; empty if it is not public.
        options: a dict from protocol to the options for scoring.
        files: a dict from option to a file or folder.
        signatures: a dict from protocol to the signature of our scores.
        date: the date of the last change of our scores, such as 2026-11-23.
    """

    title: str
    module: str
    source: str
    runs: tuple[Run, ...]
    config: str = "default"
    gold: str = ""
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    date: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """Files that were published together.

    Args:
        name: the name of the folder with the files.
        home: the source of the files.
        rankings: the published results of the files.
        version: the version of the files.
        licence: the licence of the files.
    """

    name: str
    home: str
    rankings: tuple[Ranking, ...]
    version: str = ""
    licence: str = ""


def agree(score: float, said: str) -> bool:
    """Return whether a score equals a printed number after rounding to as many digits.

    Examples:
        >>> agree(0.66556, "0.6656"), agree(0.66549, "0.6656"), agree(2 / 3, "0.6666666666666666")
        (True, False, True)
    """
    decimals = len(said.partition(".")[2])
    return abs(score - float(said)) <= 0.5 * 10.0**-decimals * bool(decimals) + _ROUNDING


def read_collections(path: Path) -> tuple[Collection, ...]:
    """Read the file of results.

    Raises:
        InputError: a field is missing or unknown, or has another type.
    """
    given = read_json(path, "a list of collections")
    return tuple(map(_read_collection, expect_list(given, "a list of collections", path.name)))


def write_collections(path: Path, collections: Iterable[Collection]) -> None:
    """Write the file of results, without empty fields."""
    write_file(path, write_json([_shorten(asdict(one)) for one in collections]) + "\n")


def list_rankings(collections: Iterable[Collection], module: str) -> Iterator[Ranking]:
    """List the rankings of a challenge."""
    for collection in collections:
        yield from (one for one in collection.rankings if one.module == module)


def _shorten(value: object) -> object:
    if isinstance(value, dict):
        return {key: _shorten(part) for key, part in value.items() if part not in ("", (), {})}
    return [_shorten(part) for part in value] if isinstance(value, (list, tuple)) else value


def _read_collection(given: object) -> Collection:
    found = _expect(Collection, given)
    return Collection(**{**found, "rankings": tuple(map(_read_ranking, found["rankings"]))})


def _read_ranking(given: object) -> Ranking:
    found = _expect(Ranking, given)
    return Ranking(**{**found, "runs": tuple(map(_read_run, found["runs"]))})


def _read_run(given: object) -> Run:
    run = Run(**_expect(Run, given))
    for protocol in PROTOCOLS:
        ours = getattr(run, protocol)
        if ours and (ours.keys() != run.published.keys() or not all(map(is_number, ours.values()))):
            raise InputError(f"{protocol} and published have different keys", where=run.run)
    return run


def _expect(record: type[Run | Ranking | Collection], given: object) -> dict[str, Any]:
    """Return the fields of a record; reject objects with missing or unknown fields."""
    where = f"a {record.__name__.lower()}"
    if not isinstance(given, dict):
        raise InputError(f"expected an object, got {shown(given)}", where=where)
    known = {one.name: one for one in fields(record)}
    for name, one in known.items():
        if name not in given and one.default is one.default_factory is MISSING:
            raise InputError(f"{name} is missing", where=where)
    for name, value in given.items():
        if name not in known:
            raise unknown_name("field", name, known, where=where)
        if not isinstance(value, _TYPES[str(known[name].type).partition("[")[0]]):
            raise InputError(f"{name} is {shown(value)}", where=where)
    return given
