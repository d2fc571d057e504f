"""List the pages of the site: their files in the repository, their places and their order.

Its pages are the manuals, the cards and the notebooks. Only the files in ``docs`` are written for
the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from clineval.results.registry import NAMES

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("hub_cards", "metrics", "spacy_clin")
MANUALS = (
    "metrics/clineval/training/README.md",
    "spacy_clin/README.md",
    "hub_cards/spanish/README.md",
    "metrics/clineval/answers/README.md",
    "metrics/clineval/harness/README.md",
    "metrics/clineval/evaluation/analysis/README.md",
    "metrics/clineval/stats/README.md",
    "metrics/clineval/workbench/README.md",
    "metrics/clineval/evaluation/counting/README.md",
    "metrics/clineval/results/README.md",
    "metrics/clineval/results/known/README.md",
    "hub_cards/README.md",
)
RESULTS = ("hub_cards/other_scorers/README.md", "hub_cards/reproduced/README.md")
REFERENCE = ("clineval", "spacy_clin", "training", "answers", "hf")
PROJECT = ("CHANGELOG.md", "metrics/README.md", "tests/README.md")
TUTORIALS = ("brat_files", "trainer", "spacy_pipeline", "language_model", "own_benchmark")


@dataclass(frozen=True, slots=True)
class Page:
    """A page.

    Args:
        source: the file in the repository, relative.
        target: the file in the site, relative.
        title: the name in the navigation, if it is not the heading.
    """

    source: str
    target: str
    title: str = ""

    def read(self) -> str:
        """Return the text of the file."""
        return (ROOT / self.source).read_text("utf-8")


HOME = Page("docs/home.md", "index.md", "Home")
START = Page("README.md", "start.md", "Get started")
FIRST = [
    HOME,
    START,
    Page("docs/own_data.md", "own_data.md"),
    Page("docs/hierarchies.md", "hierarchies.md"),
    Page("docs/organisers.md", "organisers.md"),
    Page("docs/glossary.md", "glossary.md"),
]
"""The pages of the section Home."""


def list_sections() -> Iterator[tuple[str, list[Page]]]:
    """Yield the sections of the site in order, with their pages."""
    yield "Home", FIRST
    yield "Tutorials", _place([f"docs/tutorials/{name}.ipynb" for name in TUTORIALS], "tutorials")
    yield "Challenges", _place([f"hub_cards/{name}/README.md" for name in NAMES], "challenges")
    yield "Manuals", _place([*MANUALS, *_list_other_manuals()], "manuals")
    yield "Results", _place(RESULTS, "results")
    yield "Reference", _place([f"docs/reference/{name}.md" for name in REFERENCE], "reference")
    known = {*PROJECT, *(page.source for page in FIRST)}
    others = [path for path in sorted([*_find("*.md"), *_find("docs/*.md")]) if path not in known]
    yield "Project", _place([*PROJECT, *others], "project")


def _list_other_manuals() -> list[str]:
    """List the manuals that :data:`MANUALS` does not name."""
    placed = {*MANUALS, *RESULTS, *PROJECT, *(f"hub_cards/{name}/README.md" for name in NAMES)}
    found = [path for folder in FOLDERS for path in _find(f"{folder}/**/README.md")]
    return sorted({*found} - placed)


def _find(pattern: str) -> Iterator[str]:
    return (path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))


def _place(sources: Iterable[str], section: str) -> list[Page]:
    return [Page(source, f"{section}/{_name(source)}.md") for source in sources]


def _name(source: str) -> str:
    """Name a README after its folder, and any other file after itself."""
    path = Path(source)
    return path.parent.name if path.name == "README.md" else path.stem.lower()
