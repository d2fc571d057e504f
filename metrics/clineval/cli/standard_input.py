"""``-`` in place of a file: JSON Lines from standard input.

They are held in memory, compressed, because they can be read only once and may be text of notes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from clineval.base.errors import InputError
from clineval.base.files import find_limit, reading_instead

NAME = "<stdin>.jsonl"
"""The name in messages; its ending identifies the format."""
_DASH = Path("-")


def take_file(context: typer.Context, path: Path | None) -> Path | None:
    """Return the path of an argument; ``-`` becomes the name of standard input."""
    return path if path is None else _take(context, [path])[0]


def take_files(context: typer.Context, paths: Sequence[Path]) -> list[Path]:
    """Return the paths of an argument as :func:`take_file` does."""
    return _take(context, paths)


def _take(context: typer.Context, paths: Sequence[Path]) -> list[Path]:
    if _DASH not in paths or context.resilient_parsing:
        return list(paths)
    if context.meta.get(NAME) or paths.count(_DASH) > 1:
        raise InputError("standard input can be read only once, so only one path can be '-'")
    from clineval.base.kept import Kept

    kept = Kept.of(sys.stdin.buffer, find_limit(), "standard input")
    context.with_resource(reading_instead({NAME: kept}))
    context.meta[NAME] = True
    return [Path(NAME) if path == _DASH else path for path in paths]
