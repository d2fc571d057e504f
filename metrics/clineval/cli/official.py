"""``clineval official``: the released scripts' options, and their output files byte for byte."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Stand in for a released scoring script: its options, its output file, byte for byte.",
    no_args_is_help=True,
)

Name = Annotated[
    str, typer.Option("-n", help="Team name, for the output file.", show_default=False)
]
Run = Annotated[int, typer.Option("-r", help="Run: 1, 2 or 3.", min=1, max=3, show_default=False)]
Input = Annotated[
    Path, typer.Option("-input", help="Directory of predictions.", show_default=False)
]
Gold = Annotated[
    Path, typer.Option("-gold", help="Directory of the gold standard.", show_default=False)
]
Trace = Annotated[int, typer.Option("-trace", help="1: also list every pair and every error.")]


class Subtask(str, Enum):
    """Task 2a or 2b; the script treats them alike but for the file's name."""

    A = "A"
    B = "B"


class Clef13Task(str, Enum):
    """Task 1a or 1b; the script says A and B, the lab's page 1a and 1b."""

    A = "A"
    B = "B"
    a = "1a"
    b = "1b"


@app.command("semeval15-task1")
def semeval15_task1(name: Name, run: Run, predictions: Input, gold: Gold, trace: Trace = 0) -> None:
    """Write NAME_task1_runR.out, as semeval-2015-task-14-task-1-eval.pl does."""
    from clineval.official import semeval15_task14 as script
    from clineval.scoring import score

    result = score("semeval15_task14", predictions, gold, config="task1", protocol="official")
    _write(f"{name}_task1_run{run}.out", script.format_task1(result))
    if trace:
        _print_trace(predictions, gold, "strict", "relaxed")


@app.command("semeval15-task2")
def semeval15_task2(
    name: Name,
    run: Run,
    predictions: Input,
    gold: Gold,
    task: Annotated[Subtask, typer.Option("-t", help="Task 2a or 2b.", show_default=False)],
    trace: Trace = 0,
) -> None:
    """Write NAME_task2T_runR.out, as semeval-2015-task-14-task-2-eval.pl does.

    Where the script dies because it divides by zero, the slot is written as 0.000.
    """
    from clineval.official import semeval15_task14 as script
    from clineval.scoring import score

    result = score("semeval15_task14", predictions, gold, config="task2b", protocol="official")
    _write(f"{name}_task2{task.value}_run{run}.out", script.format_task2(result))
    undefined = script.undefined_slots(result)
    if undefined:
        typer.echo(
            f"clineval: {', '.join(undefined)}: no weight to divide by, written as 0.000; "
            "the released script dies here",
            err=True,
        )
    if trace:
        _print_trace(predictions, gold, "span")


@app.command("clefehealth13-task1")
def clefehealth13_task1(
    name: Name,
    run: Run,
    predictions: Input,
    gold: Gold,
    task: Annotated[
        Clef13Task, typer.Option("-t", help="1a or A: spans. 1b or B: codes.", show_default=False)
    ],
    added: Annotated[bool, typer.Option("-a", help="Additional annotations were used.")] = False,
) -> None:
    """Write NAME.RUN.TASK.add or .noadd, as eval.pl of ShARe/CLEF 2013 and SemEval-2014 does."""
    from clineval.official import clefehealth13_task1 as script
    from clineval.scoring import score

    spans = task in (Clef13Task.A, Clef13Task.a)
    result = score(
        "clefehealth13_task1",
        predictions,
        gold,
        config="task1a" if spans else "task1b",
        protocol="official",
    )
    text = script.format_task_a(result) if spans else script.format_task_b(result)
    _write(f"{name}.{run}.{task.value}.{'add' if added else 'noadd'}", text)


@app.command("i2b2-2009")
def i2b2_2009(
    gold: Annotated[
        Path, typer.Option("-g", help="Directory of the gold entries.", show_default=False)
    ],
    system: Annotated[
        Path, typer.Option("-s", help="Directory of the system's entries.", show_default=False)
    ],
    records: Annotated[
        Path, typer.Option("-r", help="Directory of the records.", show_default=False)
    ],
) -> None:
    """Print the table that i2b2eval.py prints (its steps -x and -p at once).

    The system is called after its directory, as if its entries were in SYSTEM.xml.
    """
    from clineval.official import i2b2_2009_medication as script
    from clineval.scoring import score

    result = score("i2b2_2009_medication", system, gold, protocol="official", records=records)
    missing = script.missing_records(str(gold), str(system))
    typer.echo(script.format_table(result, f"{system.name}.xml", missing), nl=False)


def _write(file: str, text: str) -> None:
    Path(file).write_text(text, "utf-8", newline="\n")
    typer.echo(f"wrote {file}", err=True)


def _print_trace(predictions: Path, gold: Path, *matches: str) -> None:
    from clineval.official import semeval15_task14 as script

    for match in matches:
        typer.echo(f"# {match}: verdict, document, gold span, predicted span")
        for line in script.trace(str(predictions), str(gold), match):
            typer.echo(line)
