"""``python -m spacy clin``: evaluate pipelines, convert files, list presets.

spaCy imports this for every one of its commands, so it needs nothing but spaCy and typer.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from spacy.cli._util import app as spacy_app

if TYPE_CHECKING:
    from clineval.scores import Score

app = typer.Typer(
    name="clin",
    help="Score pipelines by the metrics of the clinical NLP challenges.",
    no_args_is_help=True,
)
spacy_app.add_typer(app)


class Given(str, Enum):
    """What of the gold standard the pipeline is given."""

    nothing = "nothing"
    spans = "spans"
    codes = "spans+codes"


class Format(str, Enum):
    """How scores are written."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


Challenge = Annotated[str, typer.Option(help="The metric; see 'clineval list'.")]
Text = Annotated[
    Path | None,
    typer.Option(help="Directory of the notes, where the data lack them.", show_default=False),
]
Getter = Annotated[
    str,
    typer.Option(help="Where the annotation is: a preset, or settings as JSON or in a .json file."),
]


@contextmanager
def _messages() -> Iterator[None]:
    """Bad input as a message and status 2, and warnings about it as lines, each once."""
    from clineval.errors import InputError, InputWarning

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
    challenge: Challenge = "semeval15_task14",
    config: Annotated[str, typer.Option(help="Which part of the challenge.")] = "default",
    protocol: Annotated[str, typer.Option(help="spec or official.")] = "spec",
    gold: Getter = "clin",
    pred: Getter = "spacy",
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
    """Run a pipeline on gold documents and score what it finds.

    With the component clin_converter in the pipeline, say --pred clin.
    """
    from spacy.cli._util import import_code

    import_code(code)
    with _messages():
        from clineval.report.tables import find_writer
        from spacy_clin.evaluation import run_and_score

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
        from clineval.registry import find_challenge

        as_json = find_writer("json", find_challenge(challenge))
        if output is not None:
            output.write_text(f"{as_json(score)}\n", "utf-8")
        if format is Format.table:
            _print(score)
        else:
            typer.echo(find_writer(format.value, find_challenge(challenge))(score))


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="What to convert.")],
    target: Annotated[Path, typer.Argument(help="Where to: a .spacy file, or the challenge's.")],
    challenge: Challenge = "semeval15_task14",
    getter: Getter = "clin",
    text: Text = None,
    language: Annotated[str, typer.Option(help="spaCy's tokenizer.")] = "en",
    predicted: Annotated[
        bool, typer.Option("--predicted", help="Where files hold both sides, the predicted one.")
    ] = False,
) -> None:
    """Convert a challenge's files to .spacy, or the Docs of .spacy to the challenge's files."""
    with _messages():
        import spacy

        from spacy_clin.files import DOCBIN, read_docs, write_docbin, write_docs

        side = "predictions" if predicted else "references"
        nlp = spacy.blank(language)
        docs = list(read_docs(source, nlp.make_doc, challenge, text=text, side=side))
        if target.suffix == DOCBIN:
            write_docbin(docs, target)
        else:
            write_docs(docs, target, challenge, getter=_settings(getter), side=side)
        typer.echo(f"{target}: {len(docs)} documents")


@app.command()
def presets(
    name: Annotated[str | None, typer.Argument(help="Only this one.", show_default=False)] = None,
) -> None:
    """List the presets: what each reads, and which slots it leaves at their defaults."""
    with _messages():
        from rich.console import Console

        from clineval.registry import check_name
        from spacy_clin.presets import PRESETS, tabulate

        if name is not None:
            check_name("preset", name, PRESETS)
        console = Console(width=None if sys.stdout.isatty() else 100, highlight=False)
        for known in [name] if name else PRESETS:
            console.print(tabulate(known))


def _settings(given: str) -> Any:
    """A preset's name, or settings from JSON."""
    import json

    from clineval.errors import InputError

    path = Path(given)
    content = path.read_text("utf-8") if path.suffix == ".json" and path.is_file() else given
    if not content.lstrip().startswith("{"):
        return given
    try:
        return json.loads(content)
    except ValueError:
        raise InputError("settings of a getter that are no JSON", where=given[:40]) from None


def _print(score: Score) -> None:
    from rich.console import Console

    from clineval.report.tables import WIDTH, print_score

    print_score(Console(width=None if sys.stdout.isatty() else WIDTH), score)
