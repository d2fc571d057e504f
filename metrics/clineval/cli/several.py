"""Several metrics in one call: their options, and their results one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import typer

from clineval.base.errors import InputError, hear_warnings, listed
from clineval.cli import answers
from clineval.results.registry import find_challenge

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.results.challenge import Challenge
    from clineval.results.scores import Score
    from clineval.results.tables import Sheet


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one metric.

    Args:
        score: the scores.
        lay_out: lays out the scores with the given keys, or all; called with the keys.
        warned: the warnings while it was computed.
    """

    score: Score
    lay_out: Callable[[Sequence[str]], Sheet]
    warned: Sequence[str]


def find_challenges(modules: str) -> list[Challenge]:
    """Find the metrics whose names are separated by commas.

    Raises:
        InputError: a name is unknown, or occurs twice.
    """
    names = [name.strip() for name in modules.split(",")]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InputError(f"the metric {listed(repeated)} is named twice", where="MODULE")
    return list(map(find_challenge, names))


def choose_options(challenge: Challenge, given: Mapping[str, object]) -> dict[str, object]:
    """Return the given options that a metric has."""
    known = {option.name for option in challenge.options}
    known |= {option.name for option in answers.options_for(challenge)}
    return {name: value for name, value in given.items() if name in known}


def refuse_options(given: Mapping[str, object]) -> None:
    """Reject options that only one metric can use; ``given`` maps their flags to values."""
    for flag, value in given.items():
        if value:
            raise typer.BadParameter("is for a single metric", param_hint=flag)


def print_all(
    results: Sequence[Result], keys: Sequence[str], notation: str, least: int
) -> Callable[[], None]:
    """Write all results; return a function that prints them: a list in JSON, or one after another.

    Args:
        results: the results. Each shows the scores that it has.
        keys: the scores to show; empty for all.
        notation: ``table``, or a name in ``WRITERS``.
        least: as in :func:`clineval.results.tables.console_of`.

    Raises:
        InputError: no result has a score of this name, or the notation is unknown.
    """
    from clineval.base.escaping import write_json
    from clineval.results.options import check_name
    from clineval.results.tables import WRITERS

    check_name("format for several metrics", notation, ("table", *WRITERS))
    every = dict.fromkeys(key for result in results for key in result.score.shown)
    for key in keys if list(keys) != ["all"] else ():
        check_name("score", key, every)
    sheets = [result.lay_out(_choose(keys, result.score)) for result in results]
    if notation == "table":
        return _tabulate(sheets, least)
    write: Callable[[Sheet], object] = (
        (lambda sheet: sheet.data()) if notation == "json" else WRITERS[notation]
    )
    written = [_write(*pair, write) for pair in zip(sheets, results, strict=True)]
    text = write_json(written) if notation == "json" else "\n\n".join(map(str, written))
    return partial(typer.echo, text)


def _choose(keys: Sequence[str], score: Score) -> list[str]:
    return [key for key in keys if key in score.shown or key == "all"]


def _write(sheet: Sheet, result: Result, write: Callable[[Sheet], object]) -> object:
    """Write a result with its own warnings."""
    from clineval.results.tables import add_warnings

    with hear_warnings() as more:
        return write(add_warnings(sheet, lambda: [*result.warned, *more]))


def _tabulate(sheets: Sequence[Sheet], least: int) -> Callable[[], None]:
    """Compute all tables before the first is printed."""
    from clineval.results.tables import console_of, print_sheet

    computed = [(sheet, list(sheet.tables())) for sheet in sheets]

    def show() -> None:
        for number, (sheet, tables) in enumerate(computed):
            if number:
                typer.echo()
            print_sheet(console_of(least), replace(sheet, tables=partial(list, tables)))

    return show
