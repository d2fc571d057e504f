"""The output of ``i2b2va-eval.jar``, the program of i2b2/VA 2010."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from clineval.challenges.i2b2_2010.lines import ASSERTIONS, RELATIONS
from clineval.challenges.i2b2_2010.official import FileRead, Folder, list_names, read_folder
from clineval.challenges.i2b2_2010.spec import Items, Kinds
from clineval.kinds.pages import Scored
from clineval.programs.java_numbers import divide, java_double
from clineval.results.scorable import Counts
from clineval.results.scripts import Output, ScriptRun

_HELP = """\
The Paramaters You Gave Were Invalid.
Valid Paramaters Are As Follows:
Default -> If only given -rcp and -scp everything else will be set to all and batch.
-rcp Classpath of the reference directory (String) *REQUIRED*
-scp Classpath of the system directory (String) *REQUIRED*
-ft all (for ratio tests on .ast,.rel and .con files)
-ft ast (for ratio tests on .ast files only)
-ft rel (for ratio tests on .rel files only)
-ft con (for ratio tests on .con files only)
-ex all (for both exact an inexact ratio tests)
-ex exact (for exact ratio tests only)
-ex inexact (for inexact ratio tests only)
-ag all (for both aggregated and seperate ratio tests)
-ag seperate (for seperate ratio tests only)
-ag aggregated (for aggregated ratio tests only)
-ba batch (testing in a batch format)
-ba perfile (testing for each file)
"""
_HEADINGS = "\tTrue Positive\tFalse Negative\tFalse Positive\tR Value\tP Value\tF Value\n"
_VALUES = {
    "ft": (("all", "ast", "rel", "con"), "Invalid File Type."),
    "ex": (("all", "exact", "inexact"), "Invalid Exactness Measure Paramater."),
    "ag": (("all", "seperate", "aggregated"), "Invalid Aggregated Measure Paramater."),
    "ba": (("batch", "perfile"), "Invalid Batch Paramater."),
}
_NAMES = {"assertions": "ASSERTION", "relations": "RELATION", "concepts": "CONCEPT"}
_ENDINGS = {"assertions": "ast", "relations": "rel", "concepts": "con"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the program.

    Args:
        heading: the words after ``TESTING``.
        rows: prefixes of counts by label.
        exactness: the value of -ex that selects the table; empty if all values do.
        aggregation: the value of -ag that selects the table.
        gap: whether an empty line follows.
    """

    heading: str
    rows: Mapping[str, str]
    exactness: str
    aggregation: str
    gap: bool


def _per_label(labels: Sequence[str], forms: Mapping[str, str]) -> dict[str, str]:
    """Return the rows of all labels for each form, in the order of the forms."""
    return {
        form.format(
            label if label in RELATIONS else label.replace("_", " ").title()
        ): f"{label.lower()}_{match}"
        for form, match in forms.items()
        for label in labels
    }


