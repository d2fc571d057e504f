"""What commands have in common: consoles, progress, output to files, names of systems."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from clineval.base.errors import InputError
from clineval.base.escaping import ESCAPES, visible
from clineval.base.files import is_directory, is_there

if TYPE_CHECKING:  # help must not wait for what writes results
    from clineval.results.tables import Sheet

WIDE = 240
"""Columns of a wide table where the output is not a terminal."""
_MANY = 500
_BROKEN_PIPE = 141
"""What shells say of a program that SIGPIPE ended: 128 and its number."""


class _Output(io.FileIO):
    """Standard output, which says so where it cannot be written to.

    A pipe that nobody reads any more, such as that of ``head``, is nobody's fault: the
    command ends without a word, as if the signal had ended it.
    """

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())  # for what is left of it
            if isinstance(error, BrokenPipeError):
                raise SystemExit(_BROKEN_PIPE) from None
            problem = f"cannot be written: {error.strerror}"
            raise InputError(problem, where="standard output") from None


def guard_output() -> None:
    """Let errors of standard output, full or closed, end the program as bad input does.

    What a terminal's encoding lacks is written as escapes.
    """
    given = sys.stdout
    if given is not sys.__stdout__ or not isinstance(given, io.TextIOWrapper):
        return
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(given.fileno(), "wb", closefd=False)),
        encoding=given.encoding,
        errors=ESCAPES,
        line_buffering=given.line_buffering,
    )


def show(sheet: Sheet, notation: str, least: int = 0) -> None:
    """Print a result on standard output, as a table or in the notation of a writer.

    ``least`` is that of :func:`clineval.results.tables.console_of`.
    """
    from clineval.results.tables import WRITERS, console_of, print_sheet

    if notation == "table":
        print_sheet(console_of(least), sheet)
    else:
        typer.echo(WRITERS[notation](sheet))


def show_progress(items: Sequence[Any], label: str) -> Iterable[Any]:
    """Show a progress bar on standard error, if it is a terminal and there is much to do."""
    if len(items) < _MANY or not (sys.stderr and sys.stderr.isatty()):
        return items
    return _show_bar(items, visible(label))


def _show_bar(items: Sequence[Any], label: str) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    what = TextColumn("{task.description}", markup=False)
    console = Console(stderr=True)
    with Progress(
        what, BarColumn(), TaskProgressColumn(), console=console, transient=True
    ) as progress:
        yield from progress.track(items, description=label)


@contextmanager
def show_speed(total: int | None, label: str) -> Iterator[Callable[[int], None]]:
    """Show a progress bar with documents a second on standard error, if it is a terminal.

    Nothing is shown of a few documents.
    """
    if not sys.stderr.isatty() or (total is not None and total < _MANY):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn

    class Speed(ProgressColumn):
        """Documents a second."""

        def render(self, task: Task) -> Any:
            from rich.text import Text

            return Text(f"{task.finished_speed or task.speed or 0:,.0f}/s")

    what, done = TextColumn("{task.description}", markup=False), TextColumn("{task.completed:,.0f}")
    console = Console(stderr=True)
    # drawn when there is news: a thread that draws would keep processes from being forked
    bar = Progress(what, BarColumn(), done, Speed(), console=console, transient=True,
                   auto_refresh=False)  # fmt: skip
    with bar:
        task = bar.add_task(visible(label), total=total)

        def advance(documents: int) -> None:
            bar.update(task, advance=documents, refresh=True)

        yield advance


def name_systems(systems: Sequence[Path]) -> Sequence[str]:
    """Name systems by the last parts of their paths if these differ, else by the whole paths."""
    stems = [path.name if is_directory(path) else path.stem for path in systems]
    for names in (stems, [path.name for path in systems]):
        if len(set(names)) == len(names):
            return names
    paths = [str(path) for path in systems]
    if len(set(paths)) < len(paths):
        raise typer.BadParameter("a path is given twice", param_hint="paths")
    return paths


def name_runs(systems: Sequence[Path]) -> tuple[dict[str, Path], dict[str, Sequence[str]]]:
    """Return the paths of all runs by name, and for each system the names of its runs.

    A system is a path, or ``NAME=RUN1,RUN2,...``.
    """
    given = [_split_runs(path) for path in systems]
    single = [paths[0] for name, paths in given if not name]
    names = iter(name_systems(single))
    paths: dict[str, Path] = {}
    runs: dict[str, Sequence[str]] = {}
    for written, of_system in given:
        name = written or next(names)
        if name in runs:
            raise typer.BadParameter("two systems have the same name", param_hint="systems")
        several = len(of_system) > 1
        runs[name] = [f"{name} {k}" if several else name for k in range(1, len(of_system) + 1)]
        paths |= zip(runs[name], of_system, strict=True)
    return paths, runs


def _split_runs(given: Path) -> tuple[str, list[Path]]:
    """Return the name that is given to a system, if there is one, and the paths of its runs."""
    name, equals, paths = str(given).partition("=")
    if not equals or not name or is_there(given):
        return "", [given]
    return name, [Path(path) for path in paths.split(",")]


@contextmanager
def printing_to(path: Path | None) -> Iterator[None]:
    """Print to a file, which is not touched if there is an error before."""
    printed = io.StringIO()
    with redirect_stdout(printed) if path else nullcontext():
        yield
    if path:
        from clineval.base.files import write_file

        write_file(path, printed.getvalue())
