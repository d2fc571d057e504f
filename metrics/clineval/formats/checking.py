"""All problems of files, found by the strict reader of their format: its errors, collected.

A reader stops at what it refuses first. Here a file that is refused is read in halves, and in
halves of these, down to the lines that are refused by themselves; then once more without them, for
what is wrong between lines, such as a name that is given twice. A reader that can go on after an
error raises all at once, by :func:`~clineval.base.errors.read_all`, which also saves most halving.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clineval.base.errors import InputError, InputWarning, one_line
from clineval.base.files import find_path, name_path
from clineval.base.problems import Problem
from clineval.formats.files import TextFile, list_names, read_text_files

Read = Callable[[TextFile], object]
"""The strict reader of one file; it raises an ``InputError`` whose place begins with the file's
label and the number of the line, if it knows one: ``a.pipe:3`` or ``a.json, note 7``."""
_Lines = Mapping[int, bytes]
"""Lines that are not blank, by their numbers."""


def find_problems(
    paths: Sequence[Path], pattern: str, read: Read, *, by_line: bool = True
) -> Iterator[Problem]:
    """Yield all problems of some files, file by file.

    Args:
        paths: files, whatever their names, and directories.
        pattern: regular expression for the names of files in directories.
        read: the strict reader of one file.
        by_line: whether a line can be read without the others. Otherwise (as in JSON) a file is
            read once, and its problems are those that the reader raises at once.
    """
    for file in open_files(paths, pattern):
        yield from (
            [file] if isinstance(file, Problem) else find_in_file(file, read, by_line=by_line)
        )


def find_by_reader(paths: Sequence[Path], read: Callable[[Path], object]) -> Iterator[Problem]:
    """Yield what a reader of paths raises for each path: its first error, or all it raises at once.

    Args:
        paths: files and directories.
        read: any strict reader.
    """
    for path in paths:
        try:
            read(path)
        except InputError as error:
            for each in (error, *error.others):
                place = re.match(r"(.+?):(\d+)(?:, |\Z)", each.where)
                label = place[1] if place else name_path(path)
                yield _as_problem(each, label, label)


def open_files(paths: Sequence[Path], pattern: str) -> Iterator[TextFile | Problem]:
    """Yield the files, those of directories chosen by name; a problem where there is none."""
    for path in paths:
        try:
            directory = (find_path(path) or path).is_dir()
        except InputError:
            yield Problem(name_path(path), 0, "no such file or directory")
            continue
        if not directory:
            yield _open(path, pattern)
            continue
        try:
            chosen, present = list_names(path, pattern)
        except InputError as error:
            yield _as_problem(error, name_path(path), str(path))
            continue
        if not chosen:
            yield Problem(str(path), 0, f"no file of the format among {present} files")
        yield from (_open(path / name, pattern) for name in chosen)


def _open(path: Path, pattern: str) -> TextFile | Problem:
    try:
        (file,) = read_text_files(path, pattern=pattern, separator="\0")
    except InputError as error:
        return _as_problem(error, name_path(path), str(path))
    return file


def find_in_file(file: TextFile, read: Read, *, by_line: bool = True) -> Iterator[Problem]:
    """Yield all problems of a file in the order of its lines, as :func:`find_problems`."""
    error = _attempt(read, file)
    if error is None:
        return
    if not by_line or not file.content.strip():
        yield from sorted(_as_problems(error, file), key=_by_line)
        return
    lines = {n: line for n, line in enumerate(file.content.split(b"\n"), 1) if line.strip()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # the first reading has warned
        broken = list(_find_broken(file, lines, read))
        gone = {problem.line for problem in broken}
        between = _find_between(file, {n: lines[n] for n in lines if n not in gone}, read)
        yield from sorted([*broken, *between], key=_by_line)


def _by_line(problem: Problem) -> tuple[bool, int]:
    """Return the place of a problem among those of its file; those of no line come last."""
    return problem.line == 0, problem.line


def _attempt(read: Read, file: TextFile) -> InputError | None:
    try:
        read(file)
    except InputError as error:
        return error
    return None


def _find_broken(file: TextFile, lines: _Lines, read: Read) -> Iterator[Problem]:
    numbers, found = list(lines), _read_lines(file, lines, read) if lines else []
    if len(numbers) > 1 and len({problem.line for problem in found}) > 1:
        first = found[0].line
        if _read_lines(file, {first: lines.get(first, b"")}, read):  # not only with the others
            yield from found
            gone = {problem.line for problem in found}
            yield from _find_broken(file, {n: lines[n] for n in numbers if n not in gone}, read)
            return
    if len(numbers) > 1 and found:
        middle = len(numbers) // 2
        for half in (numbers[:middle], numbers[middle:]):
            yield from _find_broken(file, {number: lines[number] for number in half}, read)
    else:
        yield from found


def _read_lines(file: TextFile, lines: _Lines, read: Read) -> list[Problem]:
    """List what is wrong with these lines alone."""
    error = _attempt(read, replace(file, content=b"\n".join([*lines.values(), b""])))
    if error is None:
        return []
    numbers = dict(enumerate(lines, 1))
    one = min(lines) if len(lines) == 1 else 0
    return [
        replace(problem, line=one or numbers.get(problem.line, 0))
        for problem in _as_problems(error, file)
    ]


def _find_between(file: TextFile, lines: _Lines, read: Read) -> Iterator[Problem]:
    """Yield the problems between lines that are fine by themselves."""
    kept = dict(lines)
    while kept:
        # blank ones stand for those that are left out, so that numbers of lines hold
        content = b"\n".join(kept.get(number, b"") for number in range(1, max(kept) + 2))
        error = _attempt(read, replace(file, content=content))
        if error is None:
            return
        found = _as_problems(error, file)
        yield from found
        gone = kept.keys() & {problem.line for problem in found}
        if not gone:
            return
        kept = {number: line for number, line in kept.items() if number not in gone}


def _as_problems(error: InputError, file: TextFile) -> list[Problem]:
    return [_as_problem(each, file.label, file.path) for each in (error, *error.others)]


def _as_problem(error: InputError, label: str, path: str) -> Problem:
    """Convert an error to a problem, with its place taken apart."""
    place = re.match(rf"{re.escape(label)}(?::(\d+))?(?:, |\Z)", error.where)
    line, within = (int(place[1] or 0), error.where[place.end() :]) if place else (0, error.where)
    return Problem(path, line, f"{one_line(within)}: {error.problem}" if within else error.problem)
