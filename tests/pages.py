"""The project's pages: every README.md, and the code blocks in them.

What a block's language says:

- ``sh``: commands; ``console``: commands with their output; ``pycon``: examples. They run in
  ``tests/documentation``, page by page.
- ``bash``, ``python``, ``ini``: parts of a training run, or a whole file. They belong to the pages
  in ``OWN_TESTS``, whose own tests run them: they take time, or packages that only some make
  targets install.
- ``bibtex``: compared with what the code cites, in ``tests/hub`` and ``tests/documentation``.
"""

import re

from conftest import ROOT

from clineval.results.registry import NAMES

FOLDERS = ("hub_cards", "metrics", "spacy_clin")
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in [ROOT / "README.md"]
    + [page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("README.md"))]
]
OTHERS = [
    path.relative_to(ROOT).as_posix()
    for folder in (ROOT, ROOT / "docs")
    for path in sorted(folder.glob("*.md"))
    if path.name != "README.md"
]
"""What else people read of the project."""
CARDS = [f"hub_cards/{name}/README.md" for name in NAMES]
OWN_TESTS = {
    "metrics/clineval/answers/README.md": ("tests/answers/test_rewards.py",),
    "metrics/README.md": ("tests/house/test_outside.py",),
    "spacy_clin/README.md": ("tests/spacy_clin/test_training.py",),
    "metrics/clineval/training/README.md": ("tests/training/test_readme.py",),
    "metrics/clineval/harness/README.md": ("tests/harness/test_readme.py",),
    "metrics/clineval/evaluation/counting/README.md": ("tests/spark/test_spark.py",),
    "docs/organisers.md": ("tests/hub/test_packages.py",),
    "hub_cards/spanish/README.md": (
        "tests/spacy_clin/test_spanish.py",
        "tests/training/test_spanish.py",
    ),
}
SITE = ["docs/home.md", "docs/organisers.md", "docs/own_data.md"]
"""Pages of the site alone, whose code blocks are run as well."""
RUN, OWN = {"sh", "console", "pycon"}, {"bash", "python", "ini"}
COMPARED = {"bibtex", "mermaid"}
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def read(page):
    """The text of a page."""
    return (ROOT / page).read_text("utf-8")


def blocks_of(page):
    """Language and text of each code block, in order."""
    return _FENCED.findall(read(page))


def code_of(page, language):
    """The code blocks in a language."""
    return [block for said, block in blocks_of(page) if said == language]


def without_code(text):
    """A page's text without its code blocks."""
    return _FENCED.sub("", text)
