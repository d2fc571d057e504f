"""What ``eval_script.py``, the script of n2c2 2022 Track 1, prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.base.ratios import ratio
from clineval.challenges.n2c2_2022_cmed.files import EVENTS
from clineval.challenges.n2c2_2022_cmed.script_files import list_messages
from clineval.challenges.n2c2_2022_cmed.spec import COMBINED, MODES
from clineval.kinds.mentions.labelled import label_key
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun

_CONTEXT = ("Action", "Temporality", "Certainty", "Actor", "Negation")
"""The attributes in the order in which they are printed."""
_HEAD = (
    f"{'':22}{'------- strict -------':26}{'------ lenient -------'}\n"
    f"{'':22}Prec.   Rec.    F(b=1)    Prec.   Rec.    F(b=1)\n"
)
_LINE = f"{'':22}{'-' * 48}\n"
_TITLES = (" Evaluation n2c2 2022 Track 1 ", " Contextualized Medication Event Extraction ")


def track1(
    gold: Annotated[Path, typer.Argument(help="Folder of the gold standard's .ann files.")],
    system: Annotated[Path, typer.Argument(help="Folder of the system's .ann files.")],
) -> ScriptRun:
    """Print what eval_script.py of n2c2 2022 Track 1 prints: medications, events, context."""

    def write(evaluation: Any) -> Iterator[Output]:
        yield Output(_format(evaluation.score(), gold.absolute(), system.absolute()))

    return ScriptRun("default", system, gold, write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"n2c2-2022-track1": track1}


def _format(score: Score, gold: Path, system: Path) -> str:
    """Return all that the script prints for two folders."""
    first = f"evaluate folder: {system}\n"
    of_sides = [{path.name for path in folder.glob("*.ann")} for folder in (gold, system)]
    common = of_sides[0] & of_sides[1]
    if not common:
        return f"{first}ERROR: None of the files match.\n"
    skipped = (
        f"Files skipped in {folder}:\n{', '.join(sorted(names - common))}\n"
        for folder, names in zip((gold, system), of_sides, strict=True)
        if names - common
    )
    messages = (message for folder in (gold, system) for message in list_messages(folder, common))
    titles = "".join(["\n", *(f"{title:*^70}\n" for title in _TITLES)])
    found = f"{'':20}{f'  {len(common)} files evaluated  ':^48}\n"
    return "".join([first, *skipped, *messages, titles, *_list_tables(score), found])


def _list_tables(score: Score) -> Iterator[str]:
    yield f"\n{' Medication Extraction ':*^70}\n{_HEAD}"
    yield _format_row("Drug", *_rates(score, "drug")) + "\n\n"
    for title, group, names in (
        ("Event Classification", "events", EVENTS),
        ("Context Classification", "context", _CONTEXT),
    ):
        yield f"{f' {title} ':*^70}\n{_HEAD}"
        rows = [_rates(score, label_key(name)) for name in names]
        for name, rates in zip(names, rows, strict=True):
            yield _format_row(name.capitalize(), *rates)
        yield _LINE + _format_row("Overall (micro)", *_rates(score, group))
        means = (sum(column) / len(rows) for column in zip(*rows, strict=True))
        yield _format_row("Overall (macro)", *means) + "\n\n"
    yield _HEAD + _format_row("Combined", *_rates(score, COMBINED)) + "\n\n"


def _rates(score: Score, row: str) -> list[float]:
    """Return P, R and F of both modes, with the script's own rounding errors."""
    rates: list[Any] = []
    for mode in MODES:
        tp, fp, fn = (score[f"{row}_{mode}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
        rates += [precision, recall, ratio(2 * (precision * recall), precision + recall)]
    return rates


def _format_row(label: str, *rates: float) -> str:
    strict, lenient = (
        "  ".join(f"{rate:.4f}" for rate in rates[first : first + 3]) for first in (0, 3)
    )
    return f"{label:>20}  {strict}    {lenient}\n"
