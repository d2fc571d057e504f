"""Output files of ``eval.pl``, the script of ShARe/CLEF 2013 Task 1 and SemEval-2014 Task 7."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clineval.kinds.pages import AnyScored
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun


class Task(StrEnum):
    """Task 1a or 1b: the script's names are A and B, the lab's 1a and 1b."""

    A = "A"
    B = "B"
    a = "1a"
    b = "1b"


def task1(  # noqa: PLR0917 - the script's options
    name: Annotated[
        str, typer.Option("-n", help="Team name, for the output file.", show_default=False)
    ],
    run: Annotated[int, typer.Option("-r", help="Run: 1 or 2.", min=1, max=2, show_default=False)],
    predictions: Annotated[
        Path, typer.Option("-input", help="Directory of predictions.", show_default=False)
    ],
    gold: Annotated[
        Path, typer.Option("-gold", help="Directory of the gold standard.", show_default=False)
    ],
    task: Annotated[
        Task, typer.Option("-t", help="1a or A: spans. 1b or B: codes.", show_default=False)
    ],
    added: Annotated[bool, typer.Option("-a", help="Additional annotations were used.")] = False,  # noqa: FBT002
) -> ScriptRun:
    """Write NAME.RUN.TASK.add or .noadd, as eval.pl of ShARe/CLEF 2013 and SemEval-2014 does."""
    spans = task in (Task.A, Task.a)

    def write(evaluation: AnyScored) -> Iterator[Output]:
        score = evaluation.score()
        text = format_task_a(score) if spans else format_task_b(score)
        file = f"{name}.{run}.{task.value}.{'add' if added else 'noadd'}"
        yield Output(text, file, option="-n")

    return ScriptRun("task1a" if spans else "task1b", predictions, gold, write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"clefehealth13-task1": task1}


def format_task_a(score: Score) -> str:
    """Return the file that the script writes for Task 1a."""
    return _format_spans("Strict", "exact", score) + _format_spans("Relaxed", "overlap", score)


def format_task_b(score: Score) -> str:
    """Return the file that the script writes for Task 1b."""
    return "".join(
        f"\n* Task B {name}:\nAccuracy: \t{score[f'{name.lower()}_accuracy']:.3f}\n"
        for name in ("Strict", "Relaxed")
    )


def _format_spans(name: str, prefix: str, score: Score) -> str:
    precision, recall, f1 = (score[f"{prefix}_{key}"] for key in ("precision", "recall", "f1"))
    return (
        f"\n* Task A {name}:\n"
        f"Precision: \t{precision:.3f}\nRecall: \t{recall:.3f}\nF-score: \t{f1:.3f}\n"
    )
