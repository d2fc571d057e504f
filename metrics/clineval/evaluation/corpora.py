"""Known gold standards on this computer: bundled ones, and those that are downloaded from home.

A downloaded corpus lies in a folder of its own below the platform's cache folder, or below the one
that the environment's ``CLINEVAL_CACHE`` names. It comes there by one step, when all of it has been
checked, so that what is there is whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from clineval.base.archives import is_archive, unpack
from clineval.base.errors import InputError
from clineval.base.files import (
    copy_directory,
    is_directory,
    is_there,
    make_directory,
    name_path,
    unwritable,
)
from clineval.evaluation.gold import describe_gold
from clineval.results.known.entries import Dataset, RemoteFile
from clineval.results.known.names import find_dataset
from clineval.results.registry import find_challenge


def find_gold(name: str) -> tuple[Path, dict[str, object]]:
    """Return where a known gold standard is, and the options of its challenge that go with it.

    Raises:
        InputError: there is none of this name, or it is not here; says how to get it.
    """
    dataset = find_dataset(name)
    folder = folder_of(dataset)
    if not is_directory(folder):
        raise InputError(f"{name} is not here", where="dataset", remedy=how_to_get(dataset))
    return folder / dataset.gold, dataset.options_in(folder)


def folder_of(dataset: Dataset) -> Path:
    """Return the folder in which a corpus is, or comes to be."""
    if dataset.access == "bundled":
        return find_challenge(dataset.challenge).task.corpora
    return cache_folder() / dataset.challenge / dataset.part


def cache_folder() -> Path:
    """Return the folder of all corpora that are downloaded."""
    given = os.environ.get("CLINEVAL_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("clineval", appauthor=False) / "datasets"


def how_to_get(dataset: Dataset) -> str:
    """Say how to get a corpus, in a sentence."""
    if dataset.access == "agreement":
        return f"It is not for everybody, and never downloaded; whom to ask: {dataset.source}"
    if not dataset.files:
        return f"Its files are not known to clineval; get it from {dataset.source}"
    return f"Get it: clineval datasets get {dataset.name}"


def get_dataset(
    name: str,
    folder: Path | None = None,
    *,
    offline: bool = False,
    announce: Callable[[Dataset], None] = lambda _: None,
) -> Path:
    """Get a known gold standard from its home, once; nothing is asked for what is here.

    Args:
        name: such as ``meddocan19/test``.
        folder: a new directory that gets a copy; None for none.
        offline: whether to ask nobody.
        announce: told of what will be downloaded, before it is.

    Returns:
        Where the gold standard is, in the copy if there is one.

    Raises:
        InputError: it is under an agreement, its home does not answer, or something else comes
            than is known; then nothing of it stays.
    """
    dataset = find_dataset(name)
    if folder is not None and is_there(folder):
        raise InputError("already exists", where=name_path(folder), remedy="Give a new directory")
    source = folder_of(dataset)
    if not is_directory(source):
        if dataset.access == "agreement" or not dataset.files:
            raise InputError(f"{name} cannot be downloaded", remedy=how_to_get(dataset))
        if offline:
            raise InputError(f"{name} is not here, and --offline asks nobody")
        announce(dataset)
        _fetch(dataset, source)
    if folder is None:
        return source / dataset.gold
    with _filled(folder) as copy:
        copy_directory(source, copy)
    return folder / dataset.gold


def _fetch(dataset: Dataset, target: Path) -> None:
    """Download the files of a corpus, unpack archives, and check the gold standard."""
    from clineval.base.downloads import download  # a score needs nothing of the network

    with _filled(target) as folder:
        for number, file in enumerate(dataset.files):
            fetched = folder.with_name(f"fetched-{number}")
            download(file.url, fetched, size=file.size, sha256=file.sha256)
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
    fetched.replace(folder / file.path)


def _check(dataset: Dataset, folder: Path) -> None:
    """Refuse a gold standard with other annotations than the list knows."""
    if not is_there(folder / dataset.gold):
        raise InputError("what came has no gold standard where the list says", where=dataset.name)
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
        problem = f"what came has other annotations than the list knows of {dataset.name}"
        raise InputError(problem, remedy="Its home may have a newer version; please tell us")


@contextmanager
def _filled(target: Path) -> Iterator[Path]:
    """Yield a folder to be filled, which then becomes the target; after an error nothing is left.

    What else is put beside the folder goes in any case.
    """
    made = [parent for parent in target.parents if not is_there(parent)]
    try:
        make_directory(target.parent)
        with TemporaryDirectory(prefix=".clineval-", dir=target.parent) as beside:
            folder = Path(beside, "corpus")
            folder.mkdir()
            yield folder
            folder.replace(target)
    except OSError as error:
        raise unwritable(error, target) from None
    finally:
        if not is_there(target):
            _remove_empty(made)


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, innermost first, up to one that somebody else has put something into."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()
