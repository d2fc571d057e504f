"""Stand-in for track1_eval.py, the released program of n2c2 2018 Track 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.files import find_directory
from clineval.base.ratios import Number, ratio
from clineval.challenges.n2c2_2018_track1.measures import CLASSES, KEYS, PATIENTS
from clineval.formats.files import SomeFiles
from clineval.kinds.pages import AnyScored
from clineval.programs.strict_lenient_report import compute_rates, list_skipped
from clineval.results.scripts import Output, ScriptRun

_WIDTH, _INDENT = 96, 52
_HEAD = f"""\
{" TRACK 1 ":*^{_WIDTH - 1}}*
{"":22}------------ met -------------    ------ not met -------    -- overall ---
{"":22}Prec.   Rec.    Speci.  F(b=1)    Prec.   Rec.    F(b=1)    F(b=1)  AUC   
"""  # noqa: W291 - as printed
_RULE = f"{'':22}------------------------------    ----------------------    --------------\n"
Counts = tuple[float, float, float]
"""True positives, false positives and false negatives of a class."""


def evaluate_cohort(
    gold: Annotated[Path, typer.Argument(help="Gold standard: a directory.", show_default=False)],
    system: Annotated[Path, typer.Argument(help="System: a directory.", show_default=False)],
) -> ScriptRun:
    """Print what track1_eval.py prints for two directories of XML files."""
    folders = [find_directory(folder).absolute() for folder in (gold, system)]
    names = [*map(_list_names, folders)]
    common = sorted(names[0] & names[1])

    def write(evaluation: AnyScored) -> Iterator[Output]:
        if common:
            yield Output("".join([*list_skipped(folders, names), format_report(evaluation)]))
        else:
            yield Output("ERROR: None of the files match.\n")

    sides = [SomeFiles(folder, common) for folder in folders]
    return ScriptRun("default", sides[1], sides[0], write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"n2c2-2018-track1": evaluate_cohort}


def _list_names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.xml") if not path.name.startswith(".")}


def format_report(evaluation: AnyScored) -> str:
    """Format the table of all criteria, and their micro and macro averages."""
    totals = evaluation.counts.totals
    patients = totals[PATIENTS]
    rows = {
        criterion: _measure([_take(f"{key}_{of}", totals) for of in CLASSES.values()], patients)
        for criterion, key in KEYS.items()
    }
    pooled = [_take(of, totals) for of in CLASSES.values()]
    macro = [sum(column) / len(rows) for column in zip(*rows.values(), strict=True)]
    lines = [_line(criterion.capitalize(), row) for criterion, row in rows.items()]
    micro = _line("Overall (micro)", _measure(pooled, patients * len(rows)))
    footer = f"{'':{_INDENT}}{patients:.0f} files found".ljust(_WIDTH)
    end = (_RULE, micro, _line("Overall (macro)", macro), "\n", f"{footer}\n")
    return "".join([_HEAD, *lines, *end])


def _take(name: str, totals: Mapping[str, float]) -> Counts:
    return totals[f"{name}_tp"], totals[f"{name}_fp"], totals[f"{name}_fn"]


def _measure(of_classes: Sequence[Counts], decisions: float) -> list[Number]:
    """Compute the cells of a row from the counts of both classes."""
    met, other = of_classes
    tp, fp, fn = met
    precision, recall, f1 = compute_rates(*met)
    specificity = ratio(decisions - tp - fp - fn, decisions - tp - fn)
    others = compute_rates(*other)
    overall, area = (f1 + others[-1]) / 2, (recall + specificity) / 2
    return [precision, recall, specificity, f1, *others, overall, area]


def _line(heading: str, cells: Sequence[Number]) -> str:
    met, others, overall = cells[:4], cells[4:7], cells[7:]
    groups = ("  ".join(f"{cell:.4f}" for cell in group) for group in (met, others, overall))
    return f"{heading:>20}  {'    '.join(groups)}\n"
