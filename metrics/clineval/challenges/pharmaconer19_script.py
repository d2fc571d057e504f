"""What the stand-alone evaluate.py of PharmaCoNER prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.challenges.pharmaconer19_rules import LABEL, as_codes
from clineval.formats import brat_words
from clineval.mentions.columns import Side
from clineval.scripts import Output, ScriptRun

_RULE = "-" * 60 + "\n"
_FILES = r"\.(ann|tsv)$"
"""What the script reads in a directory, whatever it is asked for."""


class Track(str, Enum):
    """The sub-track."""

    ner = "ner"
    indexing = "indexing"


def pharmaconer(
    track: Annotated[Track, typer.Argument(metavar="ner|indexing", show_default=False)],
    gold: Annotated[Path, typer.Argument(help="Gold: directory or file.", show_default=False)],
    system: Annotated[Path, typer.Argument(help="System: directory or file.", show_default=False)],
    verbose: Annotated[bool, typer.Option("-v", help="Also the scores of each document.")] = False,  # noqa: FBT002
) -> ScriptRun:
    """Print what the stand-alone evaluate.py prints, but for its messages of lines and names.

    It keeps UNCLEAR as a label. Of two files it prints the scores of the document alone.
    """
    whole = system.is_dir() or gold.is_dir()
    name = system.name if system.is_dir() else system.parent.name

    def write(evaluation: Any) -> Iterator[Output]:
        if verbose or not whole:
            yield Output(format_documents(evaluation, track, name))
        if whole:
            yield Output(format_total(evaluation, track, name))

    found, golds = (_read(side, track) for side in (system, gold))
    return ScriptRun(track.value, found, golds, write, {"unclear": "kept"})


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"pharmaconer-2019": pharmaconer}
_TITLES = {Track.ner: "SubTrack 1 [NER]", Track.indexing: "SubTrack 2 [Indexing]"}
_VIEWS = {Track.ner: "strict", Track.indexing: "micro"}


def _read(side: Path, track: Track) -> Side:
    if track is Track.ner:
        return brat_words.read_side(side, LABEL.name, _FILES)
    return as_codes(side, _FILES)


def format_documents(evaluation: Any, track: Track, system: str) -> str:
    """The scores of each document in the order of their names, which ``ner`` does not tell."""
    counts = evaluation.counts
    parts = ["\n\n", _head(system), _line("Document ID", "Measure", "Micro"), _RULE]
    for name, at in sorted((name, at) for at, name in enumerate(counts.documents)):
        head = "" if track is Track.ner else name
        parts += [*_rows(counts, track, head, [at]), _RULE]
    return "".join(parts)


def format_total(evaluation: Any, track: Track, system: str) -> str:
    """The scores of all documents."""
    counts = evaluation.counts
    every = list(range(len(counts)))
    rows = _rows(counts, track, f"Total ({len(every)} docs)", every)
    title = _line(_TITLES[track], "Measure", "Micro")
    return "".join([" " * 70 + "\n", _head(system), title, _RULE, *rows, _RULE, "\n\n"])


def _head(system: str) -> str:
    return f"Report (SYSTEM: {system}):\n{_RULE}"


def _line(*cells: str) -> str:
    return "{:<35}{:<15}{:<20}\n".format(*cells)


def _rows(counts: Any, track: Track, head: str, at: list[int]) -> Iterator[str]:
    columns = [counts.columns.index(f"{_VIEWS[track]}_{v}") for v in ("tp", "fp", "fn")]
    tp, fp, fn = counts.table[at][:, columns].sum(axis=0).tolist()
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    both = precision + recall
    values = (precision, recall, 2 * precision * recall / both if both else 0.0)
    heads = (head, "", "")
    for first, name, value in zip(heads, ("Precision", "Recall", "F1"), values, strict=True):
        yield _line(first, name, f"{value:.4}")
