"""The lab's rules for a team's runs, ShARe/CLEF eHealth 2013 Task 3."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from clineval.base.errors import InputError, listed, warn
from clineval.base.files import name_path
from clineval.base.problems import Problem
from clineval.challenges.clefehealth13_task3.trec import (
    QRELS,
    check_qrels,
    check_run,
    first_result,
    split_file,
)
from clineval.formats.checking import open_files

MOST_RUNS, BASELINE = 7, 1
WITH_SUMMARIES, WITHOUT_SUMMARIES = (2, 3, 4), (5, 6, 7)
_RUN_NUMBER = re.compile(r"(?<![a-z])run[ ._-]?(\d{1,9})(?!\d)", re.IGNORECASE)


def find_problems(paths: Sequence[Path], *, restricted: Collection[int] = ()) -> Iterator[Problem]:
    """Yield all problems of runs, line by line, then those of a team's runs together.

    A file whose lines have four columns is taken for judgments.

    Args:
        paths: the files of a team's runs; the number of a run is in its file's name or in its
            tag, such as ``team.run1.txt``.
        restricted: the numbers of the runs that use only the fields title and desc.
    """
    numbers: dict[int, str] = {}
    runs = 0
    for file in open_files(paths, r"^[^.]"):
        if isinstance(file, Problem):
            yield file
            continue
        lines = split_file(file)
        if not lines:
            yield Problem(file.path, 0, "expected lines of a run or of judgments, got none")
            continue
        first = first_result(lines)
        judged = len(first) == len(QRELS.columns)
        for line, message in (check_qrels if judged else check_run)(lines):
            yield Problem(file.path, line, message)
        if not judged:
            runs += 1
            yield from _note_number(file.path, first[-1], numbers)
    yield from _check_runs(numbers, runs, restricted)


def _note_number(file: str, tag: str, numbers: dict[int, str]) -> Iterator[Problem]:
    found = _RUN_NUMBER.search(Path(file).name) or _RUN_NUMBER.search(tag)
    if not found:
        return
    number = int(found[1])
    if not BASELINE <= number <= MOST_RUNS:
        yield Problem(file, 0, f"run {number}: expected a number from 1 to {MOST_RUNS}")
    elif number in numbers:
        yield Problem(file, 0, f"run {number}: {name_path(numbers[number])} has this number too")
    numbers.setdefault(number, file)


def _check_runs(
    numbers: dict[int, str], runs: int, restricted: Collection[int]
) -> Iterator[Problem]:
    """Check the lab's rules for the runs of a team."""
    if runs > MOST_RUNS:
        yield Problem("", 0, f"expected at most {MOST_RUNS} runs, got {runs}")
    unknown = sorted(set(restricted) - set(numbers))
    if unknown:
        raise InputError(
            f"there is no run {', '.join(map(str, unknown))} among the files",
            remedy="Give the numbers of runs, which are in the files' names, as in team.run1.txt",
        )
    if not numbers:
        if runs:
            _warn("no file name or tag has a number such as run1, so that the rules on runs 1 to 7")
        return
    if BASELINE not in numbers:
        yield Problem(
            "", 0, "run 1 is missing: the baseline with title and description only is mandatory"
        )
    for group in (WITH_SUMMARIES, WITHOUT_SUMMARIES):
        present = sorted(set(group) & set(numbers))
        if present and not restricted:
            _warn(f"no restricted run is named, so that the rule on runs {group[0]}-{group[-1]}")
        elif present and not set(present) & set(restricted):
            yield Problem(
                "",
                0,
                f"one of the runs {group[0]}-{group[-1]} has to use only title and description, "
                f"and none of {listed(list(map(str, present)))} does",
            )


def _warn(reason: str) -> None:
    warn(f"{reason} cannot be checked")
