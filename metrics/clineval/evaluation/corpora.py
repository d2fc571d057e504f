"""Known gold standards on this computer: bundled ones, and those that were downloaded."""

from __future__ import annotations

from pathlib import Path

from clineval.base.errors import InputError
from clineval.results.known.entries import Dataset
from clineval.results.known.names import find_dataset
from clineval.results.registry import find_challenge


def find_gold(name: str) -> tuple[Path, dict[str, object]]:
    """Return where a known gold standard is, and the options of its challenge that go with it.

    Raises:
        InputError: there is none of this name, or it is not here; says how to get it.
    """
    dataset = find_dataset(name)
    folder = find_folder(dataset)
    return folder / dataset.gold, {key: folder / of for key, of in dataset.options.items()}


def find_folder(dataset: Dataset) -> Path:
    """Return the folder of a corpus."""
    if dataset.access == "bundled":
        return find_challenge(dataset.challenge).task.corpora
    raise InputError(f"{dataset.name} is not here", where="dataset", remedy=how_to_get(dataset))


def how_to_get(dataset: Dataset) -> str:
    """Say how to get a corpus."""
    return f"It is given to those who agree to its terms: {dataset.source}"
