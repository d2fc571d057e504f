"""Check runs and judgments, and the lab's rules for a team's runs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, listed, raise_all, read_all, warn
from clineval.base.files import Source, name_path
from clineval.base.problems import Problem
from clineval.challenges.clefehealth13_task3.corpus import Value, repeated
from clineval.challenges.clefehealth13_task3.trec import (
    IDS,
    QRELS,
    RUN,
    Fault,
    Layout,
    Line,
    are_ids,
    split_file,
)
from clineval.challenges.clefehealth13_task3.trec_measures import ALL_NEGATIVE
from clineval.formats.checking import find_in_path
from clineval.formats.files import TextFile, read_text_files

_WHOLE = re.compile(r"[+-]?\d{1,18}\Z", re.ASCII)


def first_result(lines: Sequence[Line]) -> Sequence[str]:
    """Return the words of the first line without ``#`` at its start, or else of the first line."""
    return next((words for _, words in lines if not words[0].startswith("#")), lines[0][1])


@dataclass(slots=True)
class _Seen:
    """State of reading a file: its documents and last ranks by topic, and its tag."""

    documents: dict[str, set[str]] = field(default_factory=dict)
    last: dict[str, tuple[int, float]] = field(default_factory=dict)
    tag: str = ""


def check_run(lines: Sequence[Line]) -> Iterator[Fault]:
    """Yield all faults of the lines of a run.

    All lines that the strict reader rejects are faults. So are a second column that is
    not ``Q0``, a rank that is not a whole number, a tag that differs from the first result's tag,
    and ranks that are not in the order of the scores.
    """
    seen = _Seen(tag=first_result(lines)[-1])
    for number, words in lines:
        fault = RUN.find_fault(words)
        for message in [fault] if fault else _check_run_line(words, seen):
            yield number, message


def _check_run_line(words: Sequence[str], seen: _Seen) -> Iterator[str]:
    topic, literal, document, rank, cell, tag = words
    if literal.upper() != "Q0":
        yield "column 2: expected Q0"
    yield from _check_ids(topic, document, seen)
    ranked = _WHOLE.match(rank)
    if not ranked:
        yield "column 4: expected the rank, a whole number"
    score = _value(RUN, cell)
    if score is None:
        yield f"column 5: expected the score, {RUN.wanted}"
    if tag != seen.tag:
        yield "column 6: expected the tag of the first line"
    if ranked and score is not None:
        yield from _check_order(topic, int(rank), score, seen)


def _check_order(topic: str, rank: int, score: float, seen: _Seen) -> Iterator[str]:
    last_rank, last_score = seen.last.get(topic, (rank, score))
    if rank > last_rank and score > last_score:
        yield "the score is higher than at the rank before; trec_eval ranks by score"
    seen.last[topic] = rank, score


def check_qrels(lines: Sequence[Line]) -> Iterator[Fault]:
    """Yield all faults of lines of judgments, then the faults of topics, which have no line."""
    seen = _Seen()
    highest: dict[str, int] = {}
    for number, words in lines:
        fault = QRELS.find_fault(words)
        if fault:
            yield number, fault
            continue
        for message in _check_ids(words[0], words[2], seen):
            yield number, message
        relevance = _value(QRELS, words[3])
        if relevance is None:
            yield number, f"column 4: expected the relevance, {QRELS.wanted}"
        else:
            highest[words[0]] = max(relevance, highest.get(words[0], relevance))
    for topic in (topic for topic, relevance in highest.items() if relevance < 0):
        yield 0, f"topic {topic}: {ALL_NEGATIVE}"


def _check_ids(topic: str, document: str, seen: _Seen) -> Iterator[str]:
    if not are_ids(topic, document):
        yield IDS
    documents = seen.documents.setdefault(topic, set())
    if document in documents:
        yield repeated(topic, document)
    documents.add(document)


def _value(layout: Layout[Value], cell: str) -> Value | None:
    try:
        return layout.parse(cell)
    except ValueError:
        return None


MOST_RUNS, BASELINE = 7, 1
WITH_SUMMARIES, WITHOUT_SUMMARIES = (2, 3, 4), (5, 6, 7)
_RUN_NUMBER = re.compile(r"(?<![a-z])run[ ._-]?(\d{1,9})(?!\d)", re.IGNORECASE)


def find_problems(paths: Sequence[Path], *, restricted: Collection[int] = ()) -> Iterator[Problem]:
    """Yield all problems of runs, line by line, then the problems of a team's runs together.

    A file whose first result has four columns is read as judgments.

    Args:
        paths: the files of a team's runs; the file name or the tag contains the number of the
            run, such as ``team.run1.txt``.
        restricted: the numbers of the runs that use only the fields title and desc.
    """
    tags: dict[str, str] = {}
    for path in paths:
        yield from find_in_path(path, partial(_check, tags=tags))
    numbers: dict[int, str] = {}
    for file, tag in tags.items():
        yield from _note_number(file, tag, numbers)
    yield from _check_runs(numbers, len(tags), restricted)


def _check(source: Source, tags: dict[str, str]) -> None:
    files = read_text_files(source, pattern=r"^[^.]", separator="\0")
    read_all(partial(_check_file, file, tags) for file in files)


def _check_file(file: TextFile, tags: dict[str, str]) -> None:
    """Reject a file with all its faults; record the tag of a run."""
    lines = split_file(file)
    if not lines:
        raise InputError("expected lines of a run or of judgments, got none", where=file.label)
    first = first_result(lines)
    judged = len(first) == len(QRELS.columns)
    if not judged:
        tags[file.path] = first[-1]
    faults = (check_qrels if judged else check_run)(lines)
    places = ((f"{file.label}:{line}" if line else file.label, fault) for line, fault in faults)
    raise_all([InputError(fault, where=where) for where, fault in places])


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
    if runs > MOST_RUNS:
        yield Problem("", 0, f"expected at most {MOST_RUNS} runs, got {runs}")
    unknown = sorted(set(restricted) - set(numbers))
    if unknown:
        raise InputError(
            f"there is no run {', '.join(map(str, unknown))} among the files",
            remedy="Give the numbers of runs in the files' names, such as 1 for team.run1.txt",
        )
    if not numbers:
        if runs:
            _warn("no file name or tag has a number such as run1, so the rules on runs 1 to 7")
        return
    if BASELINE not in numbers:
        yield Problem(
            "", 0, "run 1 is missing: the baseline with title and description only is mandatory"
        )
    for group in (WITH_SUMMARIES, WITHOUT_SUMMARIES):
        present = sorted(set(group) & set(numbers))
        if present and not restricted:
            _warn(f"no restricted run is named, so the rule on runs {group[0]}-{group[-1]}")
        elif present and not set(present) & set(restricted):
            yield Problem(
                "",
                0,
                f"one of the runs {group[0]}-{group[-1]} must use only title and description, "
                f"and none of {listed(list(map(str, present)))} does",
            )


def _warn(reason: str) -> None:
    warn(f"{reason} cannot be checked")
