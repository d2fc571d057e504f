"""Print what the stand-alone evaluate.py of PharmaCoNER prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clineval.challenges.pharmaconer19.official import as_codes
from clineval.kinds.mentions.columns import Side
from clineval.kinds.pages import AnyScored
from clineval.programs import word_lines
from clineval.programs.iberlef_report import Report
from clineval.results.scripts import Output, ScriptRun

_FILES = r"\.(ann|tsv)$"
"""The files that the script reads in a directory, for either sub-track."""


class Track(StrEnum):
    """The sub-track."""

    ner = "ner"
    indexing = "indexing"


def pharmaconer(
    track: Annotated[Track, typer.Argument(metavar="ner|indexing", show_default=False)],
    gold: Annotated[Path, typer.Argument(help="Gold: directory or file.", show_default=False)],
    system: Annotated[Path, typer.Argument(help="System: directory or file.", show_default=False)],
    verbose: Annotated[bool, typer.Option("-v", help="Add the scores of each document.")] = False,  # noqa: FBT002
) -> ScriptRun:
    """Print what the stand-alone evaluate.py prints, except its messages about lines and names.

    Keep UNCLEAR as a label. If both arguments are files, print only the scores of this document.
    """
    whole = system.is_dir() or gold.is_dir()
    name = system.name if system.is_dir() else system.parent.name

    def write(evaluation: AnyScored) -> Iterator[Output]:
        named = track is not Track.ner
        report = Report(name, evaluation.counts, _VIEWS[track], named=named)
        yield from report.write(_TITLES[track], verbose=verbose, whole=whole)

    found, golds = (_read(side, track) for side in (system, gold))
    return ScriptRun(track.value, found, golds, write, {"unclear": "kept"})


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"pharmaconer-2019": pharmaconer}
_TITLES = {Track.ner: "SubTrack 1 [NER]", Track.indexing: "SubTrack 2 [Indexing]"}
_VIEWS = {Track.ner: "strict", Track.indexing: "micro"}


def _read(side: Path, track: Track) -> Side:
    if track is Track.ner:
        return word_lines.read_side(side, "label", _FILES)
    return as_codes(side, _FILES)
