"""``clineval validate``: all problems of files, before they are submitted or scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import Module, argument
from clineval.errors import InputError, agree


def validate(
    module: Module,
    files: Annotated[list[Path], argument("Files and directories to check.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
    **options: Any,
) -> None:
    """List all problems of files in a challenge's format, each with its file and line.

    Exit status: 0 if there are none, 2 if there are some.

    [bold]Examples[/bold]

      clineval validate semeval15_task14 predicted/

      clineval validate clefehealth13_task3 team.run*.txt --restricted 2 --restricted 5
    """
    from clineval.registry import find_challenge

    challenge = find_challenge(module)
    if challenge.validate is None:
        raise InputError(f"the files of {module} cannot be validated yet")
    problems = list(challenge.validate(files, **options))
    if as_json:
        found = [{"file": p.file, "line": p.line, "problem": p.message} for p in problems]
        typer.echo(json.dumps({"metric": module, "problems": found}, indent=2))
    else:
        for problem in problems:
            typer.echo(str(problem))
        count = agree("{n} {problem|problems}", len(problems))
        typer.echo(count if problems else "no problems", err=True)
    if problems:
        raise typer.Exit(2)
