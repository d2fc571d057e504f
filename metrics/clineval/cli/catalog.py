"""``clineval list`` and ``clineval describe``: what there is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clineval.cli.score import Module
from clineval.registry import NAMES, find_challenge

if TYPE_CHECKING:
    from clineval.challenge import Challenge


def list_metrics(
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the metrics with their configurations."""
    challenges = [find_challenge(name) for name in NAMES]
    if as_json:
        typer.echo(
            json.dumps(
                [
                    {"name": c.name, "title": c.title, "configs": dict(c.configs)}
                    for c in challenges
                ],
                indent=2,
            )
        )
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("metric", "config", "scores", box=None, pad_edge=False)
    for challenge in challenges:
        name = challenge.name
        for config, line in challenge.configs.items():
            table.add_row(name, config, line)
            name = ""
    Console().print(table)


def describe(module: Module) -> None:
    """Explain a metric: definition, options, and where the two protocols differ."""
    from rich.console import Console
    from rich.table import Table

    challenge = find_challenge(module)
    console = Console(highlight=False)
    console.print(challenge.title, style="bold")
    console.print(f"{challenge.name}   {challenge.homepage}\n", style="dim")
    console.print(challenge.specification, markup=False)
    console.print("\nConfigurations", style="bold")
    configs = Table(box=None, show_header=False, pad_edge=False)
    for config, line in challenge.configs.items():
        configs.add_row(config, line)
    console.print(configs)
    if challenge.options:
        console.print("\nOptions", style="bold")
        options = Table(box=None, show_header=False, pad_edge=False)
        for name, parameter in challenge.options.items():
            options.add_row(name, f"default {parameter.default!r}")
        console.print(options)
    if challenge.differences:
        _print_differences(console, challenge)
    console.print("\nCitation", style="bold")
    console.print(challenge.citation, markup=False)


def _print_differences(console: Any, challenge: Challenge) -> None:
    from rich.table import Table

    console.print("\nWhere the protocols differ", style="bold")
    differences = Table("rule", "spec", "official", box=None, pad_edge=False, padding=(0, 2, 1, 0))
    for difference in challenge.differences:
        differences.add_row(difference.rule, difference.spec, difference.official)
    console.print(differences)
