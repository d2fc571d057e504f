"""The arguments of evaluate.py, the released script of both tracks of i2b2 2014."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_FILTER = (
    "Score only tags with one of these names or values, such as 'CAD,before dct'. The script "
    "knows values in lower case only."
)
Systems = Annotated[
    list[Path], typer.Argument(help="Systems: directories, or a file.", show_default=False)
]
System = Annotated[Path, typer.Argument(help="System: directory or file.", show_default=False)]
Gold = Annotated[Path, typer.Argument(help="Gold: directory or file.", show_default=False)]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Also the scores of each record.")]
Words = Annotated[str, typer.Option("--filter", help=_FILTER)]
Conjunctive = Annotated[
    bool, typer.Option("--conjunctive", help="Score only tags with all of them.")
]
Invert = Annotated[bool, typer.Option("--invert", help="Score only the other tags.")]
