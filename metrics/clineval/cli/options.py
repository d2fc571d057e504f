"""Options that several commands share, and options that a challenge declares.

A challenge declares its options once, as :class:`~clineval.results.challenge.Option`. The command
line is made for the challenge that its words name, so that ``clineval score MODULE --help`` shows
only the options of that challenge.
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

from clineval.base.errors import InputError, shown
from clineval.cli.standard_input import take_file
from clineval.results.registry import known_names

if TYPE_CHECKING:  # help without a metric must not wait for NumPy
    from clineval.evaluation.inputs import Inputs
    from clineval.formats.section_lines import Sections
    from clineval.kinds.mentions.outcomes import Outcomes
    from clineval.results.challenge import Setup
    from clineval.results.options import Option
    from clineval.stats.clusters import Clusters

SCORED, GROUPS, CONFIDENCE, OUTPUT = "Scoring", "Groups", "Confidence", "Output"
TABLES, WORK = "Parquet files", "Processing"
"""The panels of options in the help."""
Command = Callable[..., None]
SPEC = "spec"
"""The default protocol: a plain word, because typer validates an enumeration with pydantic."""
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


class Notation(StrEnum):
    """The notations of results."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


class PaperNotation(StrEnum):
    """The notations of scores and comparisons, which papers report."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"
    methods = "methods"
    methods_markdown = "methods-markdown"
    methods_latex = "methods-latex"


def complete_metric(incomplete: str) -> list[str]:
    """List metric names for the shell's completion, also after a comma."""
    before, comma, begun = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in known_names() if name.startswith(begun)]


def complete_protocol(context: typer.Context, incomplete: str) -> list[str]:
    """List the protocols of the metric for the shell's completion."""
    from clineval.cli.several import find_challenges

    try:
        challenges = find_challenges(context.params.get("module") or "")
    except InputError:
        return [name for name in (SPEC, "official") if name.startswith(incomplete)]
    names = dict.fromkeys(name for challenge in challenges for name in challenge.protocols)
    return [name for name in names if name.startswith(incomplete)]


