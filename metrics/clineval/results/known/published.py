"""Published results of systems, their outputs, and the scores that clineval computes from these.

``published.json`` beside a challenge's definition has a collection for each place where outputs or
results were published together. It contains numbers, paths, addresses and digests, and nobody's
files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from clineval.base.arrays import expect_list, is_number
from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.escaping import write_json
from clineval.base.files import is_file, read_json, write_file
from clineval.results.challenge import Challenge
from clineval.results.known.entries import RemoteFile, read_file
from clineval.results.registry import find_challenge

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
        dataset: the part of the challenge's list of gold standards with the same annotations;
            empty if the list does not have them.
        gold: the gold standard among the collection's files; empty if it is not public.
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
    dataset: str = ""
    gold: str = ""
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    date: str = ""

    @property
    def paths(self) -> list[str]:
        """The paths of outputs and other files, without the gold standard of a named dataset."""
        gold = "" if self.dataset else self.gold
        found = [gold, *self.files.values(), *(run.file for run in self.runs)]
        return [path for path in found if path]


@dataclass(frozen=True, slots=True)
class Collection:
    """Files that were published together.

    Args:
        name: the name of the folder with the files.
        home: the source of the files.
        rankings: the published results of the files.
        version: the version of the files.
        licence: the licence of the files.
        address: the address of that folder, if its files can be downloaded one by one.
        downloads: the files that may be downloaded; none without a licence. An archive has no path,
            and its folder ``only`` is the folder with the files.
    """

    name: str
    home: str
    rankings: tuple[Ranking, ...]
    version: str = ""
    licence: str = ""
    address: str = ""
    downloads: tuple[RemoteFile, ...] = ()

    @property
    def module(self) -> str:
        """The challenge's name."""
        return self.rankings[0].module

    @property
    def how_to_get(self) -> str:
        """A sentence that says how to get the outputs."""
        if self.downloads:
            return f"Get them: clineval datasets get {self.module}/{self.name} --systems"
        if not any(run.file for ranking in self.rankings for run in ranking.runs):
            return f"No output is public. The results are from {self.home}"
        licence = f"licence: {self.licence}" if self.licence else "no licence is stated"
        version = f", version {self.version}" if self.version else ""
        return f"They are at {self.home}{version}. clineval does not download them ({licence})"

    def downloads_for(self, rankings: Iterable[Ranking]) -> list[RemoteFile]:
        """List the files that rankings need: those in the folders of their outputs, or below."""
        paths = {path for ranking in rankings for path in ranking.paths}
        needed = paths | {str(PurePosixPath(path).parent) for path in paths}
        return [file for file in self.downloads if not file.path or needed & _ancestry(file.path)]


def _ancestry(path: str) -> set[str]:
    """Return a path and its parent folders; the folder of all files only if it is the parent."""
    parents = [str(parent) for parent in PurePosixPath(path).parents]
    return {path, *(parents[:-1] or parents)}


def agree(score: float, said: str) -> bool:
    """Return whether a score equals a printed number after rounding to as many digits.

    Examples:
        >>> agree(0.66556, "0.6656"), agree(0.66549, "0.6656"), agree(2 / 3, "0.6666666666666666")
        (True, False, True)
    """
    decimals = len(said.partition(".")[2])
    return abs(score - float(said)) <= 0.5 * 10.0**-decimals * bool(decimals) + _ROUNDING


def list_published(challenge: Challenge) -> tuple[Collection, ...]:
    """List the published results of a challenge.

    Raises:
        InputError: the challenge's file is invalid.
    """
    path = challenge.task.published
    return read_collections(path) if challenge.task.file and is_file(path) else ()


def list_sets(collections: Iterable[Collection]) -> list[str]:
    """List the names of sets of results: of gold standards, and of collections."""
    found = list(collections)
    datasets = (ranking.dataset for of in found for ranking in of.rankings if ranking.dataset)
    return list(dict.fromkeys([*datasets, *(of.name for of in found)]))


def find_published(module: str, name: str = "") -> tuple[Collection, ...]:
    """Look up the published results of a challenge, or only one set of them.

    Args:
        module: the challenge.
        name: a gold standard, such as ``test`` or ``bc5cdr/test``, or a collection; empty for all.

    Raises:
        InputError: the challenge has no published results, or no such set.
    """
    every = list_published(find_challenge(module))
    if not every:
        raise InputError(f"clineval has no published results of {module}")
    wanted = name.removeprefix(f"{module}/")
    if not wanted:
        return every
    if wanted not in list_sets(every):
        raise unknown_name("set", wanted, list_sets(every), where=module)
    chosen = (_choose(of, wanted) for of in every)
    return tuple(of for of in chosen if of.rankings)


def _choose(collection: Collection, name: str) -> Collection:
    """Keep the rankings of a set."""
    if name == collection.name:
        return collection
    kept = tuple(ranking for ranking in collection.rankings if ranking.dataset == name)
    return replace(collection, rankings=kept)


def read_collections(path: Path) -> tuple[Collection, ...]:
    """Read a file of published results.

    Raises:
        InputError: a field is missing or unknown, or has another type.
    """
    given = read_json(path, "a list of collections")
    return tuple(map(_read_collection, expect_list(given, "a list of collections", path.name)))


def write_collections(path: Path, collections: Iterable[Collection]) -> None:
    """Write a file of published results, without empty fields."""
    write_file(path, write_json([_shorten(_as_json(one)) for one in collections]) + "\n")


def list_rankings(collections: Iterable[Collection], module: str) -> Iterator[Ranking]:
    """List the rankings of a challenge."""
    for collection in collections:
        yield from (one for one in collection.rankings if one.module == module)


def _as_json(collection: Collection) -> dict[str, object]:
    downloads = [asdict(file) for file in collection.downloads]
    for file in downloads:
        if file["url"] == _locate(collection.address, file["path"]):
            del file["url"]
    return {**asdict(collection), "downloads": downloads}


def _locate(address: str, path: str) -> str:
    return f"{address}/{quote(path)}"


def _shorten(value: object) -> object:
    if isinstance(value, dict):
        empty: tuple[object, ...] = ("", (), {}, [], None)
        return {key: _shorten(part) for key, part in value.items() if part not in empty}
    return [_shorten(part) for part in value] if isinstance(value, (list, tuple)) else value


def _read_collection(given: object) -> Collection:
    found = _expect(Collection, given)
    name, address = found["name"], found.get("address", "")
    downloads = [_read_download(file, address, name) for file in found.get("downloads", ())]
    if downloads and not found.get("licence"):
        raise InputError("downloads need a licence", where=name)
    rankings = tuple(map(_read_ranking, found["rankings"]))
    return Collection(**{**found, "rankings": rankings, "downloads": tuple(downloads)})


def _read_download(given: object, address: str, where: str) -> RemoteFile:
    if isinstance(given, dict):
        given = {"url": _locate(address, str(given.get("path"))), **given}
    return read_file(given, where)


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
