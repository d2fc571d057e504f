"""``clineval official``: stand-ins with the options and the exact output of released scripts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from typer.core import TyperCommand

from clineval.base.escaping import visible
from clineval.cli.parameters import Click
from clineval.results.registry import NAMES, all_challenges, find_challenge

if TYPE_CHECKING:  # the command line's help must not wait for NumPy
    from clineval.results.challenge import Challenge
    from clineval.results.scripts import Output, ScriptRun

HELP = "Stand in for a released scoring script, with its options and its output, byte for byte."


def make_app(script: str = "", *, all_scripts: bool) -> typer.Typer:
    """Make the group of stand-ins.

    Args:
        script: the stand-in that is called. If it exists, only stand-ins of its challenge are made.
        all_scripts: whether the group has any commands.
    """
    app = typer.Typer(help=HELP, no_args_is_help=True)
    for challenge in (_find_called(script) or all_challenges()) if all_scripts else ():
        for name, command in challenge.faces.commands.items():
            app.command(name, cls=_Command)(_run(challenge, command))
    return app


def _find_called(script: str) -> Sequence[Challenge]:
    """Find the challenge of a stand-in; import challenges until one has it, likely names first."""
    wanted = script.replace("-", "_")
    for name in sorted(NAMES, key=lambda name: -sum(map(eq, name, wanted))):
        if script in (challenge := find_challenge(name)).faces.scripts:
            return [challenge]
    return [challenge for challenge in all_challenges() if script in challenge.faces.scripts]


class _Command(TyperCommand):
    """A command whose repeatable options take all words up to the next option, as argparse does."""

    def parse_args(self, ctx: Click, args: list[str]) -> list[str]:
        """Repeat such an option before each of its words, and parse the result."""
        several = {
            flag
            for parameter in self.params
            if getattr(parameter, "multiple", False)
            for flag in parameter.opts
        }
        repeated: list[str] = []
        flag = ""
        for word in args:
            if word.startswith("-"):
                flag = word if word in several else ""
            elif flag and repeated[-1] != flag:
                repeated.append(flag)
            repeated.append(word)
        parsed: list[str] = super().parse_args(ctx, repeated)
        return parsed


def _run(challenge: Challenge, command: Callable[..., ScriptRun]) -> Callable[..., None]:
    """Make a typer command that evaluates as a script does, and writes its output."""

    @wraps(command)
    def call(**arguments: object) -> None:
        from clineval.evaluation.evaluate import evaluate_inputs
        from clineval.evaluation.inputs import open_inputs

        run = command(**arguments)
        setup = challenge.setup(run.config, "official", run.options)
        [evaluation] = evaluate_inputs(setup, open_inputs(run.references, [run.predictions], setup))
        for output in run.write(evaluation):
            _write(output)

    signature = inspect.signature(command, eval_str=True)
    call.__signature__ = signature.replace(return_annotation=None)  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    return call


def _write(output: Output) -> None:
    from clineval.base.files import make_directory, write_file
    from clineval.formats.writing import name_file

    if not output.file:
        typer.echo(output.text, nl=False, err=output.error)
        return
    path = Path(output.folder, name_file(output.file, output.option))
    make_directory(path.parent)
    write_file(path, output.text)
    typer.echo(visible(f"wrote {path}"), err=True)
