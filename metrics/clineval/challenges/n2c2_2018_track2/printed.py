"""What ``Track2-evaluate-ver4.py``, the script of n2c2 2018 Track 2, prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.base.ratios import ratio
from clineval.challenges.n2c2_2018_track2.measures import LABELS, MODES
from clineval.challenges.n2c2_2018_track2.script_files import list_messages
from clineval.kinds.mentions.labelled import label_key
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun

_HEAD = (
    f"{'':22}{'------- strict -------':26}{'------ lenient -------'}\n"
    f"{'':22}Prec.   Rec.    F(b=1)    Prec.   Rec.    F(b=1)\n"
)
_LINE = f"{'':22}{'-' * 48}\n"
_BANNERS = {"concepts": f"{' TRACK 2 ':*^70}\n", "relations": f"{' RELATIONS ':*^70}\n"}


def track2(
    gold: Annotated[Path, typer.Argument(help="Folder of the gold standard's .ann files.")],
    system: Annotated[Path, typer.Argument(help="Folder of the system's .ann files.")],
) -> ScriptRun:
    """Print what Track2-evaluate-ver4.py of n2c2 2018 prints: concepts, then relations."""

    def write(evaluation: Any) -> Iterator[Output]:
        yield Output(_format(evaluation.score(), gold.absolute(), system.absolute()))

    return ScriptRun("default", system, gold, write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"n2c2-2018-track2": track2}


def _format(score: Score, gold: Path, system: Path) -> str:
    of_sides = [_names(folder) for folder in (gold, system)]
    common = of_sides[0] & of_sides[1]
    if not common:
        return "ERROR: None of the files match.\n"
    skipped = (
        f"Files skipped in {folder}:\n{', '.join(sorted(names - common))}\n"
        for folder, names in zip((gold, system), of_sides, strict=True)
        if names - common
    )
    messages = (message for folder in (gold, system) for message in list_messages(folder, common))
    found = f"{'':20}{f'  {len(common)} files found  ':^48}\n"
    tables = (_format_table(score, kind) for kind in LABELS)
    return "".join([*skipped, *messages, *tables, found])


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.ann") if not path.name.startswith(".")}


def _format_table(score: Score, kind: str) -> str:
    text = _BANNERS[kind] + (_HEAD if kind == "concepts" else "")
    for label in LABELS[kind]:
        text += _format_row(_name(label), *_rates(score, label_key(label)))
    text += _LINE
    text += _format_row("Overall (micro)", *_rates(score, f"{kind}_micro"))
    macro = [score[f"{kind}_macro_{m}_{n}"] for m in MODES for n in ("precision", "recall", "f1")]
    return text + _format_row("Overall (macro)", *macro) + "\n"


def _name(label: str) -> str:
    return label.replace("-", " -> ") if "-" in label else label.capitalize()


def _rates(score: Score, prefix: str) -> list[float]:
    """Return P, R and F of both modes, with the script's own rounding errors."""
    rates: list[Any] = []
    for mode in MODES:
        tp, fp, fn = (score[f"{prefix}_{mode}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
        rates += [precision, recall, ratio(2 * (precision * recall), precision + recall)]
    return rates


def _format_row(label: str, *rates: float) -> str:
    strict, lenient = (
        "  ".join(f"{rate:.4f}" for rate in rates[first : first + 3]) for first in (0, 3)
    )
    return f"{label:>20}  {strict}    {lenient}\n"
