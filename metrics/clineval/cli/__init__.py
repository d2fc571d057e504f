"""The command line: ``clineval --help``."""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import dropwhile
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.base.errors import InputError, InputWarning, hear_warnings
from clineval.base.version import __version__
from clineval.cli import answers
from clineval.cli.options import with_options
from clineval.cli.parameters import Command, Group
from clineval.cli.terminal import guard_output, interruptible
from clineval.results.registry import find_challenge, is_known

if TYPE_CHECKING:  # the command line's help must not wait for NumPy
    from clineval.results.challenge import Challenge
    from clineval.results.options import Option

COMMANDS: Mapping[str, str] = {
    "score": "score",
    "compare": "compare",
    "errors": "analysis.errors",
    "agreement": "analysis.agreement",
    "power": "compare.power",
    "comparable": "comparable",
    "reproduce": "reproduce",
    "validate": "files.validate",
    "convert": "convert",
    "list": "catalog.list_metrics",
    "describe": "catalog.describe",
    "prevalence": "files.prevalence",
    "report": "workbench.report",
    "adjudicate": "adjudicate",
    "app": "workbench.app",
    "demo": "demo",
    "card-results": "hub.card_results",
    "eval-yaml": "hub.eval_yaml",
    "new": "new",
}
"""Map commands to their modules in this folder, and to functions that have another name."""
GROUPS: Mapping[str, str] = {"datasets": "datasets", "official": "official", "space": "hub"}
"""Map groups of commands to their modules."""
SEVERAL = ("score",)
"""Commands that take several challenges, separated by commas."""
WHOLE = ("official", "convert")
"""Commands with choices that challenges declare: calling one imports all challenges."""


def make_app(words: Sequence[str]) -> typer.Typer:
    """Make the command line for some words, and import only the command that they call.

    If the command's first argument is a challenge, the command has the options of that challenge.
    If the command is ``official``, the group has the stand-in that is called, or else all.
    """
    command, *rest = *dropwhile(_is_option, words), ""
    if command in (*COMMANDS, *GROUPS):
        arguments = rest[1:] if command == "datasets" else rest  # after the group's own command
        named = _find_named(arguments, several=command in SEVERAL)
        return assemble([command], named, whole=command in WHOLE, script=rest[0])
    return assemble([*COMMANDS, *GROUPS])


def _find_named(words: Sequence[str], *, several: bool) -> list[Challenge]:
    """Find the challenge in the first word or, if that is an option, in any word.

    If a command takes ``several`` challenges, commas separate their names.
    """
    arguments = words if words and _is_option(words[0]) else words[:1]
    for word in arguments:
        names = word.split(",") if several else [word]
        if all(map(is_known, map(str.strip, names))):
            return [find_challenge(name.strip()) for name in names]
    return []


def _is_option(word: str) -> bool:
    return word.startswith("-")


def assemble(
    names: Iterable[str],
    challenges: Sequence[Challenge] = (),
    *,
    whole: bool = False,
    script: str = "",
) -> typer.Typer:
    """Make an application of some commands, with the options of a challenge.

    Args:
        names: commands and groups.
        challenges: the challenges whose options the commands have.
        whole: whether commands of :data:`WHOLE` have all their choices.
        script: the stand-in that is called. ``official`` then needs no other.
    """
    app = typer.Typer(
        name="clineval",
        cls=Group,
        help="The scores of the clinical NLP challenges, computed once, the same everywhere.",
        epilog="Start with: clineval demo",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name in names:
        if name in GROUPS:
            challenge = next(iter(challenges), None)
            app.add_typer(_import_group(name, challenge, script, whole=whole), name=name)
            continue
        command = _import_command(COMMANDS[name])
        if whole and name == "convert":
            command = import_module("clineval.cli.convert").with_formats(command)
        declared = _declare(name, challenges)
        app.command(name, cls=Command, help=_reflow(command))(with_options(command, declared))
    return app


def _import_group(
    name: str, challenge: Challenge | None, script: str, *, whole: bool
) -> typer.Typer:
    group = import_module(f"clineval.cli.{GROUPS[name]}")
    made: typer.Typer = (
        group.make_app(script, all_scripts=whole)
        if name == "official"
        else group.make_app(challenge)
        if name == "datasets"
        else group.app
    )
    return made


def _import_command(place: str) -> Callable[..., None]:
    module, _, function = place.partition(".")
    imported = import_module(f"clineval.cli.{module}")
    command: Callable[..., None] = getattr(imported, function or module)
    return command


def _declare(command: str, challenges: Sequence[Challenge]) -> dict[str, Sequence[Option]]:
    """List the options that challenges declare for a command, by panel of the help."""
    declared: dict[str, Sequence[Option]] = {}
    for each in challenges:
        options = each.faces.validation_options if command == "validate" else each.options
        declared[f"Options of {each.name}"] = options
    if command in answers.COMMANDS:
        taken = (option for each in challenges for option in answers.options_for(each))
        declared[answers.PANEL] = [*{option.name: option for option in taken}.values()]
    return declared


def _reflow(command: Callable[..., None]) -> str:
    """Return the docstring with a line for each paragraph, which the terminal wraps."""
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(p if p.startswith(" ") else " ".join(p.split()) for p in paragraphs)


def main() -> None:
    """Run the command line; the exit status is 2 for bad input and bad usage."""
    guard_output()
    # OpenBLAS would start a thread for each core, which spin while files are read
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    completed = os.environ.get("COMP_WORDS", "").split()  # the words that the shell completes
    words = sys.argv[1:] or completed[1:]
    apps: list[typer.Typer] = []

    def reword(message: object) -> str:
        """Name the command's options as the command line does."""
        from clineval.cli.messages import find_flags, use_flags

        flags = find_flags(apps[0], words) if apps else {}  # no options before it is made
        return use_flags(str(message), flags)

    try:
        with interruptible(), _warnings_as_lines(reword):
            apps.append(make_app(words))
            apps[0](prog_name="clineval")
    except InputError as error:
        print(f"clineval: {reword(error)}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None


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
def _warnings_as_lines(reword: Callable[[object], str]) -> Iterator[None]:
    """Print each warning about the input once, as a plain line on standard error."""
    printed: set[str] = set()

    def say(message: Warning | str, *_: object, **__: object) -> None:
        line = f"clineval: warning: {reword(message)}"
        if line not in printed:  # "once" is once for each module that warns
            print(line, file=sys.stderr)  # noqa: T201
        printed.add(line)

    with warnings.catch_warnings(), hear_warnings():
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = say
        yield
