"""Stand-in for i2b2Evaluation.py of the i2b2 2012 challenge, without Python 2 and Perl."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from clineval.base.errors import InputError
from clineval.base.files import is_directory, is_file, list_directory, read_bytes
from clineval.challenges.i2b2_2012_temporal.official.counts import (
    Mode,
    count_document,
)
from clineval.challenges.i2b2_2012_temporal.official.tables import (
    print_files,
    print_folders,
    print_mismatch,
)
from clineval.challenges.i2b2_2012_temporal.official.tags import Tags
from clineval.kinds.pages import AnyScored
from clineval.results.scripts import Output, ScriptRun

Choice = TypeVar("Choice", bound=str)
_Gold = Annotated[Path, typer.Argument(help="Gold standard: a folder of XML files, or a file.")]
_System = Annotated[Path, typer.Argument(help="System: a folder with the same names, or a file.")]


def i2b2(
    gold: _Gold,
    system: _System,
    *,
    everything: Annotated[bool, typer.Option("-all", help="Evaluate all tags (default).")] = False,
    event: Annotated[bool, typer.Option("-event", help="Evaluate events alone.")] = False,
    timex: Annotated[bool, typer.Option("-timex", help="Evaluate times alone.")] = False,
    tlink: Annotated[
        bool, typer.Option("-tlink", help="Evaluate links alone; ids are as written.")
    ] = False,
    overlap: Annotated[
        bool, typer.Option("-overlap", help="Match overlapping spans (default).")
    ] = False,
    exact: Annotated[bool, typer.Option("-exact", help="Match spans with the same words.")] = False,
    partial: Annotated[
        bool, typer.Option("-partialCredit", help="Count overlapping spans as a half.")
    ] = False,
    tempeval: Annotated[
        bool, typer.Option("--tempeval", help="Compare links with a time graph (default).")
    ] = False,
    oo: Annotated[bool, typer.Option("--oo", help="Compare links as written.")] = False,
    oc: Annotated[bool, typer.Option("--oc", help="Compare links with the closure.")] = False,
    cc: Annotated[bool, typer.Option("--cc", help="Compare closures.")] = False,
) -> ScriptRun:
    """Print what i2b2Evaluation.py prints; files are taken in the order of their names."""
    mode = Mode(
        _choose("all", {"all": everything, "event": event, "timex": timex, "tlink": tlink}),
        _choose("overlap", {"overlap": overlap, "exact": exact, "partialCredit": partial}),
        _choose("tempeval", {"tempeval": tempeval, "oo": oo, "oc": oc, "cc": cc}),
    )
    text = "".join(_print(gold, system, mode))

    def write(_evaluation: AnyScored) -> Iterator[Output]:
        yield Output(text)

    return ScriptRun("default", [], [], write)


def _choose(default: Choice, choices: Mapping[Choice, bool]) -> Choice:
    chosen = [name for name, given in choices.items() if given]
    if len(chosen) > 1:
        raise InputError(f"options {' and '.join(chosen)} exclude each other", remedy="Give one")
    return chosen[0] if chosen else default


def _print(gold: Path, system: Path, mode: Mode) -> Iterator[str]:
    if is_file(gold) and is_file(system):
        counts = count_document(_read(gold), _read(system), mode)
        yield from print_files(counts, mode)
        return
    if not (is_directory(gold) and is_directory(system)):
        raise InputError("expected two folders or two files", remedy="Check both paths")
    names = sorted(name for name, _ in list_directory(gold))
    if len(names) != len(list_directory(system)):
        yield print_mismatch(mode)
        return
    documents = {
        name: count_document(_read(gold / name), _read(system / name), mode) for name in names
    }
    yield from print_folders(documents, mode)


def _read(path: Path) -> Tags:
    if not is_file(path):  # [i20]
        problem = "there is no such file, and the program stops"
        raise InputError(problem, where=str(path), remedy="Use the same names on both sides")
    return Tags.of(str(path), read_bytes(path))


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"i2b2-2012": i2b2}
