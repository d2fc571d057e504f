"""Print what ``eval_script.py``, the script of n2c2 2022 Track 1, prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from clineval.challenges.n2c2_2022_cmed.files import EVENTS
from clineval.challenges.n2c2_2022_cmed.script_files import read_lines
from clineval.challenges.n2c2_2022_cmed.spec import COMBINED
from clineval.kinds.pages import AnyScored
from clineval.programs.lettered_lines import list_messages
from clineval.programs.strict_lenient_report import (
    HEAD,
    LINE,
    format_row,
    list_skipped,
    rates_of,
)
from clineval.results.averages import label_key
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun

_CONTEXT = ("Action", "Temporality", "Certainty", "Actor", "Negation")
"""The attributes in the order of the printed table."""
_TITLES = (" Evaluation n2c2 2022 Track 1 ", " Contextualized Medication Event Extraction ")


def track1(
    gold: Annotated[Path, typer.Argument(help="Directory of the gold standard's .ann files.")],
    system: Annotated[Path, typer.Argument(help="Directory of the system's .ann files.")],
) -> ScriptRun:
    """Print what eval_script.py of n2c2 2022 Track 1 prints: medications, events, context."""

    def write(evaluation: AnyScored) -> Iterator[Output]:
        yield Output(_format(evaluation.score(), gold.absolute(), system.absolute()))

    return ScriptRun("default", system, gold, write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"n2c2-2022-track1": track1}


def _format(score: Score, gold: Path, system: Path) -> str:
    """Return everything that the script prints for two folders."""
    first = f"evaluate folder: {system}\n"
    of_sides = [{path.name for path in folder.glob("*.ann")} for folder in (gold, system)]
    common = of_sides[0] & of_sides[1]
    if not common:
        return f"{first}ERROR: None of the files match.\n"
    skipped = list_skipped((gold, system), of_sides)
    messages = (
        message
        for folder in (gold, system)
        for message in list_messages(folder, common, lambda *of: read_lines(*of).messages)
    )
    titles = "".join(["\n", *(f"{title:*^70}\n" for title in _TITLES)])
    found = f"{'':20}{f'  {len(common)} files evaluated  ':^48}\n"
    return "".join([first, *skipped, *messages, titles, *_list_tables(score), found])


def _list_tables(score: Score) -> Iterator[str]:
    yield f"\n{' Medication Extraction ':*^70}\n{HEAD}"
    yield format_row("Drug", *rates_of(score, "drug")) + "\n\n"
    for title, group, names in (
        ("Event Classification", "events", EVENTS),
        ("Context Classification", "context", _CONTEXT),
    ):
        yield f"{f' {title} ':*^70}\n{HEAD}"
        rows = [rates_of(score, label_key(name)) for name in names]
        for name, rates in zip(names, rows, strict=True):
            yield format_row(name.capitalize(), *rates)
        yield LINE + format_row("Overall (micro)", *rates_of(score, group))
        means = (sum(column) / len(rows) for column in zip(*rows, strict=True))
        yield format_row("Overall (macro)", *means) + "\n\n"
    yield HEAD + format_row("Combined", *rates_of(score, COMBINED)) + "\n\n"
