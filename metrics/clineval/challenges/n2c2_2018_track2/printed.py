"""Print what ``Track2-evaluate-ver4.py``, the script of n2c2 2018 Track 2, prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from clineval.challenges.n2c2_2018_track2.measures import LABELS
from clineval.challenges.n2c2_2018_track2.script_files import read_lines
from clineval.kinds.pages import AnyScored
from clineval.programs.lettered_lines import list_messages
from clineval.programs.strict_lenient_report import (
    HEAD,
    LINE,
    MODES,
    format_row,
    list_skipped,
    rates_of,
)
from clineval.results.averages import label_key
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun

_BANNERS = {"concepts": f"{' TRACK 2 ':*^70}\n", "relations": f"{' RELATIONS ':*^70}\n"}


def track2(
    gold: Annotated[Path, typer.Argument(help="Directory of the gold standard's .ann files.")],
    system: Annotated[Path, typer.Argument(help="Directory of the system's .ann files.")],
) -> ScriptRun:
    """Print what Track2-evaluate-ver4.py of n2c2 2018 prints: concepts, then relations."""

    def write(evaluation: AnyScored) -> Iterator[Output]:
        yield Output(_format(evaluation.score(), gold.absolute(), system.absolute()))

    return ScriptRun("default", system, gold, write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"n2c2-2018-track2": track2}


def _format(score: Score, gold: Path, system: Path) -> str:
    of_sides = [_names(folder) for folder in (gold, system)]
    common = of_sides[0] & of_sides[1]
    if not common:
        return "ERROR: None of the files match.\n"
    skipped = list_skipped((gold, system), of_sides)
    messages = (
        message
        for folder in (gold, system)
        for message in list_messages(folder, common, lambda *of: read_lines(*of).messages)
    )
    found = f"{'':20}{f'  {len(common)} files found  ':^48}\n"
    tables = (_format_table(score, kind) for kind in LABELS)
    return "".join([*skipped, *messages, *tables, found])


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.ann") if not path.name.startswith(".")}


def _format_table(score: Score, kind: str) -> str:
    text = _BANNERS[kind] + (HEAD if kind == "concepts" else "")
    for label in LABELS[kind]:
        text += format_row(_name(label), *rates_of(score, label_key(label)))
    text += LINE
    text += format_row("Overall (micro)", *rates_of(score, f"{kind}_micro"))
    macro = [score[f"{kind}_macro_{m}_{n}"] for m in MODES for n in ("precision", "recall", "f1")]
    return text + format_row("Overall (macro)", *macro) + "\n"


def _name(label: str) -> str:
    return label.replace("-", " -> ") if "-" in label else label.capitalize()
