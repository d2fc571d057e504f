"""Options: those that several commands share, and those of the challenge that is named.

A challenge declares its options once, as :class:`~clineval.results.challenge.Option`. The command
line is made for the challenge that its words name, so that ``clineval score MODULE --help`` shows
the options of that challenge and no others.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from clineval.base.errors import shown
from clineval.results.registry import known_names

if TYPE_CHECKING:  # help without a metric must not wait for NumPy
    from clineval.evaluation.inputs import Inputs
    from clineval.formats.section_lines import Sections
    from clineval.kinds.mentions.outcomes import Outcomes
    from clineval.results.challenge import Setup
    from clineval.results.options import Option
    from clineval.stats.clusters import Clusters

SCORED, GROUPS, CONFIDENCE, OUTPUT = "What is scored", "Groups", "Confidence", "Output"
TABLES, WORK = "Parquet files", "Work"
"""The panels of options in the help."""
Command = Callable[..., None]
_TYPES: Mapping[str, object] = {
    "number": int | None,
    "names": list[str] | None,
    "numbers": list[str] | None,
    "flag": bool | None,
    "file": Path | None,
    "texts": Path | None,
    "records": Path | None,
}
_WHOLE_NUMBER = re.compile(r"\s*[+-]?[0-9]{1,9}\s*\Z")


class Protocol(StrEnum):
    """Whose rules count."""

    spec = "spec"
    official = "official"


class Notation(StrEnum):
    """How results are written."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


def complete_metric(incomplete: str) -> list[str]:
    """List metric names for the shell's completion."""
    return [name for name in known_names() if name.startswith(incomplete)]


