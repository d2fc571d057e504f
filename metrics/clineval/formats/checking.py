"""Find all problems of files: collect the errors of a challenge's strict reader.

A reader stops at the first error, or raises all of its errors at once
(:func:`~clineval.base.errors.read_all`). In formats such as JSON Lines, each line can be read
without the others. If the reader rejects such a file, its lines are split in halves again and
again, until the rejected lines are found. Finally, everything except these lines is read once more,
to find problems between lines and files, such as a name that occurs twice.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, InputWarning, one_line
from clineval.base.files import Source, is_there, name_path, read_bytes, reading_instead
from clineval.base.packed import ending_of
from clineval.base.problems import Problem
from clineval.base.progress import track
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.formats.files import SomeFiles, normalize, noting_names
from clineval.formats.stored import StoredDocuments, is_stored, open_stored
from clineval.results.challenge import Challenge, Setup

Read = Callable[[Source], object]
"""The strict reader of a file or a directory. It raises an ``InputError`` whose place begins with
the file's label and, if known, the line number: ``a.pipe:3`` or ``a.json, note 7``."""
_Lines = Mapping[int, bytes]
"""The lines that are not blank, by line number."""


def find_problems(
    challenge: Challenge, paths: Sequence[Path], **options: object
) -> Iterator[Problem]:
    """Yield all problems of files in a challenge's formats, path by path.

    Args:
        challenge: the challenge; its first protocol reads the files.
        paths: files with any names, and directories.
        options: options on which reading depends.
    """
    if challenge.faces.validate:
        yield from challenge.faces.validate(paths, **options)
        return
    first = next(iter(challenge.protocols))
    owners = challenge.find_owners(first, options).values()
    configs = [name for name in challenge.task.configs if all(name in each for each in owners)]
    setups = [challenge.setup(config, first, options) for config in configs]
    distinct = {id(setup.steps): partial(_check, setup) for setup in setups}
    try:
        for path in paths:
            if is_stored(path) and is_there(path):
                yield from min((_find_in_stored(path, setup) for setup in setups), key=len)
                continue
            yield from find_in_path(path, *distinct.values(), by_line=challenge.steps.by_line)
    except NotImplementedError:
        problem = f"{challenge.name} does not support validation of files"
        raise InputError(problem, remedy="Score them to see the first problem") from None


def _find_in_stored(path: Path, setup: Setup) -> list[Problem]:
    """List the problems of files that another package reads, document by document."""
    try:
        opened = open_stored(path, "references", setup)
    except InputError as error:
        return [_as_problem(error, name_path(path), path)]
    if not isinstance(opened, StoredDocuments):
        return []
    every = range(len(opened))
    errors = _read_stored(opened, every, setup)
    if errors:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # already issued by the first reading
            tracked = track(every, f"finding problems of {name_path(path)}")
            single = (_read_stored(opened, range(row, row + 1), setup) for row in tracked)
            errors = [error for found in single for error in found] or errors
    return [_as_problem(error, name_path(path), path) for error in errors]


def _read_stored(opened: StoredDocuments, rows: range, setup: Setup) -> list[InputError]:
    try:
        setup.steps.read(opened.read(rows), [], setup)
    except InputError as error:
        return [_place(each, rows.start) for each in _all_of(error)]
    return []


def _place(error: InputError, row: int) -> InputError:
    """Return the error with the number of a document without a name that was read alone."""
    where = re.sub(r"\b(document|record) 0\b", rf"\g<1> {row}", error.where)
    return InputError(error.problem, where=where)


def _check(setup: Setup, source: Source) -> None:
    setup.steps.check(source, setup)


def find_in_path(path: Path, *readers: Read, by_line: bool = False) -> list[Problem]:
    """List the problems of a file or a directory, in the order of files and lines.

    Files do not identify their configuration. Therefore the first reader that accepts the first
    line is used. If none accepts it, the reader with the fewest problems is used.

    Args:
        path: the file or the directory.
        readers: the strict readers.
        by_line: whether each line can be read without the others, in any format.
    """
    if not is_there(path):
        return [Problem(name_path(path), 0, "no such file or directory")]
    found: list[list[Problem]] = []
    for read in readers:
        found.append(_find_in_path(path, read, by_line=by_line))
        if not found[-1] or found[-1][0].line > 1:
            return found[-1]
    return min(found, key=lambda problems: (problems[0].line == 0, len(problems)))


