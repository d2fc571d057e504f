"""Print what the released evaluate.py of MEDDOCAN prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.errors import InputError, agree, listed
from clineval.base.files import name_path
from clineval.challenges.meddocan19.sentences import MISSING, Cases, parse_sentences
from clineval.kinds.mentions.columns import Side
from clineval.kinds.pages import Scored
from clineval.programs.iberlef_report import Report, no_more
from clineval.results.columns import MentionColumns
from clineval.results.scripts import Output, ScriptRun

_NO_SYSTEM = Side((), (), MentionColumns.labelled([], "label"))


class Format(StrEnum):
    """The format of the files."""

    brat = "brat"
    i2b2 = "i2b2"


class Track(StrEnum):
    """The sub-track."""

    ner = "ner"
    spans = "spans"


def meddocan(  # noqa: PLR0917 - the script's options
    form: Annotated[Format, typer.Argument(metavar="brat|i2b2", show_default=False)],  # noqa: ARG001
    track: Annotated[Track, typer.Argument(metavar="ner|spans", show_default=False)],
    gold: Annotated[Path, typer.Argument(help="Gold: directory or file.", show_default=False)],
    system: Annotated[Path, typer.Argument(help="System: directory or file.", show_default=False)],
    verbose: Annotated[bool, typer.Option("-v", help="Add the scores of each document.")] = False,  # noqa: FBT002
    sentences: Annotated[
        Path, typer.Option(help="Directory of files with the sentences of each document.")
    ] = Path("annotated_corpora/sentence_splitted"),
) -> ScriptRun:
    """Print what evaluate.py prints, except its messages about lines and types.

    If both arguments are files, print only the scores of this document.
    """
    whole = system.is_dir() or gold.is_dir()
    titles = _TITLES[track]

    def write(evaluation: Scored[Cases, object]) -> Iterator[Output]:
        name = system.name if system.is_dir() else system.parent.name
        sentences = evaluation.corpus.sentences
        numbers = [] if sentences is None else sentences.tolist()

        def leak(missed: float, rows: Sequence[int]) -> Iterator[tuple[str, str]]:
            return _leak(missed, [numbers[row] for row in rows])

        for title, counted in titles.items():
            more = leak if counted == "strict" else no_more
            report = Report(name, evaluation.counts, counted, more)
            yield from report.write(title, verbose=verbose, whole=whole)

    for side in (gold, system):
        _check_texts(side)
    found = parse_sentences(sentences) if sentences.is_dir() else parse_sentences({})
    options = {"sentences": found}
    if system.is_dir() and not any(system.iterdir()):  # the script prints nothing
        return ScriptRun(track.value, _NO_SYSTEM, gold, lambda _: (), options)
    return ScriptRun(track.value, system, gold, write, options)


def _check_texts(side: Path) -> None:
    """Reject brat files without texts, because the script always reads the texts."""
    files = [side] if side.suffix == ".ann" else sorted(side.glob("*.ann"))
    missing = [file.name for file in files if not file.with_suffix(".txt").is_file()]
    if missing:
        problem = agree("the {text|texts} of {n} {file is|files are} missing", len(missing))
        raise InputError(
            f"{problem}, so the released script stops: {listed(missing)}",
            where=name_path(side),
        )


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"meddocan-2019": meddocan}
_TITLES = {
    Track.ner: {"SubTrack 1 [NER]": "strict"},
    Track.spans: {"SubTrack 2 [strict]": "span", "SubTrack 2 [merged]": "merged"},
}


def _leak(missed: float, sentences: Sequence[int]) -> Iterator[tuple[str, str]]:
    known = MISSING not in sentences
    yield "Leak", f"{missed / sum(sentences) if sum(sentences) else 0.0:.4}" if known else "NA"
