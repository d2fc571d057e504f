"""``python -m clineval.hub.reproduced [FILES]``: score the files in a folder, update the pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.errors import InputError, agree
from clineval.base.files import find_directory, write_file
from clineval.hf.cards import find_card
from clineval.hub.reproduced.pages import describe, renew_card, renew_page
from clineval.hub.reproduced.scoring import is_here, list_missing, score_collections
from clineval.results.known.published import (
    Collection,
    Ranking,
    list_published,
    write_collections,
)
from clineval.results.registry import NAMES, find_challenge


def find_page() -> Path:
    """Return the page of results, in the source tree.

    Raises:
        InputError: the installation does not contain it.
    """
    path = find_card(NAMES[0]).parents[1] / "reproduced" / "README.md"
    if not path.is_file():
        raise InputError("expected clineval's source tree", remedy="Check out the repository")
    return path


def read_results() -> dict[str, tuple[Collection, ...]]:
    """Return the published results of each challenge that has some, by its name."""
    found = {name: list_published(find_challenge(name)) for name in NAMES}
    return {name: collections for name, collections in found.items() if collections}


def renew_pages(results: Mapping[str, Sequence[Collection]]) -> Mapping[Path, str]:
    """Return the page and the cards for the results, as a dict from path to text."""
    page = find_page()
    cards = {find_card(name): name for name in NAMES}
    return {page: renew_page(page.read_text("utf-8"), results)} | {
        path: renew_card(path.read_text("utf-8"), results.get(name, ()), name)
        for path, name in cards.items()
    }


def main(
    files: Annotated[Path | None, typer.Argument(help="Has a folder for each collection.")] = None,
    *,
    check: Annotated[bool, typer.Option("--check", help="Write nothing.")] = False,
) -> None:
    """Score the files in a folder, and update results, page and cards.

    Without a folder, update page and cards from the existing results.

    Exit status: 1 with --check if a file would change, 2 for bad input, otherwise 0.
    """
    try:
        changed = _renew(files, check=check)
    except InputError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    raise typer.Exit(int(check and changed))


def _renew(files: Path | None, *, check: bool) -> bool:
    """Update the files unless ``check``; return whether results or pages change."""
    before = now = read_results()
    if files is not None:
        folder = find_directory(files)
        now = {name: tuple(score_collections(of, folder)) for name, of in before.items()}
        for name in now:
            _report(before[name], now[name], files)
    pages = renew_pages(now)
    changed = now != before or any(page.read_text("utf-8") != text for page, text in pages.items())
    if not check:
        for name, collections in now.items():
            write_collections(find_challenge(name).task.published, collections)
        for page, text in pages.items():
            write_file(page, text)
    return changed


def _report(before: Iterable[Collection], now: Iterable[Collection], files: Path) -> None:
    for old, new in zip(before, now, strict=True):
        typer.echo(new.name)
        for was, ranking in zip(old.rankings, new.rankings, strict=True):
            changed = "" if ranking == was else " Changed."
            typer.echo(f"  {ranking.title}: {_say(ranking, files / new.name)}{changed}")


def _say(ranking: Ranking, folder: Path) -> str:
    """Return a sentence about the computed results, or the reason why there are none."""
    if is_here(ranking, folder):
        return describe([ranking])
    missing = list_missing(ranking, folder)
    if not missing:
        return "Not computed: no output is public."
    if not folder.is_dir():
        return "Not computed: the folder does not exist."
    return agree(f"Not computed: {{n}} {{file is|files are}} missing: {missing[0]}", len(missing))


if __name__ == "__main__":
    typer.run(main)