def option(panel: str | None, help: str, *names: str, **more: Any) -> object:  # noqa: A002 - typer's word
    """Declare an option in a panel; unless it says so, its default is not shown."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **{"show_default": False, **more})


def setting(panel: str | None, help: str, *names: str, **more: object) -> object:  # noqa: A002
    """Declare an option in a panel whose default the help shows."""
    return option(panel, help, *names, show_default=True, **more)


def argument(help: str, **more: Any) -> object:  # noqa: A002
    """Declare an argument without a default that the help would show."""
    return typer.Argument(help=help, show_default=False, **more)


def _check_picture(path: Path | None) -> Path | None:
    """Refuse a file that is no picture before anything is scored."""
    if path is not None:
        from clineval.results.pictures.figures import check_file

        check_file(path)
    return path


Module = Annotated[
    str,
    argument(
        "The metric, such as semeval15_task14; see 'clineval list'.", autocompletion=complete_metric
    ),
]
Gold = Annotated[Path, argument("Gold standard: directory or file.")]
Config = Annotated[
    str, setting(SCORED, "Which part of the challenge; see 'clineval describe MODULE'.")
]
ProtocolOption = Annotated[
    Protocol,
    setting(SCORED, "The challenge document's definition, or the released script's.", "--protocol"),
]
DatasetOption = Annotated[
    str | None,
    option(
        SCORED,
        "Score only against this gold standard, such as meddocan19/test; see 'clineval datasets'.",
        "--dataset",
    ),
]
NotationOption = Annotated[Notation, setting(OUTPUT, "How to write it.", "--format")]
Plot = Annotated[
    Path | None, option(OUTPUT, "Also draw it, to a .png or .svg file.", callback=_check_picture)
]
Resamples = Annotated[
    int, setting(CONFIDENCE, "How many corpora are drawn for intervals.", "--resamples")
]
Seed = Annotated[int, setting(CONFIDENCE, "Seed of everything that is random.")]
Interval = Annotated[
    str,
    setting(
        CONFIDENCE,
        "auto, which chooses for each score; or percentile, bca (corrected for bias and "
        "skewness) or binomial (for rare outcomes).",
    ),
]
Cluster = Annotated[
    Path | None,
    option(
        CONFIDENCE,
        "Draw together what belongs together, such as the notes of a patient: a file with two "
        "columns, document and cluster.",
    ),
]
ClusterBy = Annotated[
    str | None,
    option(
        CONFIDENCE,
        "The same by names of documents: prefix, what stands before the last hyphen, underscore or "
        "dot, as in p12-note3; or a regular expression, of which the first group is the cluster.",
    ),
]
By = Annotated[
    str | None,
    option(
        GROUPS,
        "The scores of groups instead: document, language, slot:NAME (such as slot:negation), "
        "code, label, field, length, fragments, seen (codes, with --train), or section (with "
        "--sections). Predictions without a gold mention are grouped by their own value.",
    ),
]
Train = Annotated[
    Path | None, option(GROUPS, "Gold standard of the training corpus, for --by seen.")
]
SectionsOption = Annotated[
    Path | None,
    option(
        GROUPS,
        "For --by section: lines of JSON, an object with id and sections for each note; "
        "a section has start, end and label.",
        "--sections",
    ),
]
ReferencesColumn = Annotated[
    str | None,
    option(
        TABLES,
        "The column with the gold standard; otherwise the one called references, or the only one.",
    ),
]
PredictionsColumn = Annotated[
    str | None,
    option(
        TABLES,
        "The column with the predictions; otherwise the one called predictions, or the only one.",
    ),
]
IdColumn = Annotated[
    str | None,
    option(
        TABLES, "The column with the notes' names, which joins two files; otherwise id, if there."
    ),
]
Jobs = Annotated[
    int | None,
    option(
        WORK,
        "How many processes count; otherwise as many as there are cores, one for few notes.",
        min=1,
    ),
]
KeepGoing = Annotated[
    Path | None,
    option(
        WORK,
        "Leave out notes that cannot be read, and list them in this file, a line of JSON each.",
    ),
]


def read_groupings(setup: Setup, train: Path | None, sections: Path | None) -> Groupings:
    """Read what groupings need besides the corpus."""
    from clineval.evaluation.evaluate import evaluate_gold
    from clineval.formats.section_lines import read_sections

    classes = setup.steps.kind.class_slot
    codes = train is not None and classes is not None and bool(classes.none)
    return {
        "train": evaluate_gold(setup, train).outcomes if codes else None,
        "sections": read_sections(sections) if sections else None,
    }


def say_if_jobs_do_nothing(setup: Setup, inputs: Inputs, jobs: int | None) -> None:
    """Say on standard error that further processes would have nothing to do, and why."""
    if jobs is None or jobs == 1:
        return
    from clineval.cli.messages import use_flags
    from clineval.evaluation.counting.count import why_at_once

    flags = {option.name: option.flag or f"--{option.name}" for option in setup.challenge.options}
    if reason := why_at_once(setup, inputs):
        typer.echo(f"clineval: --jobs has no effect: {use_flags(reason, flags)}", err=True)


def choose_clusters(cluster: Path | None, cluster_by: str | None) -> Path | Clusters | None:
    """Choose which documents belong together: by a file, by their names, or none."""
    if cluster_by is None:
        return cluster
    if cluster:
        raise typer.BadParameter("cannot be combined with --cluster", param_hint="--cluster-by")
    from clineval.stats.clusters import clusters_by

    return clusters_by(cluster_by)


class Groupings(TypedDict):
    """What ``find_groups`` takes besides the corpus."""

    train: Outcomes | None
    sections: Sections | None


def with_options(command: Command, declared: Mapping[str, Sequence[Option]]) -> Command:
    """Return a command that takes ``**options``, with options that are declared elsewhere.

    It gets those that were given, as ``clineval.score`` takes them. An option that the command
    has itself stays the command's, and of several of one name the first counts.

    The command's last parameter is ``**options``; options are declared by panel of the help.
    """
    signature = inspect.signature(command, eval_str=True)
    kept = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    if len(kept) == len(signature.parameters):
        return command
    known = {parameter.name for parameter in kept}
    options: dict[str, Option] = {}
    added = []
    for panel, of_panel in declared.items():
        new = [o for o in of_panel if o.name not in {*known, *options} and o.kind != "column"]
        options |= {option.name: option for option in new}
        added += [_as_parameter(option, panel) for option in new]

    @wraps(command)
    def call(**arguments: object) -> None:
        values = {name: arguments.pop(name) for name in options}
        given = {name: value for name, value in values.items() if value not in (None, ())}
        chosen = {name: _as_argument(options[name], value) for name, value in given.items()}
        command(**arguments, **chosen)

    parameters = [*kept, *added]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in parameters}
    return call


def _as_parameter(declared: Option, panel: str) -> inspect.Parameter:
    spelled = [declared.flag] if declared.flag else []
    kind = _TYPES.get(declared.kind, str | None)
    annotation = Annotated[kind, option(panel, declared.help, *spelled)]  # type: ignore[valid-type]
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(declared.name, keyword, default=None, annotation=annotation)


def _as_argument(option: Option, value: Any) -> object:
    if option.kind == "numbers":
        return [_read_number(option.name, name) for name in split_names(value)]
    return split_names(value) if option.kind == "names" else value


def split_names(values: Sequence[str] | None) -> list[str]:
    """List the names in the values of an option; ``a,b`` is the same as ``a`` and ``b``."""
    return [name.strip() for value in values or () for name in value.split(",")]


def _read_number(name: str, word: str) -> int:
    if not _WHOLE_NUMBER.match(word):
        problem = f"expected whole numbers, got {shown(word)}"
        raise typer.BadParameter(problem, param_hint=f"--{name}")
    return int(word)
