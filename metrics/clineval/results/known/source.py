"""Where the list of a challenge is; the file of a Space that holds the core has one of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from clineval.base.files import is_file, read_bytes
from clineval.results.challenge import Challenge


def read_list(challenge: Challenge) -> str:
    """Read the text of a challenge's list, which is empty if there is none."""
    return _read_text(challenge.task.datasets)


@cache
def _read_text(path: Path) -> str:
    return read_bytes(path).decode() if is_file(path) else ""
