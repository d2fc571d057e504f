"""Collect the sources of the site in ``build/docs``, then build or serve the site.

Warnings of any library are failures, such as those of Griffe, which reads the docstrings.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
from pathlib import Path

import zensical.main

from assembly import signatures
from assembly.definitions import write_code
from assembly.modules import MARK, write_groups
from assembly.notebooks import render
from assembly.pages import ROOT, Page, list_sections
from assembly.rewriting import links_of, rewrite, title_of
from assembly.signatures import write_form

BUILD = ROOT / "build" / "docs"
PAGES = BUILD / "pages"
STYLE = ROOT / "docs" / "style"
COMPARABLE = ROOT / "metrics" / "clineval" / "workbench" / "web" / "comparable.js"
"""The script that compares signatures, which the site shares with the Workbench."""
CITATION = "start.html#how-to-cite"
NAVIGATION = "nav = []"
"""The line of docs/zensical.toml that the list of pages replaces."""


def assemble() -> None:
    """Write all pages, the files that they show or link to, and Zensical's configuration."""
    shutil.rmtree(PAGES, ignore_errors=True)
    sections = {name: {page: _read(page) for page in pages} for name, pages in list_sections()}
    texts = {page: text for pages in sections.values() for page, text in pages.items()}
    targets = {page.source: page.target for page in texts}
    for page in texts:
        targets |= _list_beside(page)
    for page, text in texts.items():
        targets |= {file: _copy(file) for file in links_of(text, page.source) - targets.keys()}
        _write(page.target, rewrite(text, page.source, targets))
    shutil.copytree(STYLE, PAGES / "style")
    shutil.copy(COMPARABLE, PAGES / "style")
    titles = {
        name: {page.title or title_of(text): page.target for page, text in pages.items()}
        for name, pages in sections.items()
    }
    titles["Project"]["How to cite"] = CITATION
    settings = (ROOT / "docs" / "zensical.toml").read_text("utf-8")
    BUILD.joinpath("zensical.toml").write_text(_configure(settings, titles), "utf-8")


def _read(page: Page) -> str:
    """Return the text of a page in Markdown; copy a notebook and its pictures next to it."""
    path = ROOT / page.source
    if path.suffix != ".ipynb":
        text = page.read().replace(MARK, write_groups()).replace(signatures.MARK, write_form())
        return text + write_code(page.source)
    rendered = render(path)
    folder = (PAGES / page.target).parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in rendered.pictures.items():
        folder.joinpath(name).write_bytes(content)
    shutil.copy(path, folder)
    return rendered.text


def _list_beside(page: Page) -> dict[str, str]:
    """Return the places of a notebook and its pictures in the site."""
    source, target = Path(page.source).parent, Path(page.target).parent
    files = (PAGES / target).glob(f"{Path(page.target).stem}*")
    return {(source / file.name).as_posix(): (target / file.name).as_posix() for file in files}


def _copy(file: str) -> str:
    """Copy a file that a page shows or links to; return its place in the site."""
    path = Path("files", file if Path(file).suffix else f"{file}.txt")
    PAGES.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / file, PAGES / path)
    return path.as_posix()


def _write(target: str, text: str) -> None:
    path = PAGES / target
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _configure(settings: str, titles: dict[str, dict[str, str]]) -> str:
    """Return Zensical's configuration with the navigation and the address of the site."""
    rows = [f"  {_table(name, _list(pages))}," for name, pages in titles.items() if pages]
    return settings.replace(NAVIGATION, "\n".join([*_list_addresses(), "nav = [", *rows, "]"]))


def _list(pages: dict[str, str]) -> str:
    return f"[{', '.join(_table(title, json.dumps(path)) for title, path in pages.items())}]"


def _table(name: str, value: str) -> str:
    return f"{{ {json.dumps(name)} = {value} }}"


def _list_addresses() -> list[str]:
    """Return the addresses of the site and the repository, if GitHub builds the site."""
    repository = os.environ.get("GITHUB_REPOSITORY")
    if not repository:
        return []
    owner, _, name = repository.partition("/")
    return [
        f'site_url = "https://{owner.lower()}.github.io/{name}/"',
        f'repo_url = "https://github.com/{repository}"',
    ]


class Complaints(logging.Handler):
    """Collect messages that are logged as warnings or errors."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Add a message."""
        self.found.append(record.getMessage())


def main(*arguments: str) -> None:
    """Assemble the sources and run Zensical: ``build``, or ``serve`` with its own options."""
    assemble()
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    command, *options = arguments or ("build", "--strict", "--clean")
    where = ["--config-file", str(BUILD / "zensical.toml")]
    zensical.main.cli([command, *where, *options], standalone_mode=False)
    if complaints.found:
        sys.exit("\n".join(["The site has faults:", *complaints.found]))


if __name__ == "__main__":
    main(*sys.argv[1:])
