"""Print scores as programs that join tables on places do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.files import find_path
from clineval.formats.files import read_text_files
from clineval.kinds.pages import AnyScored
from clineval.programs.row_set_results import add_up, list_documents, match_of, measure
from clineval.programs.table_joins import AS_STRINGS
from clineval.results.options import check_name
from clineval.results.scorable import Counts
from clineval.results.scripts import Output, ScriptRun

_RULE = "-" * 53 + "\n"
GOLD = Annotated[Path, typer.Option("-g", "--gs_path", help="TSV file, gold standard.")]
PREDICTION = Annotated[Path, typer.Option("-p", "--pred_path", help="TSV file, predictions.")]
CODES = Annotated[
    Path | None,
    typer.Option("-c", "--valid_codes_path", help="TSV file of valid codes; by default, all."),
]
TASK = Annotated[str, typer.Option("-s", "--subtask", help="The sub-task.")]


def measure_document(tp: float, fp: float, fn: float, digits: int) -> tuple[str, str, str]:
    """Return precision, recall and F1 of a document; nan without a hit, as in pandas.

    Examples:
        >>> measure_document(1, 1, 0, 4), measure_document(0, 1, 1, 4), measure_document(0, 0, 1, 4)
        (('0.5', '1.0', '0.6667'), ('nan', 'nan', 'nan'), ('nan', '0.0', 'nan'))
    """
    if tp:
        return measure(tp, fp, fn, digits)
    return "nan", "nan" if fp else "0.0", "nan"


def write_scores(
    evaluation: AnyScored, run: object, digits: int = 4, ending: str = ""
) -> Iterator[Output]:
    """Yield the scores of each document and of all, then one line with the run and its scores."""
    counts, match = evaluation.counts, match_of(evaluation)
    yield Output(format_scores(counts, match, digits, ending))
    yield Output("|".join([str(run), *measure(*add_up(counts, match), digits)]) + "\n")


def format_scores(counts: Counts, match: str, digits: int, ending: str = "") -> str:
    """Format the scores of each document and of all.

    Args:
        counts: the counts of all documents.
        match: the beginning of the names of the counts.
        digits: the number of decimals.
        ending: a suffix for the names of documents.
    """
    rows = sorted(list_documents(counts, match))
    total = measure(*add_up(counts, match), digits)
    parts = []
    for at, name in enumerate(("Precision", "Recall", "F-score")):
        parts += ["\n", _RULE, f"Clinical case name\t\t\t{name}\n", _RULE]
        for document, row in rows:
            parts.append(f"{document}{ending}\t\t{measure_document(*row, digits)[at]}\n{_RULE}")
    parts += ["\n", _RULE, "Micro-average metrics\n", _RULE]
    for name, value in zip(("precision", "recall", "F-score"), total, strict=True):
        parts.append(f"\nMicro-average {name} = {value}\n\n")
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class JoiningLibrary:
    """An evaluation library.

    Args:
        name: its name for the challenge.
        tasks: maps each sub-task to its configuration.
        headers: maps the header of a file (names separated by commas) to the name of its subtask.
        blank: the text before the line about a file.
        coded: whether the list of valid codes is used; otherwise its file must only exist.
    """

    name: str
    tasks: Mapping[str, str]
    headers: Mapping[str, str]
    blank: str = "\n"
    coded: bool = True

    @property
    def command(self) -> Callable[..., ScriptRun]:
        """The stand-in of the library."""

        def call(gold: GOLD, prediction: PREDICTION, task: TASK, codes: CODES = None) -> ScriptRun:
            check_name("subtask", task, self.tasks)
            if codes:
                find_path(codes)

            def write(evaluation: AnyScored) -> Iterator[Output]:
                yield Output(self.say(gold) + self.say(prediction))
                yield from write_scores(evaluation, prediction)

            options = {"codes": codes} if codes and self.coded else {}
            return ScriptRun(self.tasks[task], prediction, gold, write, options)

        call.__doc__ = f"Print the same as {self.name}'s library, for -s {', '.join(self.tasks)}."
        return call

    def say(self, path: Path) -> str:
        """Return the program's line about a file, which depends on its header."""
        [file] = read_text_files(path, pattern="", separator="\0")
        header = ",".join(AS_STRINGS.head(file))
        return f"{self.blank}According to file headers, you are on subtask {self.headers[header]}\n"
