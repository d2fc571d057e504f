"""``clineval validate`` and ``clineval prevalence``: examine files before scoring."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.base.errors import InputError, InputWarning, agree, join_warnings, warn_user
from clineval.cli.options import Module, argument, complete_metric, option
from clineval.cli.standard_input import take_files
from clineval.cli.terminal import show

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.results.challenge import Challenge
    from clineval.results.tables import Sheet


def validate(
    module: Module,
    files: Annotated[list[Path], argument("Files and directories to check.", callback=take_files)],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
    summary: Annotated[
        bool,
        typer.Option(
            "--summary",
            help="Also show what the files contain: documents, annotations, labels, slots. The "
            "first path is the gold standard; others are compared with its documents.",
        ),
    ] = False,
    **options: object,
) -> None:
    """List all problems in files of a challenge's format, each with its file and line.

    With --summary, files without problems are summarized in numbers, without text of notes.

    Exit status: 0 if there are no problems, 2 if there are any.

    [bold]Examples[/bold]

      clineval validate semeval15_task14 predicted/

      clineval validate semeval15_task14 gold/ predicted/ --summary

      clineval validate clefehealth13_task3 team.run*.txt --restricted 2 --restricted 5
    """
    from clineval.base.files import reading_once
    from clineval.formats.checking import find_problems
    from clineval.results.registry import find_challenge

    challenge = find_challenge(module)
    with reading_once() if summary else nullcontext():
        with _gather_warnings():
            problems = list(find_problems(challenge, files, **options))
        sheet = _summarize(challenge, files, options) if summary and not problems else None
    if as_json:
        found = [{"file": p.file, "line": p.line, "problem": p.message} for p in problems]
        more = {"summary": sheet.data()} if sheet else {}
        typer.echo(json.dumps({"metric": module, "problems": found, **more}, indent=2))
    else:
        for problem in problems:
            typer.echo(str(problem))
        count = agree("{n} {problem|problems}", len(problems))
        typer.echo(count if problems else "no problems", err=True)
        if sheet:
            show(sheet, "table")
    if problems:
        raise typer.Exit(2)


def _summarize(challenge: Challenge, files: Sequence[Path], options: Mapping[str, object]) -> Sheet:
    """Summarize files that have no problems."""
    from clineval.evaluation.summary import summarize_files, summary_sheet

    return summary_sheet(summarize_files(challenge, files, **options))


@contextmanager
def _gather_warnings() -> Iterator[None]:
    """Print warnings at the end. A warning about several files is printed once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    raised = [each.message for each in caught if isinstance(each.message, Warning)]
    about_input = [each for each in raised if isinstance(each, InputWarning)]
    others = [each for each in raised if not isinstance(each, InputWarning)]
    for warning in (*join_warnings(about_input), *others):
        warn_user(warning)


def prevalence(
    gold: Annotated[list[Path], argument("Gold standards in the pipe format.")],
    output: Annotated[Path | None, option(None, "Write to this file.", "-o", "--output")] = None,
    module: Annotated[
        str | None,
        option(
            None,
            "The metric that weights slots; by default the first one that does.",
            autocompletion=complete_metric,
        ),
    ] = None,
) -> None:
    """Write the weights of slot values, one minus their prevalence, as JSON.

    Pass the file to 'clineval score' as --weights. Pass the whole corpus here (training,
    development and test), as the challenge did.

      clineval prevalence train/ dev/ test/ -o weights.json
    """
    from clineval.base.files import write_file
    from clineval.results.registry import all_challenges, find_challenge

    weighted = [challenge.name for challenge in all_challenges() if challenge.faces.prevalence]
    if module is None:
        module, *_ = weighted
    weigh = find_challenge(module).faces.prevalence
    if weigh is None:
        raise InputError(f"{module} does not weight slots, expected one of {', '.join(weighted)}")
    weights = json.dumps(weigh(*gold), indent=2)
    if output:
        write_file(output, weights + "\n")
    else:
        typer.echo(weights)
