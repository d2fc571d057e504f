"""The output of CodiEsp's three scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.errors import InputError
from clineval.formats.delimited.code_tables import GOLD_PLACES, LISTS, PLACES, read_valid
from clineval.programs.code_report import Evaluation, write_f1, write_map, write_x
from clineval.programs.code_scripts import AsPandas, check_valid
from clineval.results.scripts import Output, ScriptRun


class Measure(StrEnum):
    """The three scripts."""

    map = "map"
    f1 = "f1"
    x = "x"


Gold = Annotated[Path, typer.Option("-g", help="Gold standard.", show_default=False)]
System = Annotated[Path, typer.Option("-p", help="Predictions.", show_default=False)]
Codes = Annotated[
    Path | None, typer.Option("-c", help="Valid codes, for map and f1.", show_default=False)
]
Diagnoses = Annotated[
    Path | None, typer.Option("-cD", help="Valid diagnosis codes, for x.", show_default=False)
]
Procedures = Annotated[
    Path | None, typer.Option("-cP", help="Valid procedure codes, for x.", show_default=False)
]


def codiesp(  # noqa: PLR0917 - the scripts' options
    measure: Annotated[Measure, typer.Argument(help="map, f1 or x.", show_default=False)],
    gold: Gold,
    system: System,
    codes: Codes = None,
    diagnoses: Diagnoses = None,
    procedures: Procedures = None,
) -> ScriptRun:
    """Print what CodiEsp's scripts print.

    map stands for codiespD_P_evaluation.py and f1 for comp_f1_diag_proc.py, both with -c; x stands
    for codiespX_evaluation.py, with -cD and -cP.
    """
    given = (diagnoses, procedures) if measure is Measure.x else (codes,)
    valid = _read_lists(measure, given)
    tables = (GOLD_PLACES, PLACES) if measure is Measure.x else (LISTS, LISTS)
    judged = measure is not Measure.f1
    sides = [
        AsPandas(table, judged, only is valid and measure is Measure.map).read(path, only)
        for table, path, only in zip(tables, (gold, system), (None, valid), strict=True)
    ]
    if measure is Measure.x and not len(sides[1].mentions):
        raise InputError("no valid predicted code: the released script stops here")
    config = "X" if measure is Measure.x else "default"
    return ScriptRun(config, sides[1], sides[0], _WRITE[measure], {"codes": valid})


def _read_lists(measure: Measure, paths: Sequence[Path | None]) -> frozenset[str]:
    wanted = "-cD and -cP" if measure is Measure.x else "-c"
    if None in paths:
        raise InputError(f"{measure.value} needs lists of valid codes", remedy=f"Give {wanted}")
    lists = [check_valid(read_valid(path) or frozenset()) for path in paths]
    return frozenset[str]().union(*lists)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"codiesp-2020": codiesp}


_WRITE: Mapping[Measure, Callable[[Evaluation], Iterator[Output]]] = {
    Measure.map: write_map,
    Measure.f1: write_f1,
    Measure.x: write_x,
}
