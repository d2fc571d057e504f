"""``clineval list`` and ``clineval describe``: list and describe the metrics."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.base.errors import InputError
from clineval.cli.options import Module
from clineval.results.registry import all_challenges, find_challenge

if TYPE_CHECKING:  # help must not wait for rich
    from rich.console import Console

    from clineval.results.challenge import Challenge
    from clineval.results.code import CodeFile


def list_metrics(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """List the metrics with their configurations."""
    challenges = all_challenges()
    if as_json:
        listed = [
            {"name": c.name, "title": c.task.title, "configs": dict(c.task.configs)}
            for c in challenges
        ]
        typer.echo(json.dumps(listed, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("metric", "config", "scores", box=None, pad_edge=False)
    for challenge in challenges:
        name = challenge.name
        for config, line in challenge.task.configs.items():
            table.add_row(name, config, line)
            name = ""
    Console().print(table)


def describe(
    module: Module,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="Print everything: the definition with its formulas, options with their "
            "defaults, every rule on which the protocols differ, the citation.",
        ),
    ] = False,
    code: Annotated[
        bool,
        typer.Option(
            "--code",
            help="Print the definition as code: plain Python that computes the scores, with the "
            "parts that several challenges share.",
        ),
    ] = False,
) -> None:
    """Explain a metric: what it scores, its configurations, protocols and options.

    [bold]Examples[/bold]

      clineval describe semeval15_task14

      clineval describe semeval15_task14 --full | less

      clineval describe semeval15_task14 --code
    """
    from rich.console import Console

    challenge = find_challenge(module)
    if code:
        _print_code(challenge)
        return
    console = Console(highlight=False)
    console.print(challenge.task.title, style="bold")
    console.print(f"{challenge.name}   {challenge.task.homepage}\n", style="dim")
    (_print_all if full else _print_summary)(console, challenge)


def _print_code(challenge: Challenge) -> None:
    """Print the files of the definition, with colours on a terminal."""
    from rich.console import Console
    from rich.syntax import Syntax

    console = Console()
    texts = [f"# {file.name}\n{file.text}" for file in list_code_of(challenge)]
    if not console.is_terminal:
        typer.echo("\n\n".join(texts), nl=False)
        return
    for text in texts:
        console.print(Syntax(text, "python", theme="ansi_dark", word_wrap=True))


def list_code_of(challenge: Challenge) -> list[CodeFile]:
    """List the files of a definition as code; a rule is its own definition.

    Args:
        challenge: the challenge.

    Raises:
        InputError: there is none.
    """
    from clineval.protocols.rule import Rule
    from clineval.results.code import CodeFile, list_code

    own = challenge.task.code
    files = list_code(challenge.task)
    if not files and isinstance(challenge.steps, Rule):
        files = [CodeFile(Path(challenge.task.file), Path(challenge.task.file).name)]
    if not files:
        raise InputError(
            f"{challenge.name} has no definition as code: expected the file {own.name} beside "
            f"{Path(challenge.task.file).name}. 'clineval describe {challenge.name} --full' prints "
            "the definition in words"
        )
    return files


def _print_summary(console: Console, challenge: Challenge) -> None:
    name = challenge.name
    console.print(_summarize(challenge.task.specification), markup=False)
    _print_pairs(console, "Configurations", challenge.task.configs)
    if challenge.measures.headline:
        console.print("\nMain scores", style="bold")
        console.print(", ".join(challenge.measures.headline))
    number = len(challenge.differences)
    rules = f"{number} rules differ" if number else "they are the same"
    lines = {
        "spec": "the definition in the challenge's document",
        "official": f"the numbers that the released script prints; {rules}",
        **challenge.list_abouts(),
    }
    protocols = {protocol: lines[protocol] for protocol in challenge.protocols}
    _print_pairs(console, "Protocols", protocols)
    if challenge.options:
        console.print("\nOptions", style="bold")
        console.print(", ".join(option.name for option in challenge.options))
    steps = {
        "definition, rules, citation": f"clineval describe {name} --full",
        "the definition as code": f"clineval describe {name} --code",
        "what the options do": f"clineval score {name} --help",
        **({"scores of invented notes": f"clineval demo {name}"} if challenge.demo else {}),
    }
    _print_pairs(console, "Where to look next", steps)


def _summarize(specification: str) -> str:
    """Return the first two sentences after the first line of a specification."""
    _, paragraph, *_ = [*specification.split("\n\n"), ""]
    text = " ".join(paragraph.replace("``", "").split())
    return " ".join(re.findall(r"\S.*?\.(?= |$)", text)[:2])


def _print_all(console: Console, challenge: Challenge) -> None:
    from rich.table import Table

    console.print(challenge.task.specification, markup=False)
    _print_pairs(console, "Configurations", challenge.task.configs)
    if challenge.options:
        defaults = {option.name: f"default {option.default!r}" for option in challenge.options}
        _print_pairs(console, "Options", defaults)
    if challenge.differences:
        console.print("\nWhere the protocols differ", style="bold")
        columns = [*challenge.protocols]
        table = Table("rule", *columns, box=None, pad_edge=False, padding=(0, 2, 1, 0))
        for difference in challenge.differences:
            table.add_row(difference.rule, *map(difference.under, columns))
        console.print(table)
    console.print("\nCitation", style="bold")
    console.print(challenge.task.citation, markup=False)


def _print_pairs(console: Console, title: str, pairs: Mapping[str, str]) -> None:
    from rich.table import Table

    console.print(f"\n{title}", style="bold")
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, line in pairs.items():
        table.add_row(name, line)
    console.print(table)
