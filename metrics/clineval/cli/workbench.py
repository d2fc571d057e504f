"""``clineval report`` and ``clineval app``: the Workbench, as a page or as an application."""

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
from clineval.cli.terminal import show_progress, show_speed, split_name

_NO_NOTES = "expected --text DIR, to show the notes, or --no-text for offsets and codes only"


def report(
    module: shared.Module,
    gold: shared.Gold,
    preds: Annotated[
        list[str],
        argument(
            "Predictions, a directory or file for each system, or NAME=PATH; the first system is "
            "the one that others are compared with."
        ),
    ],
    no_text: Annotated[
        bool,
        typer.Option(
            "--no-text",
            help="Offsets and codes only: not a character of any note, even if scoring reads them.",
        ),
    ] = False,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page.")] = Path("report.html"),
    store_measures: Annotated[
        Path | None, option(None, "Also write the table of outcome measures, as CSV, to this file.")
    ] = None,
    texts: Annotated[
        Path | None,
        option(
            None,
            "The notes: a directory of .txt files, or .jsonl or .parquet with id and text. Not "
            "needed where they are beside the gold standard or in it.",
            "--text",
        ),
    ] = None,
    names: Annotated[
        Path | None,
        option(None, "Names of codes, shown wherever a code is: a CSV or TSV of code and name."),
    ] = None,
    print_documents: Annotated[
        list[str] | None,
        option(
            None,
            "Documents that are printed with the page, notes and all, instead of the open one: "
            "their names, with commas between them.",
        ),
    ] = None,
    train: Annotated[
        Path | None,
        option(
            GROUPS, "Gold standard of the training corpus, for groups of seen and unseen codes."
        ),
    ] = None,
    sections: Annotated[
        Path | None,
        option(
            GROUPS,
            "Sections of the notes, for groups by section, as 'clineval score --by section' has "
            "them.",
        ),
    ] = None,
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.Protocol.spec,
    dataset: shared.DatasetOption = None,
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
    **options: object,
) -> None:
    """Write one HTML file that leads from the scores to every error in its note.

    It works without a network: nothing is loaded from anywhere, and nothing is sent. Unless
    --no-text is given it holds the notes; treat it as you treat them.

    [bold]Examples[/bold]

      clineval report semeval15_task14 gold/ predicted/ --text notes/ -o report.html

      clineval report semeval15_task14 gold.jsonl before/ after/

      clineval report semeval15_task14 gold/ rules=a.jsonl ours=b.jsonl llm=c.jsonl --no-text

      clineval report clinais23_b2 gold.json predicted.json -o sections.html

      clineval report clefehealth13_task1 gold/ predicted/ --no-text --store-measures all.csv

      clineval report clinical_spans gold/ predicted/ --slots negated --cluster-by prefix
    """
    from clineval.base.progress import metered_by, tracked_by
    from clineval.formats.given.text_files import is_parquet
    from clineval.results.registry import find_challenge
    from clineval.workbench.build import build_workbench
    from clineval.workbench.page import import_jinja2
    from clineval.workbench.texts import as_options, may_hold_notes

    challenge = find_challenge(module)
    import_jinja2()  # rather than after minutes of scoring
    named = [options[name] for name in as_options(challenge, None) if name in options]
    notes = texts or next(iter(named), None)
    apart = challenge.faces.notes_apart and notes is None and not no_text
    if apart and not may_hold_notes(challenge, gold):
        raise InputError(_NO_NOTES)
    if apart and is_parquet(gold):
        notes = gold
    if notes is not None:
        options = {**as_options(challenge, notes), **options}
    settings = {"config": config, "protocol": protocol.value, **options}
    if dataset:
        settings["dataset"] = dataset
    systems = read_systems(preds)
    clusters = shared.choose_clusters(cluster, cluster_by)
    with tracked_by(show_progress), metered_by(show_speed):
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
    """Read systems by given names or those of files; of one name, by their folders' too."""
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
        argument("Where files can be chosen from; the bundled demo corpora unless given."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port; a free one from 7860 on unless given."),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
    labels: Annotated[
        list[str] | None,
        option(SCORED, "Labels that count, with commas between them, for metrics of any labels."),
    ] = None,
    slots: Annotated[
        list[str] | None, option(SCORED, "Slots that count, likewise, such as negated.")
    ] = None,
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
) -> None:
    """Choose or upload files in a browser, and see the report there.

    It serves this computer only (127.0.0.1) and asks no other host for anything. The address that
    it prints has a token: whoever does not know it, such as another user of this computer or a web
    page elsewhere, is refused. What it writes is removed when it ends (Ctrl-C, or the terminal is
    closed).

    [bold]Examples[/bold]

      clineval app

      clineval app my_corpus/ --open

      clineval app my_corpus/ --slots negated --cluster-by prefix
    """
    from clineval.workbench.app import launch
    from clineval.workbench.requests import Wishes

    shared.choose_clusters(cluster, cluster_by)  # refuses both, and what is wrong with either
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
            announce=lambda address: typer.echo(f"serving {address} (Ctrl-C ends it)", err=True),
        )


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """End as Ctrl-C does when stopped or left alone, so that nothing that was written stays."""
    names = ("SIGTERM", "SIGHUP")  # the second one comes when the terminal is closed
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]

    def end(*_: object) -> None:
        for known in signals:  # a shell may send its own after the system's
            signal.signal(known, signal.SIG_IGN)
        sys.exit()

    before = {known: signal.getsignal(known) for known in signals}
    for known, handler in before.items():
        if handler is not signal.SIG_IGN:  # as nohup asks
            signal.signal(known, end)
    try:
        yield
    finally:
        for known, handler in before.items():
            if signal.getsignal(known) is end:  # none came
                signal.signal(known, handler)
