"""``clineval comparable``: whether results can be compared, by their signatures."""

from __future__ import annotations

from typing import Annotated

import typer

from clineval.base.errors import InputError
from clineval.cli import options as shared
from clineval.cli.options import argument
from clineval.cli.terminal import show

_STATUS = {True: 0, False: 1, None: 2}


def comparable(
    results: Annotated[
        list[str],
        argument(
            "Two or more results: signatures in quotes, or files that contain signatures, such as "
            "results of 'clineval score --format json'."
        ),
    ],
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
) -> None:
    """Decide whether results can be compared, and what to do if they cannot.

    All results are compared with the first one, field by field of their signatures. With three or
    more results, a table lists which can be compared with one another.

    Exit status: 0 if all results can be compared, 1 if not, 2 for invalid input or if a signature
    has a field that this version of clineval does not know.

    [bold]Examples[/bold]

      clineval comparable ours.json theirs.json

      clineval comparable 'codiesp20|D|protocol:spec|docs:250|v:0.1.0' ours.json

      clineval comparable results/*.json --format json
    """
    from clineval.results.comparabilities import lay_out
    from clineval.results.signed_files import read_signatures

    signatures = read_signatures(results)
    if len(signatures) < 2:  # noqa: PLR2004
        problem = "expected two or more signatures, got one"
        raise InputError(problem, where="clineval comparable", remedy="Pass another result")
    sheet, answer = lay_out(signatures)
    show(sheet, format.value)
    raise typer.Exit(_STATUS[answer])
