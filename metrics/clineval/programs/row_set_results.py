"""Print and write what programs that compare rows as sets of cells do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.arrays import FloatArray
from clineval.kinds.pages import AnyScored
from clineval.results.options import check_name
from clineval.results.scorable import Counts
from clineval.results.scripts import Output, ScriptRun

RULE = "-" * 67 + "\n"


def measure(tp: float, fp: float, fn: float, digits: int = 4) -> tuple[str, str, str]:
    """Return precision, recall and F1 as such programs print them.

    Examples:
        >>> measure(1, 0, 2), measure(0, 0, 1), measure(0, 1, 1)
        (('1.0', '0.3333', '0.5'), ('0', '0.0', '0'), ('0.0', '0.0', '0'))
    """
    precision = tp / (tp + fp) if tp + fp else 0
    recall = tp / (tp + fn) if tp + fn else 0
    none = precision == 0 or recall == 0
    f1 = 0 if none else 2 * precision * recall / (precision + recall)
    return str(round(precision, digits)), str(round(recall, digits)), str(round(f1, digits))


def match_of(evaluation: AnyScored) -> str:
    """Return the match of the configuration's first score: the beginning of its counts' names."""
    first, *_ = evaluation.setup.challenge.measures.rank_by(evaluation.setup.config)
    return str(first).partition("_")[0]


def list_documents(counts: Counts, match: str) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Yield the name and the counts (tp, fp, fn) of each document with gold rows."""
    for name, (tp, fp, fn) in zip(counts.documents, _select(counts, match).tolist(), strict=True):
        if tp + fn:
            yield name, (tp, fp, fn)


def add_up(counts: Counts, match: str) -> tuple[float, float, float]:
    """Return the counts (tp, fp, fn) of all documents together."""
    tp, fp, fn = _select(counts, match).sum(axis=0).tolist()
    return tp, fp, fn


def _select(counts: Counts, match: str) -> FloatArray:
    columns = [counts.columns.index(f"{match}_{verdict}") for verdict in ("tp", "fp", "fn")]
    return counts.table[:, columns]


def format_results(title: str, counts: Counts, match: str, *, verbose: bool) -> str:
    """Format the results file of such a program; if ``verbose``, with each document's scores."""
    parts = [RULE, f"{title}\n", RULE]
    for name, row in list_documents(counts, match) if verbose else ():
        parts += [RULE, f"Results for document: {name}\n", RULE]
        cells = zip(("Precision", "Recall", "F-score"), measure(*row), strict=True)
        parts += [f"{key}: {value}\n" for key, value in cells]
    parts += [RULE, "Overall results:\n", RULE]
    cells = zip(("precision", "recall", "F-score"), measure(*add_up(counts, match)), strict=True)
    return "".join([*parts, *(f"Micro-average {key}: {value}\n" for key, value in cells)])


REFERENCE = Annotated[Path, typer.Option("-r", "--reference", help="TSV file, gold standard.")]
PREDICTION = Annotated[Path, typer.Option("-p", "--prediction", help="TSV file, predictions.")]
TASK = Annotated[str, typer.Option("-t", "--task", help="The task.")]
OUTPUT = Annotated[Path, typer.Option("-o", "--output", help="Directory of the results file.")]
VERBOSE = Annotated[bool, typer.Option("-v", "--verbose", help="Add the scores of each document.")]


@dataclass(frozen=True, slots=True)
class Library:
    """An evaluation library.

    Args:
        name: its name for the challenge.
        tasks: maps each task, which is a configuration, to its title and to the line that is
            printed before scoring.
        file: the name of the results file, with the fields ``{task}``, ``{time}`` and ``{run}``.
            The run is the name of the predictions' file without its last four characters.
        format: formats the results of a task, given its title, the counts and the match.
    """

    name: str
    tasks: Mapping[str, tuple[str, str]]
    file: str
    format: Callable[..., str] = format_results

    @property
    def command(self) -> Callable[..., ScriptRun]:
        """The stand-in of the library."""

        def call(
            reference: REFERENCE,
            prediction: PREDICTION,
            task: TASK,
            output: OUTPUT,
            verbose: VERBOSE = False,  # noqa: FBT002
        ) -> ScriptRun:
            return self.run(task, prediction, reference, output, {}, verbose=verbose)

        call.__doc__ = self.about
        return call

    @property
    def about(self) -> str:
        """The help text."""
        return f"Print and write the same as {self.name}'s library, for -t {', '.join(self.tasks)}."

    def run(  # noqa: PLR0913 - the options of the libraries
        self,
        task: str,
        prediction: Path,
        reference: Path,
        output: Path,
        options: Mapping[str, object],
        *,
        verbose: bool,
    ) -> ScriptRun:
        """Score a task and write its results file."""
        check_name("task", task, self.tasks)
        of, said = self.tasks[task]
        title = f"{self.name} Shared Task: Subtask {of} Results"

        def write(evaluation: AnyScored) -> Iterator[Output]:
            now = time.strftime("%Y%m%d_%H%M%S")
            file = self.file.format(task=task, time=now, run=prediction.name[:-4])
            yield Output(f"Reading reference and prediction .tsv files\n{said}\n")
            text = self.format(title, evaluation.counts, match_of(evaluation), verbose=verbose)
            yield Output(text, file, folder=str(output), option="-p")
            yield Output(f"Written {self.name} {task} scores to {output / file}\n")

        return ScriptRun(task, prediction, reference, write, options)
