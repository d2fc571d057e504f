"""``clineval reproduce``: compute published results again, and compare the scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.base.errors import InputError
from clineval.cli import options as shared
from clineval.cli.options import argument, option
from clineval.cli.terminal import WIDE, show
from clineval.results.registry import is_known

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.results.known.published import Collection


def complete_published(context: typer.Context, incomplete: str) -> list[str]:
    """List the sets of results of the metric for the shell's completion."""
    from clineval.results.known.published import find_published, list_sets

    module = context.params.get("module") or ""
    try:
        sets = list_sets(find_published(module)) if is_known(module) else []
    except InputError:
        return []
    return [name for name in sets if name.startswith(incomplete)]


def reproduce(
    module: shared.Module,
    results: Annotated[
        str,
        argument(
            "Only these results: a gold standard, such as test-scenario1, or the name of a "
            "collection. By default, all.",
            metavar="[SET]",
            autocompletion=complete_published,
        ),
    ] = "",
    files: Annotated[
        Path | None,
        option(
            None,
            "Take the outputs from this directory instead of the downloads. It has a directory for "
            "each collection, as from 'git clone', or as 'clineval datasets get --systems -o' "
            "writes it.",
            "--files",
        ),
    ] = None,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
) -> None:
    """Compute published results again from the systems' outputs, and say which rows agree.

    A row agrees if protocol official gives all its published numbers, rounded to the printed
    digits. The other rows say why: they differ for a known reason, they differ, or they could not
    be computed here. Nothing is downloaded: get the outputs with 'clineval datasets get MODULE/SET
    --systems', and the gold standard with 'clineval datasets get MODULE/SET'.

    Exit status: 0 if no computed row differs without a known reason, 1 if one does, 2 for invalid
    input.

    [bold]Examples[/bold]

      clineval reproduce ehealthkd20 test-scenario1

      clineval reproduce bc5cdr --files files/ --format markdown
    """
    from clineval.base.files import find_directory
    from clineval.evaluation.outputs import home_of
    from clineval.hub.reproduced import verdicts
    from clineval.results.known.published import find_published

    folder = None if files is None else find_directory(files)

    def locate(collection: Collection) -> Path:
        return home_of(collection) if folder is None else folder / collection.name

    found = verdicts.reproduce(find_published(module, results), locate)
    show(verdicts.lay_out(module, found), format.value, WIDE)
    differs = any(row.verdict == verdicts.DIFFERS for of in found for row in of.rows)
    raise typer.Exit(int(differs))
