"""Write the output files of the two SemEval-2015 Task 14 scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.escaping import visible
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.kinds.pages import AnyScored
from clineval.results.columns import MentionColumns
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun

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
Trace = Annotated[int, typer.Option("-trace", help="1: also list all pairs and errors.")]


class Subtask(StrEnum):
    """Task 2a or 2b; only the name of the output file differs."""

    A = "A"
    B = "B"


def task1(name: Name, run: Run, predictions: Input, gold: Gold, trace: Trace = 0) -> ScriptRun:
    """Write NAME_task1_runR.out, as semeval-2015-task-14-task-1-eval.pl does."""

    def write(evaluation: AnyScored) -> Iterator[Output]:
        yield Output(format_task1(evaluation.score()), f"{name}_task1_run{run}.out", option="-n")
        if trace:
            yield from _trace(evaluation.outcomes, "strict", "relaxed")

    return ScriptRun("task1", predictions, gold, write)


def task2(  # noqa: PLR0917 - the script's options
    name: Name,
    run: Run,
    predictions: Input,
    gold: Gold,
    task: Annotated[Subtask, typer.Option("-t", help="Task 2a or 2b.", show_default=False)],
    trace: Trace = 0,
) -> ScriptRun:
    """Write NAME_task2T_runR.out, as semeval-2015-task-14-task-2-eval.pl does.

    Write 0.000 for a slot at which the script divides by zero and dies.
    """

    def write(evaluation: AnyScored) -> Iterator[Output]:
        score = evaluation.score()
        yield Output(format_task2(score), f"{name}_task2{task.value}_run{run}.out", option="-n")
        if undefined := undefined_slots(score):
            yield Output(
                f"clineval: {', '.join(undefined)}: the weights add up to 0, so 0.000 is written; "
                "the released script stops here\n",
                error=True,
            )
        if trace:
            yield from _trace(evaluation.outcomes, "span")

    return ScriptRun("task2b", predictions, gold, write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {
    "semeval15-task1": task1,
    "semeval15-task2": task2,
}
Scores = Score | Mapping[str, float]
SLOT_LABELS: Mapping[str, str] = {
    "BodyLoc": "body_location",
    "CUI": "cui",
    "Conditional": "conditional",
    "Course": "course",
    "Generic": "generic",
    "Negation": "negation",
    "Severity": "severity",
    "Subject": "subject",
    "Uncertainty": "uncertainty",
}
"""Slots by the script's names, in byte order; the script prints them in random order."""


def format_task1(score: Scores) -> str:
    """Return the file that ``semeval-2015-task-14-task-1-eval.pl`` writes."""
    strict = "Strict Score\n" + _format_matches(score, "strict", ", ", "\n")
    return strict + "Relaxed  Score\n" + _format_matches(score, "relaxed", ", ", "\n")


def format_task2(score: Scores) -> str:
    """Return the file that ``semeval-2015-task-14-task-2-eval.pl`` writes."""
    lines = [
        _format_matches(score, "span", " ", " \n"),
        f"Accuracy:\t {score['accuracy']:.3f} \tF*Accuracy:\t {score['f1_x_accuracy']:.3f} \n",
        f"Wt_Accuracy:\t {score['weighted_accuracy']:.3f} \t",
        f"F*Wt_Accuracy:\t {score['f1_x_weighted_accuracy']:.3f}\n\n",
        "Slot Weighted Accuracy:\n",
    ]
    slots = (
        f"{label + ':':<11}\t{score[f'{slot}_weighted_accuracy']:.3f} \n"
        for label, slot in SLOT_LABELS.items()
    )
    return "".join([*lines, *slots])


def undefined_slots(score: Score) -> list[str]:
    """List the slots whose weights add up to 0; the script dies at the first one."""
    totals = score.counts.totals
    return [label for label, slot in SLOT_LABELS.items() if totals[f"{slot}_weight"] == 0]


def _trace(outcomes: Outcomes, *names: str) -> Iterator[Output]:
    """Yield the outcome of each mention: verdict, document, gold span, predicted span."""
    for name in names:
        yield Output(f"# {name}: verdict, document, gold span, predicted span\n")
        for line in trace(outcomes, name):
            cells = map(visible, line.split("\t"))
            yield Output("\t".join(cells) + "\n")


def trace(outcomes: Outcomes, name: str) -> Iterator[str]:
    """Yield the lines of a kind of match: pairs, then missed mentions, then spurious ones."""
    match = outcomes.matches[name]
    gold, prediction = outcomes.gold, outcomes.prediction
    rows = {verdict: match.verdict == at for at, verdict in enumerate(match.verdicts)}
    for left, right in zip(match.gold[rows["tp"]], match.prediction[rows["tp"]], strict=True):
        yield f"TP\t{_name(outcomes, gold, left)}\t{prediction.text_of_spans(right)}"
    for row in match.gold[rows["fn"]]:
        yield f"FN\t{_name(outcomes, gold, row)}\t-"
    for row in match.prediction[rows["fp"]]:
        document, span = _name(outcomes, prediction, row).split("\t")
        yield f"FP\t{document}\t-\t{span}"


def _name(outcomes: Outcomes, side: MentionColumns, row: int) -> str:
    return f"{outcomes.documents[side.document[row]]}\t{side.text_of_spans(row)}"


def _format_matches(score: Scores, prefix: str, comma: str, end: str) -> str:
    tp, fp, fn = (score[f"{prefix}_{kind}"] for kind in ("tp", "fp", "fn"))
    p, r, f = (score[f"{prefix}_{name}"] for name in ("precision", "recall", "f1"))
    counts = f"TP: {tp}{comma}FP: {fp}{comma}FN: {fn}\n"
    return f"{counts}P:\t {p:.3f}{end}R:\t {r:.3f}{end}F:\t {f:.3f}\n\n"
