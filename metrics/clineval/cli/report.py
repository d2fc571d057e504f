"""``clineval report``: the Workbench, a page that shows the errors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.answers import take_answers
from clineval.cli.options import Config, Gold, Module, Protocol, ProtocolOption, argument, option
from clineval.cli.terminal import show_progress
from clineval.errors import InputError
from clineval.notations import visible


def report(
    module: Module,
    gold: Gold,
    pred: Annotated[Path, argument("Predictions: directory or file.")],
    pred2: Annotated[Path | None, argument("A second system, to compare with the first.")] = None,
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
    texts: Annotated[Path | None, option(None, "Directory of the notes.", "--text")] = None,
    config: Config = "default",
    protocol: ProtocolOption = Protocol.spec,
    **options: Any,
) -> None:
    """Write one HTML file that leads from the scores to every error in its note.

    It works without a network: nothing is loaded from anywhere, and nothing is sent. Unless
    --no-text is given it holds the notes; treat it as you treat them.

    [bold]Examples[/bold]

      clineval report semeval15_task14 gold/ predicted/ --text notes/ -o report.html

      clineval report semeval15_task14 gold/ before/ after/ --text notes/

      clineval report clinais23_b2 gold.json predicted.json -o sections.html

      clineval report clefehealth13_task1 gold/ predicted/ --no-text --store-measures all.csv
    """
    from clineval.progress import tracked_by
    from clineval.registry import find_challenge
    from clineval.workbench.build import build_workbench
    from clineval.workbench.texts import as_options

    challenge = find_challenge(module)
    given = [options[name] for name in as_options(challenge, None) if name in options]
    notes = texts or next(iter(given), None)
    if challenge.notes_apart and notes is None and not no_text:
        raise InputError(
            "expected --text DIR, to show the notes, or --no-text for offsets and codes only"
        )
    if notes is not None:
        options = {**as_options(challenge, notes), **options}
    asked = {"config": config, "protocol": protocol.value, **options}
    systems = name_systems([pred, *([pred2] if pred2 else [])])
    with tracked_by(show_progress):
        found = take_answers(module, gold, systems, asked, notes=notes)
        workbench = build_workbench(
            module,
            found.references,
            found.systems,
            notes=notes if found.notes is None else found.notes,
            with_text=not no_text,
            **found.options,
        )
    _write(output, workbench.to_html())
    if store_measures:
        _write(store_measures, workbench.measures)


def _write(path: Path, content: str) -> None:
    from clineval.paths import write_file

    write_file(path, content)
    typer.echo(visible(f"wrote {path}") + f" ({path.stat().st_size / 1e6:.1f} MB)", err=True)


def name_systems(paths: list[Path]) -> dict[str, Path]:
    """Name systems by their files; two of the same name by their folders too."""
    names = [path.resolve().name for path in paths]
    if len(set(names)) < len(names):
        names = [f"{path.resolve().parent.name}/{path.resolve().name}" for path in paths]
    if len(set(names)) < len(names):
        raise InputError("the two systems are the same")
    return dict(zip(names, paths, strict=True))
