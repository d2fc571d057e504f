"""Find the list of a challenge; the bundled core of a Space has its own version of this file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from clineval.base.errors import InputError
from clineval.base.files import is_file, name_path, read_bytes
from clineval.results.challenge import Challenge


def read_list(challenge: Challenge) -> str:
    """Read the text of a challenge's list; return an empty string if there is none."""
    return _read_text(challenge.task.datasets)


@cache
def _read_text(path: Path) -> str:
    if not is_file(path):
        return ""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError:
        raise InputError("expected a file in UTF-8", where=name_path(path)) from None