_CONCEPTS = ("problem", "treatment", "test")
_TABLES = {
    "assertions": (
        Table(
            "2.1 - Exact span for all assertions",
            {
                "Exact Span With Matching Concept": "assertions_exact",
                "Exact Span With Matching Assertion": "assertions_strict",
            },
            "", "aggregated", gap=False,
        ),
        Table(
            "2.2 - Exact span for separate assertions",
            _per_label(ASSERTIONS, {
                "{} With Exact Span": "exact",
                "{} With Exact Span And Matching Assertion": "strict",
            }),
            "", "seperate", gap=True,
        ),
    ),
    "relations": (
        Table(
            "3.1 - Exact span for all relationships\t",
            {
                "Exact Span With Matching Concept": "relations_exact",
                "Concept With Matching Span and Relation": "relations_strict",
            },
            "", "aggregated", gap=False,
        ),
        Table(
            "3.2 -  Exact span for separate relationships\t",
            _per_label(RELATIONS, {
                "{} With Exact Span True Positive": "exact",
                "{} With Exact Span And Matching Relations": "strict",
            }),
            "", "seperate", gap=True,
        ),
    ),
    "concepts": (
        Table(
            "1.1 -  Exact span for all concepts together",
            {"Concept Exact Span": "concepts_exact", "Class Exact Span": "concepts_strict"},
            "exact", "aggregated", gap=False,
        ),
        Table(
            "1.2 -  Exact span for separate concept classes",
            _per_label(_CONCEPTS, {
                "Exact Span for {}": "exact",
                "Exact Span With Matching Class for {}": "strict",
            }),
            "exact", "seperate", gap=False,
        ),
        Table(
            "1.3 -  Inexact span for all concepts together",
            {"Concept Inexact Span": "concepts_overlap", "Class Inexact Span": "concepts_lenient"},
            "inexact", "aggregated", gap=False,
        ),
        Table(
            "1.4 -  Inexact span for separate concept classes",
            _per_label(_CONCEPTS, {
                "Inexact Span for {}": "overlap",
                "Inexact Span With Matching Class for {}": "lenient",
            }),
            "inexact", "seperate", gap=True,
        ),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Arguments:
    """The values of the program's options, and its message if it rejects a value."""

    values: Mapping[str, str]
    problem: str

    @classmethod
    def of(cls, line: str) -> Arguments:
        """Split the line at every dash, as the program does.

        Examples:
            >>> Arguments.of("-rcp ref-erence/ -scp my-extra/").values["rcp"]
            'ref'
        """
        values = {"rcp": "", "scp": "", **{name: known[0] for name, (known, _) in _VALUES.items()}}
        for piece in line.split("-"):
            name = next((name for name in values if piece.startswith(name)), "")
            if not name:
                continue
            value = piece[len(name) + 1 :].strip()
            if name in _VALUES:
                value = value.lower()
                known, problem = _VALUES[name]
                if value not in known:
                    return cls(values, f"{problem}\n")
            values[name] = value
        return cls(values, "")

    @property
    def refusal(self) -> Iterator[Output]:
        """The output of the program if it scores nothing."""
        if self.problem:
            yield Output(self.problem + _HELP, error=True)
            return
        for name, said in (("rcp", "Reference"), ("scp", "System")):
            if self.values[name] and list_names(self.values[name]) is None:
                yield Output(f"Your Given {said} Filepath is Invalid.\n")
                yield Output(_HELP, error=True)
                return
        if not self.values["rcp"] or not self.values["scp"]:
            yield Output(_HELP, error=True)


def i2b2_2010(  # noqa: PLR0917 - the program's options
    reference: Annotated[
        str, typer.Option("-rcp", help="Directory of the gold standard, with a slash at its end.")
    ] = "",
    system: Annotated[
        str, typer.Option("-scp", help="Directory of the system's output, with a slash at its end.")
    ] = "",
    files: Annotated[str, typer.Option("-ft", help="all, ast, rel or con.")] = "all",
    exactness: Annotated[str, typer.Option("-ex", help="all, exact or inexact.")] = "all",
    aggregation: Annotated[
        str, typer.Option("-ag", help="all, seperate (sic) or aggregated.")
    ] = "all",
    batch: Annotated[str, typer.Option("-ba", help="batch or perfile.")] = "batch",
) -> ScriptRun:
    """Print the tables of i2b2va-eval.jar, the program of i2b2/VA 2010."""
    given = {
        "rcp": reference,
        "scp": system,
        "ft": files,
        "ex": exactness,
        "ag": aggregation,
        "ba": batch,
    }
    arguments = Arguments.of(" ".join(f"-{name} {value}" for name, value in given.items() if value))
    refusal = list(arguments.refusal)
    if refusal:
        return ScriptRun("default", [], [], lambda _: refusal)
    folders = [read_folder(arguments.values[name]) for name in ("rcp", "scp")]

    def write(evaluation: Scored[Items, Kinds]) -> Iterable[Output]:
        yield Output("".join(_print(evaluation.counts, folders, arguments.values)))

    return ScriptRun("default", folders[1].side, folders[0].side, write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"i2b2-2010": i2b2_2010}


def _print(counts: Counts, folders: Sequence[Folder], asked: Mapping[str, str]) -> Iterator[str]:
    for kind, ending in _ENDINGS.items():
        if asked["ft"] not in ("all", ending):
            continue
        files = [folder.files.get(kind, {}) for folder in folders]
        if asked["ba"] == "perfile":
            yield from _print_files(counts, kind, files, asked)
        else:
            yield from sorted(f"{m}\n" for side in files for f in side.values() for m in f.messages)
            tested = [java_double(len(side)) for side in files]
            yield f"-- {_NAMES[kind]} FILE TEST --\n"
            yield f"Number of Reference Files Tested :{tested[0]}\t"
            yield f"Number of System Files Tested :{tested[1]}\n"
            yield from _print_tables(
                counts.totals, kind, [list(side.values()) for side in files], asked
            )


def _print_files(
    counts: Counts, kind: str, files: Sequence[Mapping[str, FileRead]], asked: Mapping[str, str]
) -> Iterator[str]:
    rows = dict(zip(counts.documents, counts.table.tolist(), strict=True))
    for key in sorted(files[0].keys() | files[1].keys()):
        read = [[side[key]] if key in side else [] for side in files]
        yield from (f"{m}\n" for side in read for f in side for m in f.messages)
        path = [*read[0], *read[1]][0].path
        yield f"-- {_NAMES[kind]} FILE TEST --\nName of Files Tested :{path}\n"
        row = dict(zip(counts.columns, rows[key], strict=True))
        yield from _print_tables(row, kind, read, asked)


def _print_tables(
    counts: Mapping[str, float],
    kind: str,
    files: Sequence[Sequence[FileRead]],
    asked: Mapping[str, str],
) -> Iterator[str]:
    lines = [java_double(sum(file.lines for file in side)) for side in files]
    yield "Number of Reference Lines :{}\tNumber of System Lines :{}\n".format(*lines)
    for table in _TABLES[kind]:
        if asked["ex"] in ("all", table.exactness or asked["ex"]) and asked["ag"] in (
            "all",
            table.aggregation,
        ):
            yield f"\nTESTING {table.heading}\n{_HEADINGS}"
            for label, prefix in table.rows.items():
                yield f"{label} ->\t{_print_row(counts, prefix)}\n"
            if table.gap:
                yield "\n"


def _print_row(counts: Mapping[str, float], prefix: str) -> str:
    """Format counts and ratios; the row of lenient matches has the counts of the row above."""
    tp, fn, fp = _counts_of(counts, prefix)
    ratios = divide(tp, tp + fn), divide(tp, tp + fp), divide(2 * tp, 2 * tp + fn + fp)
    shown = _counts_of(counts, "concepts_overlap") if prefix == "concepts_lenient" else (tp, fn, fp)
    return "\t".join(map(java_double, (*shown, *ratios)))


def _counts_of(counts: Mapping[str, float], prefix: str) -> tuple[float, float, float]:
    tp, fn, fp = (counts.get(f"{prefix}_{verdict}", 0.0) for verdict in ("tp", "fn", "fp"))
    return tp, fn, fp