def _find_in_path(path: Path, read: Read, *, by_line: bool) -> list[Problem]:
    with noting_names() as names:
        error = _attempt(read, path)
    if error is None:
        return []
    if path.is_dir():
        folder = name_path(path)
        files = [
            _File.open(path / n, f"{folder}/{one_line(n)}", SomeFiles(path, (n,)), by_line=by_line)
            for n in dict.fromkeys(names)
        ]
    else:
        files = [_File.open(path, name_path(path), path, by_line=by_line)]
    if not files:
        return [_as_problem(each, name_path(path), path) for each in _all_of(error)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # already issued by the first reading
        tracked = track(files, f"finding problems of {name_path(path)}")
        found = [problem for file in tracked for problem in _find_alone(file, read)]
        found += _find_between(path, files, found, read)
    order = {file.path: number for number, file in enumerate(files)}
    return sorted(found, key=lambda p: (order.get(p.file, len(order)), p.line == 0, p.line))


@dataclass(frozen=True, slots=True)
class _File:
    """A rejected file, or a file in the same directory.

    Args:
        path: the path.
        label: the name in messages.
        source: the source that readers accept for this file alone.
        lines: the lines, if each can be read without the others; otherwise empty.
    """

    path: str
    label: str
    source: Source
    lines: _Lines

    @classmethod
    def open(cls, path: Path, label: str, source: Source, *, by_line: bool) -> _File:
        """Open a file with any content."""
        try:
            content = normalize(label, None, read_bytes(path)).content
        except InputError:  # the reader raises it too
            content = b""
        lines = {n: line for n, line in enumerate(content.split(b"\n"), 1) if line.strip()}
        return cls(str(path), label, source, lines if by_line or _are_json(path, lines) else {})

    def without(self, gone: set[tuple[str, int]]) -> bytes:
        """Return the content with some lines blank, so that other lines keep their numbers."""
        kept = (
            b"" if (self.path, number) in gone else self.lines.get(number, b"")
            for number in range(1, max(self.lines, default=0) + 2)
        )
        return b"\n".join(kept)

    def is_left(self, gone: set[tuple[str, int]]) -> bool:
        """Return whether a part of the file remains without the given places."""
        lines = {line for path, line in gone if path == self.path}
        return bool(self.lines.keys() - lines) if self.lines and 0 not in lines else not lines

    def place(self, error: InputError) -> Problem:
        """Convert an error to a problem of this file."""
        return _as_problem(error, self.label, Path(self.path))


def _are_json(path: Path, lines: _Lines) -> bool:
    """Return whether each line is a document, by the file's name or the first of several lines."""
    if ending_of(path) == ".jsonl":
        return True
    try:
        return len(lines) > 1 and isinstance(parse_json(lines[min(lines)].decode()), dict)
    except NotJsonError:
        return False


def _attempt(read: Read, source: Source) -> InputError | None:
    try:
        read(source)
    except InputError as error:
        return error
    return None


def _find_alone(file: _File, read: Read) -> Sequence[Problem]:
    """List the problems of a file alone: of single lines, or of the whole file."""
    errors = _all_of(_attempt(read, file.source))
    if errors and file.lines and errors[0].where != file.label:
        return list(_find_broken(file, file.lines, read))
    return [file.place(error) for error in errors]


def _find_broken(file: _File, lines: _Lines, read: Read) -> Iterator[Problem]:
    """Yield the problems of single lines."""
    numbers, found = list(lines), _read_lines(file, lines, read) if lines else []
    if len(numbers) > 1 and len({problem.line for problem in found}) > 1:
        first = found[0].line
        if _read_lines(file, {first: lines.get(first, b"")}, read):  # wrong without the others too
            yield from found
            gone = {problem.line for problem in found}
            rest = {number: lines[number] for number in numbers if number not in gone}
            yield from _find_broken(file, rest, read)
            return
    if len(numbers) > 1 and found:
        middle = len(numbers) // 2
        for half in (numbers[:middle], numbers[middle:]):
            yield from _find_broken(file, {number: lines[number] for number in half}, read)
    else:
        yield from found


def _read_lines(file: _File, lines: _Lines, read: Read) -> list[Problem]:
    """List the problems of these lines alone."""
    with reading_instead({file.path: b"\n".join([*lines.values(), b""])}):
        error = _attempt(read, file.source)
    numbers = dict(enumerate(lines, 1))
    one = min(lines) if len(lines) == 1 else 0
    problems = map(file.place, _all_of(error))
    return [replace(each, line=one or numbers.get(each.line, 0)) for each in problems]


def _find_between(
    path: Path, files: Sequence[_File], broken: Sequence[Problem], read: Read
) -> Iterator[Problem]:
    """Yield the problems between lines and files that have no problem alone."""
    gone = {(problem.file, problem.line) for problem in broken}
    while True:
        kept = [file for file in files if file.is_left(gone)]
        if not kept:
            return
        names = tuple(Path(file.path).name for file in kept)
        with reading_instead({file.path: file.without(gone) for file in kept if file.lines}):
            error = _attempt(read, SomeFiles(path, names) if path.is_dir() else path)
        found = [_as_problem(each, name_path(path), path) for each in _all_of(error)]
        found = [problem for problem in found if (problem.file, problem.line) not in gone]
        yield from found
        if not found:
            return
        gone |= {(problem.file, problem.line) for problem in found}


def _all_of(error: InputError | None) -> Sequence[InputError]:
    return (error, *error.others) if error else ()


def _as_problem(error: InputError, label: str, path: Path) -> Problem:
    """Convert an error to a problem; parse file and line from its place.

    The place begins with the label of the file, or of another file in the directory.
    """
    place = re.match(rf"{re.escape(label)}(?::(\d+))?(?:, |\Z)", error.where)
    other = re.match(r"(?:.*/)?([^/]+?)(?=(?::\d+)?(?:, |\Z))", error.where)
    if not place and other:
        directory = path if path.is_dir() else path.parent
        if is_there(directory / other[1]):
            return _as_problem(error, other[0], directory / other[1])
    line, within = (int(place[1] or 0), error.where[place.end() :]) if place else (0, error.where)
    return Problem(
        str(path), line, f"{one_line(within)}: {error.problem}" if within else error.problem
    )
