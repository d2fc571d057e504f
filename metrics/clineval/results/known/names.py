"""Find the name of a gold standard that was scored, and the gold standard of a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.files import is_file, read_json
from clineval.base.hashing import EMPTY, Hashes, digest_all
from clineval.results.challenge import Challenge
from clineval.results.known.source import read_list
from clineval.results.registry import find_challenge, is_known, known_names

if TYPE_CHECKING:  # most gold standards are not known, and a score need not wait for the entries
    from clineval.results.known.entries import Dataset


def recognise(challenge: Challenge, config: str, protocol: str, digests: Hashes) -> str:
    """Return the name of the gold standard with these digests; empty if none has them."""
    digest = digest_all(digests)
    if not challenge.task.file or digest not in read_list(challenge):
        return ""  # the usual case, and nothing is parsed
    for dataset in list_datasets(challenge):
        if digest in dataset.digests.get(dataset.view_of(config, protocol), ()):
            return dataset.name
    return ""


def find_dataset(name: object) -> Dataset:
    """Look a gold standard up by its name.

    Raises:
        InputError: no gold standard has that name; the message lists the known ones.

    Examples:
        >>> find_dataset("pharmaconer19/demo").language
        'es'
    """
    if not isinstance(name, str):
        raise InputError(f"expected a name such as meddocan19/test, got {shown(name)}")
    module = name.partition("/")[0]
    if not is_known(module):
        raise unknown_name("dataset", name, (f"{datasets}/…" for datasets in known_names()))
    datasets = {dataset.name: dataset for dataset in list_datasets(find_challenge(module))}
    if name not in datasets:
        raise unknown_name("dataset", name, datasets)
    return datasets[name]


def list_datasets(challenge: Challenge) -> tuple[Dataset, ...]:
    """List the gold standards of a challenge that have names.

    Raises:
        InputError: the list is invalid.
    """
    if not challenge.task.file:
        return ()
    return _parse(challenge.name, read_list(challenge), challenge.task.datasets)


def list_digests(digests: Hashes) -> list[str]:
    """Write the digests of the annotated documents as 16 hex digits, sorted."""
    return [f"{each:016x}" for each in np.sort(digests[~np.isin(digests, EMPTY)]).tolist()]


def list_documents(dataset: Dataset, config: str, protocol: str) -> Sequence[str]:
    """List the digests of a known gold standard's documents, as :func:`list_digests` writes them.

    They are in ``datasets.documents.json`` beside the list; empty if they are not known.
    """
    challenge, view = find_challenge(dataset.challenge), dataset.view_of(config, protocol)
    path = challenge.task.datasets.with_suffix(".documents.json")
    if not view or not is_file(path):
        return ()
    known: Mapping[str, Mapping[str, Sequence[str]]] = read_json(path)
    return known.get(dataset.part, {}).get(view, ())


@cache
def _parse(challenge: str, text: str, path: Path) -> tuple[Dataset, ...]:
    from clineval.results.known.entries import read_entries

    return read_entries(challenge, text, path)
