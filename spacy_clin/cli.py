"""``python -m spacy clin``: evaluate pipelines, list presets.

spaCy imports this file for each of its commands, so it needs only spaCy and typer.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import spacy
import typer
from spacy.cli._util import app as spacy_app
from spacy.language import Language

if TYPE_CHECKING:
    from clineval.results.scores import Score
    from spacy_clin.presets import ReaderConfig

app = typer.Typer(
    name="clin",
    help="Score pipelines by the metrics of the clinical NLP challenges.",
    no_args_is_help=True,
)
spacy_app.add_typer(app)

_ALL_PROCESSORS = -1


class Given(StrEnum):
    """The part of the gold standard that the pipeline receives."""

    nothing = "nothing"
    spans = "spans"
    codes = "spans+codes"


class Format(StrEnum):
    """A notation of scores."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


Challenge = Annotated[
    str, typer.Option(help="The metric; see 'clineval list'.", show_default=False)
]
Text = Annotated[
    Path | None,
    typer.Option(help="Directory of the notes, if the data lack them.", show_default=False),
]
Getter = Annotated[
    str,
    typer.Option(help="Where the annotation is: a preset, or settings as JSON or in a .json file."),
]


@contextmanager
def _messages() -> Iterator[None]:
    """Print input errors as a message with exit code 2, and each warning once, on a line."""
    from clineval.base.errors import InputError, InputWarning
    from clineval.base.escaping import ESCAPES

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPES)
    with warnings.catch_warnings():
        warnings.simplefilter("once", InputWarning)
        warnings.showwarning = lambda message, *_, **__: typer.echo(
            f"spacy clin: warning: {message}", err=True
        )
        try:
            yield
        except InputError as error:
            typer.echo(f"spacy clin: {error}", err=True)
            raise typer.Exit(2) from None


@app.command()
def evaluate(
    model: Annotated[str, typer.Argument(help="Name or path of the pipeline.")],
    data: Annotated[
        Path, typer.Argument(help="Gold standard: .spacy, the challenge's files, brat or .jsonl.")
    ],
    challenge: Challenge = "",
    config: Annotated[str, typer.Option(help="The part of the challenge.")] = "default",
    protocol: Annotated[str, typer.Option(help="A protocol of the metric.")] = "spec",
    gold: Getter = "clin",
    pred: Getter = "auto",
    given: Annotated[
        Given, typer.Option(help="Gold mentions that the pipeline starts from (Task 2a: spans).")
    ] = Given.nothing,
    text: Text = None,
    format: Annotated[Format, typer.Option(help="How to write the scores.")] = Format.table,  # noqa: A002
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the scores here, as JSON.")
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(help="Also write the predictions here, in the challenge's format."),
    ] = None,
    code: Annotated[
        Path | None,
        typer.Option("--code", "-c", help="Python file to import first, with components."),
    ] = None,
    n_process: Annotated[int, typer.Option("--n-process", help="Number of processes.")] = 1,
) -> None:
    """Run a pipeline on gold documents and score its predictions.

    By default (--pred auto), predictions come from the challenge's span group, or from entities
    if there is no such group.
    """
    from spacy.cli._util import import_code

    import_code(code)
    with _messages():
        from clineval.base.files import write_file
        from clineval.results.grids import find_writer
        from clineval.results.tables import console_of, print_sheet

        score = run_and_score(
            model,
            data,
            challenge,
            gold=_settings(gold),
            pred=_settings(pred),
            config=config,
            protocol=protocol,
            given=given.value,
            text=text,
            predictions=predictions,
            n_process=n_process,
        )

        as_json = find_writer("json", score.challenge)
        if output is not None:
            write_file(output, f"{as_json(score)}\n")
        if format is Format.table:
            print_sheet(console_of(), score.sheet())
        else:
            typer.echo(find_writer(format.value, score.challenge)(score))


def run_and_score(
    model: str | Language,
    data: Path,
    challenge: str = "",
    *,
    given: str = "nothing",
    text: Path | None = None,
    predictions: Path | None = None,
    pred: ReaderConfig = "auto",
    n_process: int = 1,
    **settings: Any,
) -> Score:
    """Score a pipeline; Docs are never copied, so extensions may hold any value.

    Args:
        model: the pipeline, or its name or path.
        data: the files, as for the corpus reader.
        challenge: the metric; if empty, the default challenge.
        given: the part of the gold standard that the pipeline receives, as for the corpus reader.
        text: directory of the notes, if the files lack the texts.
        predictions: the path to which predictions are written, in the challenge's format; None for
            no file.
        pred: the place of the predicted annotation.
        n_process: the number of processes, 1 or more; -1 for all processors.
        settings: further arguments of :func:`spacy_clin.score_docs`.
    """
    from clineval.base.errors import InputError, shown
    from spacy_clin import guards
    from spacy_clin.files import make_corpus, write_docs
    from spacy_clin.kinds import DEFAULT
    from spacy_clin.scoring import score_docs

    challenge = challenge or DEFAULT
    if n_process < 1 and n_process != _ALL_PROCESSORS:
        problem = f"n_process: expected 1 or more, or -1 for all processors, got {shown(n_process)}"
        raise InputError(problem)
    nlp = _load(model)
    examples = list(make_corpus(data, challenge=challenge, text=text, given=given)(nlp))
    golds = [example.reference for example in examples]
    docs = [example.predicted for example in examples]
    preds = guards.sent(lambda: list(nlp.pipe(docs, n_process=n_process)))
    if predictions is not None:
        write_docs(preds, predictions, challenge, getter=pred, names=guards.name_documents(golds))
    return score_docs(golds, preds, challenge, pred=pred, **settings)


def _load(model: str | Language) -> Language:
    if isinstance(model, Language):
        return model
    from clineval.base.errors import InputError
    from clineval.base.files import name_path

    try:
        return spacy.load(model)
    except OSError:
        raise InputError(
            "no such pipeline",
            where=name_path(model),
            remedy="Pass the name of a package or a directory",
        ) from None


@app.command()
def presets(
    name: Annotated[str | None, typer.Argument(help="Only this one.", show_default=False)] = None,
) -> None:
    """List the presets: the attributes that each reads, and the slots that keep their defaults."""
    with _messages():
        from clineval.results.options import check_name
        from clineval.results.tables import console_of
        from spacy_clin.presets import PRESETS, tabulate

        if name is not None:
            check_name("preset", name, PRESETS)
        console = console_of(highlight=False)
        for known in [name] if name else PRESETS:
            console.print(tabulate(known))


def _settings(given: str) -> Any:
    """Return the name of a preset, or settings from JSON."""
    from clineval.base.files import read_json
    from clineval.base.strict_json import expect_json

    if given.endswith(".json"):
        return read_json(given)
    if not given.lstrip().startswith("{"):
        return given
    return expect_json(given, "settings of a getter as JSON", "")
