"""The command line: ``clineval --help``."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from clineval import __version__
from clineval.cli import (
    agreement,
    card_results,
    catalog,
    compare,
    convert,
    demo,
    errors,
    official,
    prevalence,
    report,
    score,
    space,
    validate,
    workbench,
)
from clineval.errors import InputError, InputWarning

app = typer.Typer(
    name="clineval",
    help="The scores of the clinical NLP challenges, computed once, the same everywhere.",
    epilog="Start with: clineval demo",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("score")(score.score)
app.command("compare")(compare.compare)
app.command("errors")(errors.errors)
app.command("agreement")(agreement.agreement)
app.command("validate")(validate.validate)
app.command("convert")(convert.convert)
app.command("list")(catalog.list_metrics)
app.command("describe")(catalog.describe)
app.command("prevalence")(prevalence.prevalence)
app.command("report")(report.report)
app.command("app")(workbench.app)
app.command("demo")(demo.demo)
app.command("card-results")(card_results.card_results)
app.add_typer(official.app, name="official")
app.add_typer(space.app, name="space")


def main() -> None:
    """Run the command line; exit status 2 for bad input and bad usage."""
    try:
        with _warnings_as_lines():
            app(prog_name="clineval")
    except InputError as error:
        print(f"clineval: {error}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"clineval {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and stop.",
            is_eager=True,
            callback=_print_version,
        ),
    ] = False,
) -> None:
    pass


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Warnings about the input as plain lines on standard error, each once."""
    with warnings.catch_warnings():
        warnings.simplefilter("once", InputWarning)
        warnings.showwarning = lambda message, *_, **__: print(  # noqa: T201
            f"clineval: warning: {message}", file=sys.stderr
        )
        yield
