"""``clineval report``: the Workbench, a page that shows the errors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import with_options_of_challenges
from clineval.cli.score import Module, Protocol, show_progress
from clineval.errors import InputError


@with_options_of_challenges
def report(
    module: Module,
    gold: Annotated[
        Path, typer.Argument(help="Gold standard: directory or file.", show_default=False)
    ],
    pred: Annotated[
        Path, typer.Argument(help="Predictions: directory or file.", show_default=False)
    ],
    pred2: Annotated[
        Path | None,
        typer.Argument(help="A second system, to compare with the first.", show_default=False),
    ] = None,
    no_text: Annotated[
        bool,
        typer.Option(
            "--no-text",
            help="Offsets and codes only: not a character of any note, even if scoring reads them.",
        ),
    ] = False,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page.")] = Path("report.html"),
    store_measures: Annotated[
        Path | None,
        typer.Option(
            help="Also write the table of outcome measures, as CSV, to this file.",
            show_default=False,
        ),
    ] = None,
    config: Annotated[str, typer.Option(help="Which part of the challenge.")] = "default",
    protocol: Annotated[Protocol, typer.Option(help="Whose rules count.")] = Protocol.spec,
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
    from clineval.report.workbench import NOTES_APART, build_workbench

    notes = options.pop("texts", None) or options.get("records")
    if module in NOTES_APART and notes is None and not no_text:
        raise InputError(
            "expected --text DIR, to show the notes, or --no-text for offsets and codes only"
        )
    if options.get("overlap") == "word":
        options["texts"] = notes
    if notes is not None and "records" in find_challenge(module).options:
        options.setdefault("records", notes)
    with tracked_by(show_progress):
        workbench = build_workbench(
            module,
            gold,
            name_systems([pred, *([pred2] if pred2 else [])]),
            config=config,
            protocol=protocol.value,
            notes=notes,
            with_text=not no_text,
            **options,
        )
    _write(output, workbench.to_html())
    if store_measures:
        _write(store_measures, workbench.measures)


def _write(path: Path, content: str) -> None:
    path.write_text(content, "utf-8", newline="\n")
    typer.echo(f"wrote {path} ({path.stat().st_size / 1e6:.1f} MB)", err=True)


def name_systems(paths: list[Path]) -> dict[str, Path]:
    """Name systems by their files; two of the same name by their folders too."""
    names = [path.resolve().name for path in paths]
    if len(set(names)) < len(names):
        names = [f"{path.resolve().parent.name}/{path.resolve().name}" for path in paths]
    if len(set(names)) < len(names):
        raise InputError("the two systems are the same")
    return dict(zip(names, paths, strict=True))
