"""Known gold standards on this computer, either bundled or downloaded.

Each downloaded corpus has its own folder in the platform's cache folder, or in the folder that the
environment variable ``CLINEVAL_CACHE`` names. The whole corpus is checked first and then moved
there in one step, so that a folder is always complete.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from clineval.base.archives import expand, is_archive, unpack
from clineval.base.errors import InputError
from clineval.base.files import (
    copy_directory,
    is_directory,
    is_there,
    make_directory,
    name_path,
)
from clineval.base.placing import filled
from clineval.evaluation.gold import describe_gold
from clineval.results.known.entries import Dataset, RemoteFile
from clineval.results.known.names import find_dataset
from clineval.results.registry import find_challenge


def find_gold(name: str) -> tuple[Path, dict[str, object]]:
    """Return the path of a known gold standard, and the options of its challenge to use with it.

    Raises:
        InputError: the name is unknown, or the gold standard is not on this computer. The message
            says how to get it.
    """
    dataset = find_dataset(name)
    folder = folder_of(dataset)
    if not is_directory(folder):
        problem = f"{name} is not on this computer"
        raise InputError(problem, where="dataset", remedy=how_to_get(dataset))
    return folder / dataset.gold, dataset.options_in(folder)


def folder_of(dataset: Dataset) -> Path:
    """Return the folder of a corpus, which need not exist yet."""
    if dataset.access == "bundled":
        return find_challenge(dataset.challenge).task.corpora
    return cache_folder() / dataset.challenge / dataset.part


def cache_folder() -> Path:
    """Return the folder of all downloaded corpora."""
    given = os.environ.get("CLINEVAL_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("clineval", appauthor=False) / "datasets"


def how_to_get(dataset: Dataset) -> str:
    """Return a sentence that says how to get a corpus."""
    if dataset.access == "agreement":
        return f"It requires an agreement and is never downloaded. How to get it: {dataset.source}"
    if not dataset.files:
        return f"clineval does not have the address of its files; get it from {dataset.source}"
    return f"Get it: clineval datasets get {dataset.name}"


def get_dataset(
    name: str,
    folder: Path | None = None,
    *,
    offline: bool = False,
    announce: Callable[[Dataset], None] = lambda _: None,
    record: Callable[[RemoteFile], None] = lambda _: None,
) -> Path:
    """Download a known gold standard from its home, unless it is on this computer.

    Args:
        name: the name, such as ``meddocan19/test``.
        folder: a new directory for a copy; None for no copy.
        offline: whether to work without the network.
        announce: called with the dataset before it is downloaded.
        record: called with each unverified file after its download, with its size and SHA-256.

    Returns:
        The path of the gold standard, in the copy if there is one.

    Raises:
        InputError: it requires an agreement, its home does not answer, or the download differs
            from the known files. Then nothing is kept.
    """
    dataset = find_dataset(name)
    if folder is not None and is_there(folder):
        raise InputError("already exists", where=name_path(folder), remedy="Pass a new directory")
    source = folder_of(dataset)
    if not is_directory(source):
        if dataset.access == "agreement" or not dataset.files:
            raise InputError(f"{name} cannot be downloaded", remedy=how_to_get(dataset))
        if offline:
            problem = f"{name} is not on this computer, and --offline does not use the network"
            raise InputError(problem)
        announce(dataset)
        _fetch(dataset, source, record)
    if folder is None:
        return source / dataset.gold
    with filled(folder) as copy:
        copy_directory(source, copy)
    return folder / dataset.gold


def download_file(file: RemoteFile, target: Path, record: Callable[[RemoteFile], None]) -> None:
    """Download a file; if it is unverified, pass its size and SHA-256 to ``record``."""
    from clineval.base.downloads import download  # scores do not need the network

    size, sha256 = download(file.url, target, size=file.size, sha256=file.sha256)
    if not file.verified:
        record(replace(file, size=size, sha256=sha256))


def _fetch(dataset: Dataset, target: Path, record: Callable[[RemoteFile], None]) -> None:
    """Download the files of a corpus, unpack archives, and check the gold standard."""
    with filled(target) as folder:
        for number, file in enumerate(dataset.files):
            fetched = folder.with_name(f"fetched-{number}")
            download_file(file, fetched, record)
            _place(file, fetched, folder)
        _check(dataset, folder)


def _place(file: RemoteFile, fetched: Path, folder: Path) -> None:
    """Unpack an archive, or put a file where it belongs."""
    if not file.path or file.only:
        if not is_archive(fetched):
            raise InputError("expected an archive, got something else", where=file.url)
        unpack(fetched, folder / file.path, file.only)
        return
    make_directory((folder / file.path).parent)
    if file.url.endswith(".gz") and not file.path.endswith(".gz"):
        expand(fetched, folder / file.path)
        return
    fetched.replace(folder / file.path)


def _check(dataset: Dataset, folder: Path) -> None:
    """Reject a gold standard whose annotations differ from the list of known ones."""
    if not is_there(folder / dataset.gold):
        raise InputError(
            "the download has no gold standard at the expected path", where=dataset.name
        )
    if not dataset.digests:
        return
    config, _, protocol = next(iter(dataset.digests)).partition("/")
    found = describe_gold(
        dataset.challenge,
        folder / dataset.gold,
        config=config,
        protocol=protocol or "spec",
        **dataset.options_in(folder),
    )
    if found.dataset != dataset.name:
        problem = f"the annotations of the download are not those known for {dataset.name}"
        raise InputError(problem, remedy="Its home may have a newer version; please report it")
