"""``clineval demo``: two systems on a bundled corpus."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from clineval.errors import InputError

CORPORA = Path(__file__).resolve().parent.parent / "demo"


def demo(
    copy: Annotated[
        Path | None,
        typer.Option(help="Copy the corpus to this directory, to play with.", show_default=False),
    ] = None,
    protocol: Annotated[str, typer.Option(help="spec or official.")] = "spec",
) -> None:
    """Score two systems on 24 notes that were written for this project."""
    from rich.console import Console

    from clineval.report.tables import compare_tables, print_table
    from clineval.scoring import score

    corpus = CORPORA / "semeval15_task14"
    shown = corpus
    if copy is not None:
        if copy.exists():
            raise InputError("already exists", where=str(copy), remedy="Give another directory")
        shown = Path(shutil.copytree(corpus, copy))
    systems = ("dictionary", "tagger")
    scores = {
        system: score("semeval15_task14", corpus / system, corpus / "gold", protocol=protocol)
        for system in systems
    }
    console = Console(highlight=False)
    console.print(
        "SemEval-2015 Task 14: a dictionary and a tagger on 24 invented notes", style="bold"
    )
    for table in compare_tables(scores):
        print_table(console, table)
    console.print()
    for name, result in scores.items():
        console.print(f"{name}: {result.signature}", style="dim", soft_wrap=True)
    console.print("\nWhere to look next", style="bold")
    next_steps = [
        f"the notes, gold and predictions: {shown}",
        f"the same for your system:        clineval score semeval15_task14 {shown}/gold MY_OUTPUT/",
        "what the scores mean:            clineval describe semeval15_task14",
        'in a training loop:              evaluate.load("semeval15_task14")',
    ]
    for line in next_steps:
        console.print(f"  {line}", soft_wrap=True)
