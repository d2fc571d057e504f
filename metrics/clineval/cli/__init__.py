"""The command line: ``clineval --help``."""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.cli import (
    agreement,
    answers,
    card_results,
    catalog,
    compare,
    convert,
    demo,
    errors,
    official,
    power,
    prevalence,
    report,
    score,
    space,
    validate,
    workbench,
)
from clineval.cli.options import with_options
from clineval.cli.terminal import guard_output
from clineval.errors import InputError, InputWarning
from clineval.registry import find_challenge, known_names
from clineval.signature import __version__

if TYPE_CHECKING:  # the command line's help must not wait for NumPy
    from clineval.challenge import Option

_COMMANDS: Mapping[str, Callable[..., None]] = {
    "score": score.score,
    "compare": compare.compare,
    "errors": errors.errors,
    "agreement": agreement.agreement,
    "power": power.power,
    "validate": validate.validate,
    "convert": convert.convert,
    "list": catalog.list_metrics,
    "describe": catalog.describe,
    "prevalence": prevalence.prevalence,
    "report": report.report,
    "app": workbench.app,
    "demo": demo.demo,
    "card-results": card_results.card_results,
}


def make_app(words: Sequence[str]) -> typer.Typer:
    """The command line that some words need.

    If the words name a challenge the commands have its options; those of ``official`` are there if
    they ask for them.
    """
    name = next((word for word in words if word in known_names()), None)
    challenge = find_challenge(name) if name else None
    app = typer.Typer(
        name="clineval",
        help="The scores of the clinical NLP challenges, computed once, the same everywhere.",
        epilog="Start with: clineval demo",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name, command in _COMMANDS.items():
        declared: dict[str, Sequence[Option]] = {}
        if challenge:
            validates = command is validate.validate
            options = challenge.validation_options if validates else challenge.options
            declared[f"Options of {challenge.name}"] = options
        if challenge and name in answers.COMMANDS:
            declared[answers.PANEL] = answers.options_for(challenge)
        app.command(name, help=_reflow(command))(with_options(command, declared))
    if "official" in words:  # which asks all challenges
        app.add_typer(official.make_app(), name="official")
    else:
        app.add_typer(typer.Typer(help=official.HELP), name="official")
    app.add_typer(space.app, name="space")
    app.callback()(_options)
    return app


def _reflow(command: Callable[..., None]) -> str:
    """The docstring with a line for each paragraph, which the terminal breaks where it ends."""
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(p if p.startswith(" ") else " ".join(p.split()) for p in paragraphs)


def main() -> None:
    """Run the command line; exit status 2 for bad input and bad usage."""
    guard_output()
    try:
        with _warnings_as_lines():
            make_app(_words())(prog_name="clineval")
    except InputError as error:
        print(f"clineval: {error}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None


def _words() -> list[str]:
    """The words of the command line, or of one that is to be completed."""
    return [*sys.argv[1:], *os.environ.get("COMP_WORDS", "").split()]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"clineval {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and stop.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    pass


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Warnings about the input as plain lines on standard error, each once."""
    said: set[str] = set()

    def say(message: Warning | str, *_: object, **__: object) -> None:
        line = f"clineval: warning: {message}"
        if line not in said:  # "once" is once for each module that warns
            print(line, file=sys.stderr)  # noqa: T201
        said.add(line)

    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = say
        yield
