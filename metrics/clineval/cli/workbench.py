"""``clineval report`` and ``clineval app``: the Workbench as a page or as an application."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.errors import InputError, heard_so_far
from clineval.base.escaping import visible
from clineval.base.files import real_path, write_file
from clineval.cli import options as shared
from clineval.cli.answers import take_answers
from clineval.cli.demo import copy_corpora
from clineval.cli.options import GROUPS, SCORED, argument, option
from clineval.cli.terminal import split_name

_NO_NOTES = "expected --text DIR to show the notes, or --no-text for offsets and codes only"


def report(
    module: shared.Module,
    gold: shared.Gold,
    preds: Annotated[
        list[str],
        argument(
            "Predictions: a directory or file for each system, or NAME=PATH. Other systems are "
            "compared with the first."
        ),
    ],
    no_text: Annotated[
        bool,
        typer.Option(
            "--no-text",
            help="Write offsets and codes only, and no text of a note, even if scoring reads it.",
        ),
    ] = False,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path(
        "report.html"
    ),
    store_measures: Annotated[
        Path | None, option(None, "Also write the table of outcome measures to this CSV file.")
    ] = None,
    texts: Annotated[
        Path | None,
        option(
            None,
            "The notes: a directory of .txt files, or a .jsonl or .parquet file with id and text. "
            "Not needed if they are next to the gold standard or in it.",
            "--text",
        ),
    ] = None,
    names: Annotated[
        Path | None,
        option(None, "Names to show with codes: a CSV or TSV file of code and name."),
    ] = None,
    print_documents: Annotated[
        list[str] | None,
        option(
            None,
            "Names of documents, separated by commas, to print with the page, with their notes, "
            "instead of the open document.",
        ),
    ] = None,
    train: Annotated[
        Path | None,
        option(
            GROUPS, "For groups of seen and unseen codes: the gold standard of the training corpus."
        ),
    ] = None,
    sections: Annotated[
        Path | None,
        option(
            GROUPS,
            "For groups by section: the sections of the notes, in the format of 'clineval score "
            "--by section'.",
        ),
    ] = None,
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.SPEC,
    dataset: shared.DatasetOption = None,
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
    **options: object,
) -> None:
    """Write an HTML file that shows the scores, and every error in its note.

    The file works offline: it loads nothing and sends nothing. Unless you pass --no-text, it
    contains the notes; protect it as you protect them.

    [bold]Examples[/bold]

      clineval report semeval15_task14 gold/ predicted/ --text notes/ -o report.html

      clineval report semeval15_task14 gold.jsonl before/ after/

      clineval report semeval15_task14 gold/ rules=a.jsonl ours=b.jsonl llm=c.jsonl --no-text

      clineval report clinais23_b2 gold.json predicted.json -o sections.html

      clineval report clefehealth13_task1 gold/ predicted/ --no-text --store-measures all.csv

      clineval report clinical_spans gold/ predicted/ --slots negated --cluster-by prefix
    """
    from clineval.formats.given.text_files import is_parquet
    from clineval.results.registry import find_challenge
    from clineval.workbench.build import build_workbench
    from clineval.workbench.page import import_jinja2
    from clineval.workbench.texts import as_options, may_hold_notes

    challenge = find_challenge(module)
    import_jinja2()  # an error should come before minutes of scoring
    named = [options[name] for name in as_options(challenge, None) if name in options]
    notes = texts or next(iter(named), None)
    apart = challenge.faces.notes_apart and notes is None and not no_text
    if apart and not may_hold_notes(challenge, gold):
        raise InputError(_NO_NOTES)
    if apart and is_parquet(gold):
        notes = gold
    if notes is not None:
        options = {**as_options(challenge, notes), **options}
    settings = {"config": config, "protocol": protocol, **options}
    if dataset:
        settings["dataset"] = dataset
    systems = read_systems(preds)
    clusters = shared.choose_clusters(cluster, cluster_by)
    found = take_answers(module, gold, systems, settings, notes=notes)
    workbench = build_workbench(
        module,
        found.references,
        found.systems,
        notes=notes if found.notes is None else found.notes,
        with_text=not no_text,
        train=train,
        sections=sections,
        names=names,
        printed=shared.split_names(print_documents),
        cluster=clusters,
        **found.options,
    )
    if apart and workbench.texts is None:
        raise InputError(_NO_NOTES)
    page = replace(workbench, warnings=heard_so_far()).to_bytes()
    holds_notes = any(text is not None for text in workbench.texts or ())
    _write(output, page, f", {'with' if holds_notes else 'without'} the notes")
    if store_measures:
        _write(store_measures, workbench.measures)


def _write(path: Path, content: str | bytes, more: str = "") -> None:
    write_file(path, content)
    size = f"({path.stat().st_size / 1e6:.1f} MB)"
    typer.echo(f"{visible(f'wrote {path}')} {size}{more}", err=True)


def read_systems(texts: Sequence[str]) -> dict[str, Path]:
    """Read systems by their names: those given, or file names, with folders if names repeat."""
    split = [split_name(text) for text in texts]
    paths = [real_path(Path(path)) for _, path in split]
    short = [path.name for path in paths]
    long = [f"{path.parent.name}/{path.name}" for path in paths]
    for of_files in (short, long):
        names = [name or other for (name, _), other in zip(split, of_files, strict=True)]
        if len(set(names)) == len(names):
            return {name: Path(path) for name, (_, path) in zip(names, split, strict=True)}
    raise InputError("two systems have the same name", remedy="Name them: NAME=PATH")


def app(
    folder: Annotated[
        Path | None,
        argument("The folder to choose files from; by default the bundled demo corpora."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port; by default the first free one from 7860."),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in your browser.")
    ] = False,
    labels: Annotated[
        list[str] | None,
        option(SCORED, "For metrics with any labels: the labels to score, separated by commas."),
    ] = None,
    slots: Annotated[
        list[str] | None,
        option(SCORED, "The slots to score, separated by commas, such as negated."),
    ] = None,
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
) -> None:
    """Choose or upload files in a browser, and see the report there.

    The application serves this computer only (127.0.0.1) and contacts no other host. The address
    that it prints contains a token. Requests without the token, from other users of this computer
    or from web pages, are rejected. The application removes its files when it ends (press Ctrl-C
    or close the terminal).

    [bold]Examples[/bold]

      clineval app

      clineval app my_corpus/ --open

      clineval app my_corpus/ --slots negated --cluster-by prefix
    """
    from clineval.workbench.app import launch
    from clineval.workbench.requests import Wishes

    shared.choose_clusters(cluster, cluster_by)  # rejects both together and bad values
    wishes = Wishes(
        ",".join(shared.split_names(labels)),
        ",".join(shared.split_names(slots)),
        cluster_by or "",
        cluster,
    )

    with _ending_in_order():
        launch(
            folder,
            copy_demo=copy_corpora,
            port=port,
            open_browser=open_browser,
            wishes=wishes,
            announce=lambda address: typer.echo(f"serving {address} (Ctrl-C to stop)", err=True),
        )


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP like Ctrl-C, so that temporary files are removed."""
    names = ("SIGTERM", "SIGHUP")  # closing the terminal sends SIGHUP
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]

    def end(*_: object) -> None:
        for known in signals:  # a shell may send its signal after the system's
            signal.signal(known, signal.SIG_IGN)
        sys.exit()

    before = {known: signal.getsignal(known) for known in signals}
    for known, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup ignores SIGHUP
            signal.signal(known, end)
    try:
        yield
    finally:
        for known, handler in before.items():
            if signal.getsignal(known) is end:  # no signal came
                signal.signal(known, handler)