def option(panel: str | None, help: str, *names: str, **more: Any) -> object:  # noqa: A002 - typer's word
    """Declare an option in a panel of the help, which does not show its default."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **{"show_default": False, **more})


def setting(panel: str | None, help: str, *names: str, **more: object) -> object:  # noqa: A002
    """Declare an option in a panel of the help, which shows its default."""
    return option(panel, help, *names, show_default=True, **more)


def argument(help: str, **more: Any) -> object:  # noqa: A002
    """Declare an argument. The help does not show its default."""
    return typer.Argument(help=help, show_default=False, **more)


def _check_picture(path: Path | None) -> Path | None:
    """Reject a file that is not a picture before anything is scored."""
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
Modules = Annotated[
    str,
    argument(
        "The metric, such as semeval15_task14, or several separated by commas; see 'clineval "
        "list'.",
        autocompletion=complete_metric,
    ),
]
Gold = Annotated[
    Path,
    argument("Gold standard: directory or file; - for standard input.", callback=take_file),
]
Config = Annotated[
    str, setting(SCORED, "The configuration to score; see 'clineval describe MODULE'.")
]
ProtocolOption = Annotated[
    str,
    setting(
        SCORED,
        "The rules: spec, as the challenge defines them, or official, as its script computes them. "
        "'clineval describe MODULE' lists the protocols of a metric.",
        "--protocol",
        metavar="NAME",
        autocompletion=complete_protocol,
    ),
]
DatasetOption = Annotated[
    str | None,
    option(
        SCORED,
        "Reject any gold standard except this one, such as meddocan19/test; see 'clineval "
        "datasets'.",
        "--dataset",
    ),
]
NotationOption = Annotated[Notation, setting(OUTPUT, "Output format.", "--format")]
PaperNotationOption = Annotated[
    PaperNotation,
    setting(OUTPUT, "Output format; methods is the paragraph for a paper.", "--format"),
]
Plot = Annotated[
    Path | None,
    option(OUTPUT, "Also draw the result, to a .png or .svg file.", callback=_check_picture),
]
Resamples = Annotated[
    int, setting(CONFIDENCE, "Number of bootstrap resamples for intervals.", "--resamples")
]
Seed = Annotated[int, setting(CONFIDENCE, "Seed of all random numbers.")]
Interval = Annotated[
    str,
    setting(
        CONFIDENCE,
        "Method of the intervals: auto chooses one for each score; percentile; bca (corrected for "
        "bias and skewness); binomial (for rare outcomes).",
    ),
]
Cluster = Annotated[
    Path | None,
    option(
        CONFIDENCE,
        "Resample documents that belong together, such as those of a patient, as one: a file "
        "with two columns, document and cluster.",
    ),
]
ClusterBy = Annotated[
    str | None,
    option(
        CONFIDENCE,
        "Take clusters from the names of documents. prefix is the part before the last hyphen, "
        "underscore or dot, as in p12-note3. Or pass a regular expression; its first group is "
        "the cluster.",
    ),
]
By = Annotated[
    str | None,
    option(
        GROUPS,
        "Show the scores of groups instead: document, language, slot:NAME (such as "
        "slot:negation), code, label, field, length, fragments, seen or frequency (codes, with "
        "--train), or section (with --sections). Predictions without a gold mention are grouped by "
        "their own value.",
    ),
]
Train = Annotated[
    Path | None,
    option(GROUPS, "For --by seen and --by frequency: the gold standard of the training corpus."),
]
SectionsOption = Annotated[
    Path | None,
    option(
        GROUPS,
        "For --by section: JSON Lines, an object with id and sections for each document. "
        "A section has start, end and label.",
        "--sections",
    ),
]
ReferencesColumn = Annotated[
    str | None,
    option(
        TABLES,
        "The column with the gold standard; by default references, or the only candidate.",
    ),
]
PredictionsColumn = Annotated[
    str | None,
    option(
        TABLES,
        "The column with the predictions; by default predictions, or the only candidate.",
    ),
]
IdColumn = Annotated[
    str | None,
    option(
        TABLES,
        "The column with the names of documents, which joins two files; by default id, if there "
        "is one.",
    ),
]
Jobs = Annotated[
    int | None,
    option(
        WORK,
        "Number of processes; by default one for each core, or a single one for few documents.",
        min=1,
    ),
]
KeepGoing = Annotated[
    Path | None,
    option(
        WORK,
        "Leave out documents that cannot be read, and list them in this file, as JSON Lines.",
    ),
]


def read_groupings(setup: Setup, train: Path | None, sections: Path | None) -> Groupings:
    """Read the training corpus and the sections that groupings need."""
    from clineval.evaluation.analysis.groups import has_codes
    from clineval.evaluation.evaluate import evaluate_gold
    from clineval.formats.section_lines import read_sections

    trained = train is not None and has_codes(setup.steps.kind)
    return {
        "train": evaluate_gold(setup, train).outcomes if trained else None,
        "sections": read_sections(sections) if sections else None,
    }


def say_if_jobs_do_nothing(setup: Setup, inputs: Inputs, jobs: int) -> None:
    """Report on standard error that ``--jobs`` has no effect on a comparison, and why."""
    from clineval.evaluation.counting.count import why_at_once

    if jobs > 1 and (reason := why_at_once(setup, inputs, several=True)):
        say_why_jobs_do_nothing(setup, reason)


def say_why_jobs_do_nothing(setup: Setup, reason: str) -> None:
    """Report on standard error that ``--jobs`` has no effect for a reason."""
    from clineval.cli.messages import use_flags

    flags = {option.name: option.spelled for option in setup.challenge.options}
    typer.echo(f"clineval: --jobs has no effect: {use_flags(reason, flags)}", err=True)


def choose_clusters(cluster: Path | None, cluster_by: str | None) -> Path | Clusters | None:
    """Choose the clusters of documents: from a file, from their names, or none."""
    if cluster_by is None:
        return cluster
    if cluster:
        raise typer.BadParameter("cannot be combined with --cluster", param_hint="--cluster-by")
    from clineval.stats.clusters import clusters_by

    return clusters_by(cluster_by)


class Groupings(TypedDict):
    """The arguments of ``find_groups`` besides the corpus."""

    train: Outcomes | None
    sections: Sections | None


def with_options(command: Command, declared: Mapping[str, Sequence[Option]]) -> Command:
    """Add declared options to a command whose last parameter is ``**options``.

    The command receives the options that are given, as ``clineval.score`` takes them. The
    command's own options stay. If several declared options have the same name, the first counts.

    Args:
        command: a function with ``**options``. One without is returned unchanged.
        declared: options by panel of the help.
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
