"""Outputs of systems that others published, on this computer or fetched by name.

Each file is checked and then moved to its place, so that an interrupted call can be continued. They
lie beside the downloaded corpora (:func:`clineval.evaluation.corpora.cache_folder`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from clineval.base.archives import unpack
from clineval.base.errors import InputError, unknown_name, warn
from clineval.base.files import copy_directory, is_there, name_path
from clineval.base.placing import beside, filled
from clineval.evaluation.corpora import cache_folder, download_file
from clineval.results.known.entries import RemoteFile
from clineval.results.known.published import Collection, Ranking, find_published
from clineval.results.registry import is_known, known_names

Announce = Callable[[Collection, Sequence[RemoteFile]], None]
Record = Callable[[RemoteFile], None]


def home_of(collection: Collection) -> Path:
    """Return the folder of a collection's downloaded files, which need not exist yet."""
    module = collection.module
    archive = next((file.only for file in collection.downloads if not file.path), "")
    return cache_folder() / "systems" / module / collection.name / archive


def get_outputs(
    name: str,
    folder: Path | None = None,
    *,
    offline: bool = False,
    announce: Announce = lambda *_: None,
    record: Record = lambda _: None,
) -> dict[str, Path]:
    """Download the published outputs of systems, unless they are on this computer.

    Args:
        name: a gold standard or a collection, such as ``ehealthkd20/test-scenario1``.
        folder: a new directory for a copy, with a folder for each collection; None for no copy.
        offline: whether to work without the network.
        announce: called with each collection, and with the files to download.
        record: called with each unverified file after its download, with its size and SHA-256.

    Returns:
        A dict from the name of each system to its output, in the copy if there is one.

    Raises:
        InputError: an unknown name, outputs that are not public or have no licence, or a home that
            does not answer. Files that were complete before are kept.
    """
    chosen = _find_collections(name)
    if folder is not None and is_there(folder):
        raise InputError("already exists", where=name_path(folder), remedy="Pass a new directory")
    for collection in chosen:
        _fetch_missing(collection, announce, record, offline=offline)
    homes = {collection.name: home_of(collection) for collection in chosen}
    if folder is not None:
        with filled(folder) as copy:
            for collection_name, home in homes.items():
                copy_directory(home, copy / collection_name)
        homes = {collection_name: folder / collection_name for collection_name in homes}
    return dict(_name_outputs(chosen, homes))


def _find_collections(name: str) -> list[Collection]:
    """Find the collections of a set that may be downloaded; warn of others."""
    module, _, part = name.partition("/")
    if not is_known(module) or not part:
        raise unknown_name("dataset", name, (f"{known}/…" for known in known_names()))
    chosen = find_published(module, part)
    closed = [collection for collection in chosen if not collection.downloads]
    if len(closed) == len(chosen):
        raise InputError(f"{name} has no outputs to download", remedy=chosen[0].how_to_get)
    for collection in closed:
        warn(f"{collection.name} is left out. {collection.how_to_get}")
    return [collection for collection in chosen if collection.downloads]


def _fetch_missing(
    collection: Collection, announce: Announce, record: Record, *, offline: bool
) -> None:
    home = home_of(collection)
    files = collection.downloads_for(collection.rankings)
    missing = [file for file in files if not is_there(home / file.path)]
    if missing and offline:
        problem = f"the outputs of {collection.name} are not on this computer"
        raise InputError(f"{problem}, and --offline does not use the network")
    if missing:
        announce(collection, missing)
    for file in missing:
        _fetch(file, home, record)


def _fetch(file: RemoteFile, home: Path, record: Record) -> None:
    """Download a file to its place, or unpack an archive whose folder ``only`` is the home."""
    target = home / file.path
    if file.path:
        with beside(target) as temporary:
            fetched = temporary / "fetched"
            download_file(file, fetched, record)
            fetched.replace(target)
        return
    root = home if not file.only else home.parents[file.only.count("/")]
    with filled(root) as folder:
        fetched = folder.with_name("fetched")
        download_file(file, fetched, record)
        unpack(fetched, folder, file.only)


def _name_outputs(
    collections: Iterable[Collection], homes: dict[str, Path]
) -> Iterator[tuple[str, Path]]:
    """Name each output after its system, and after its ranking too if there are several."""
    pairs = [(of, ranking) for of in collections for ranking in of.rankings if _has_files(ranking)]
    for collection, ranking in pairs:
        prefix = f"{ranking.title}, " if len(pairs) > 1 else ""
        for run in ranking.runs:
            if run.file:
                yield f"{prefix}{run.run}", homes[collection.name] / run.file


def _has_files(ranking: Ranking) -> bool:
    return any(run.file for run in ranking.runs)
