"""The output of the evaluation program of TAC 2017 ADR."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.files import find_directory
from clineval.kinds.pages import AnyScored
from clineval.results.counts import Counted
from clineval.results.scripts import Output, ScriptRun

_RULE = f"{'-' * 50}\n"
_TASK_1 = {"Exact (+type)": "exact", "Exact (-type)": "exact_untyped"}
_TASK_2 = {
    "Full (+type)": "full",
    "Full (-type)": "full_untyped",
    "Binary (+type)": "binary",
    "Binary (-type)": "binary_untyped",
}
_PRIMARY = ("exact", "full")
_COUNTS = ("tp", "fp", "fn")


def evaluate_labels(
    gold: Annotated[Path, typer.Argument(help="Gold standard: a directory.", show_default=False)],
    system: Annotated[Path, typer.Argument(help="System: a directory.", show_default=False)],
) -> ScriptRun:
    """Print what the evaluation program of TAC 2017 ADR prints for two directories of XML files."""
    names = [{path.stem for path in find_directory(of).glob("*.xml")} for of in (gold, system)]

    def write(evaluation: AnyScored) -> Iterator[Output]:
        head = f"Gold Directory:  {gold}\nGuess Directory: {system}\n"
        yield Output("".join([head, *_list_skipped(*names), *_list_tasks(evaluation.counts)]))

    return ScriptRun("default", system, gold, write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"tac2017-adr": evaluate_labels}


def _list_skipped(gold: set[str], system: set[str]) -> Iterator[str]:
    """Yield the program's warnings, in the order of the names."""
    for name in sorted(gold - system):
        yield f"WARNING: gold label file not found in guess directory: {name}\n"
    for name in sorted(system - gold):
        yield f"WARNING: guess label file not found in gold directory: {name}\n"


def _list_tasks(counts: Counted) -> Iterator[str]:
    for number, rows in enumerate((_TASK_1, _TASK_2), 1):
        yield f"{_RULE}Task {number} Results:\n"
        for heading, name in rows.items():
            yield f"  {heading}\n{_print_counts(counts, name)}"
            yield _print_rates(_compute(*_total(counts, name)), name in _PRIMARY)
    for number, name in enumerate(("reactions", "codes"), 3):
        yield f"{_RULE}Task {number} Results:\n{_print_counts(counts, name)}"
        micro = _compute(*_total(counts, name))
        columns = (counts.table[:, counts.columns.index(f"{name}_{of}")].tolist() for of in _COUNTS)
        each = [_compute(*of) for of in zip(*columns, strict=True)]
        macro = [sum(values) / len(each) for values in zip(*each, strict=True)]
        yield "    Micro-Precision: {:.2f}\n    Micro-Recall:    {:.2f}\n".format(*micro)
        yield "    Micro-F1:        {2:.2f}\n".format(*micro)
        yield "    Macro-Precision  {:.2f}\n    Macro-Recall     {:.2f}\n".format(*macro)
        yield "    Macro-F1         {2:.2f}  (PRIMARY)\n".format(*macro)


def _total(counts: Counted, name: str) -> list[float]:
    return [counts.totals[f"{name}_{of}"] for of in _COUNTS]


def _print_counts(counts: Counted, name: str) -> str:
    return "    TP: {:.0f}  FP: {:.0f}  FN: {:.0f}\n".format(*_total(counts, name))


def _print_rates(rates: Sequence[float], primary: bool) -> str:  # noqa: FBT001
    mark = "(PRIMARY)" if primary else ""
    lines = "    Precision: {:.2f}\n    Recall:    {:.2f}\n    F1:        {:.2f}  {}\n"
    return lines.format(*rates, mark)


def _compute(tp: float, fp: float, fn: float) -> tuple[float, float, float]:
    """Compute precision, recall and F1 in percent, with the program's own rounding errors."""
    if not tp:
        return 0.0, 0.0, 0.0
    precision, recall = 100.0 * tp / (tp + fp), 100.0 * tp / (tp + fn)
    return precision, recall, 2 * precision * recall / (precision + recall)
