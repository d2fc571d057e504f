"""Shared parts of the commands: consoles, output to files, names of systems."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from clineval.base.errors import InputError, heard_so_far
from clineval.base.escaping import ESCAPES
from clineval.base.files import is_directory, is_there

if TYPE_CHECKING:  # help must not wait for what writes results
    from _typeshed import ReadableBuffer

    from clineval.results.tables import Sheet

WIDE = 240
"""Columns of a wide table if the output is not a terminal."""
_INTERRUPTED = 130
"""The exit status that shells report if SIGINT ended a program: 128 plus its number."""
_BROKEN_PIPE = 141
"""The same for SIGPIPE."""


class _Output(io.FileIO):
    """Standard output that raises InputError if it cannot be written to.

    A pipe that nobody reads any more, as with ``head``, is no error: the command ends silently, as
    if the signal had ended it.
    """

    def write(self, data: ReadableBuffer) -> int:
        try:
            return super().write(data)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())  # for unwritten data
            if isinstance(error, BrokenPipeError):
                raise SystemExit(_BROKEN_PIPE) from None
            problem = f"cannot be written: {error.strerror}"
            raise InputError(problem, where="standard output") from None


def guard_output() -> None:
    """End the program as for bad input if standard output is full or closed.

    Characters that the terminal's encoding lacks are written as escapes.
    """
    before = sys.stdout
    if before is not sys.__stdout__ or not isinstance(before, io.TextIOWrapper):
        return
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(before.fileno(), "wb", closefd=False)),
        encoding=before.encoding,
        errors=ESCAPES,
        line_buffering=before.line_buffering,
    )


@contextmanager
def interruptible() -> Iterator[None]:
    """End the program in one line if the user interrupts it, with the status of shells."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("clineval: interrupted", err=True)
        raise SystemExit(_INTERRUPTED) from None


def lay_out(sheet: Sheet, notation: str, least: int = 0) -> Callable[[], None]:
    """Lay out a result as a table or in another notation; return a function that prints it.

    ``least`` has the same meaning as in :func:`clineval.results.tables.console_of`.
    """
    from clineval.results.tables import WRITERS, add_warnings, console_of, print_sheet

    if notation != "table":
        return partial(typer.echo, WRITERS[notation](add_warnings(sheet, heard_so_far)))
    tables = list(sheet.tables())
    laid_out = replace(sheet, tables=lambda: tables)
    return lambda: print_sheet(console_of(least), laid_out)


def show(sheet: Sheet, notation: str, least: int = 0) -> None:
    """Print a result on standard output; the arguments are those of :func:`lay_out`."""
    lay_out(sheet, notation, least)()


def name_systems(systems: Sequence[Path]) -> Sequence[str]:
    """Name systems by the last parts of their paths if these differ, or else by whole paths."""
    stems = [path.name if is_directory(path) else path.stem for path in systems]
    for names in (stems, [path.name for path in systems], list(map(str, systems))):
        if len(set(names)) == len(names):
            return names
    raise typer.BadParameter("a path occurs twice", param_hint="paths")


def name_runs(systems: Sequence[Path]) -> tuple[dict[str, Path], dict[str, Sequence[str]]]:
    """Return the paths of all runs by name, and for each system the names of its runs.

    A system is a path, or ``NAME=RUN1,RUN2,...``.
    """
    split = [_split_runs(path) for path in systems]
    names = iter(name_systems([paths[0] for name, paths in split if not name]))
    paths: dict[str, Path] = {}
    runs: dict[str, Sequence[str]] = {}
    for written, of_system in split:
        name = written or next(names)
        if name in runs:
            raise typer.BadParameter("two systems have the same name", param_hint="systems")
        several = len(of_system) > 1
        runs[name] = [f"{name} {k}" if several else name for k in range(1, len(of_system) + 1)]
        paths |= zip(runs[name], of_system, strict=True)
    return paths, runs


def _split_runs(system: Path) -> tuple[str, list[Path]]:
    """Return the name that the user gave to a system, or "", and the paths of its runs."""
    name, paths = split_name(str(system))
    return (name, [Path(path) for path in paths.split(",")]) if name else ("", [system])


def split_name(text: str) -> tuple[str, str]:
    """Return the name that the user gave to a system, or "", and its path or paths.

    Names and paths may contain ``=``. The name is the shortest that leaves an existing path. If no
    path exists, it is the text before the first ``=``.
    """
    if is_there(text):
        return "", text
    parts = text.split("=")
    splits = [("=".join(parts[:at]), "=".join(parts[at:])) for at in range(1, len(parts))]
    named = [(name, paths) for name, paths in splits if name and paths]
    there = [(name, paths) for name, paths in named if is_there(paths.partition(",")[0])]
    return (there or named or [("", text)])[0]


@contextmanager
def printing_to(path: Path | None) -> Iterator[None]:
    """Print to a file. An error before the end leaves the file as it is."""
    printed = io.StringIO()
    with redirect_stdout(printed) if path else nullcontext():
        yield
    if path:
        from clineval.base.files import write_file

        write_file(path, printed.getvalue())
