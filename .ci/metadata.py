"""What a wheel or a source distribution says of itself: its README, addresses and entry points.

Each challenge whose annotation spaCy's Docs hold has a pipeline component and a scorer, which spaCy
finds by entry points.

A package index shows README.md without the files around it, so a link to one of them leads nowhere
and a picture is broken. GitHub's workflows say in ``GITHUB_REPOSITORY`` and ``GITHUB_SHA`` where
these files are on the web. Without the two variables the README stays as it is.

``repository.txt`` holds the address of the repository, from which all other addresses follow.
``make dist`` fails as long as it holds the placeholder: ``python .ci/metadata.py`` checks it.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
RELATIVE = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")
ENTRY_POINTS = {
    # spaCy imports these whenever a pipeline is made: see spacy_clin/factories.py
    "spacy_factories": {
        "clin_converter": "spacy_clin.factories:make_converter",
        "clin_scorer": "spacy_clin.factories:make_clin_scorer",
    },
    "spacy_scorers": {
        "spacy_clin.scorer.v1": "spacy_clin.scorers:make_scorer",
        "spacy_clin.combined_scorer.v1": "spacy_clin.scorers:make_combined_scorer",
    },
    "spacy_cli": {"clin": "spacy_clin.cli:app"},
    "spacy_readers": {"spacy_clin.Corpus.v1": "spacy_clin.files:make_corpus"},
    # clineval itself finds by it what reads .spacy files: metrics/clineval/formats/stored.py
    "clineval.readers": {"spacy": "spacy_clin.corpora:open_docs"},
}
DOCS = Path(__file__).with_name("docs.txt")
"""The challenges that declare how Docs hold their annotation; tests/packaging compares."""

ADDRESS = Path(__file__).with_name("repository.txt")
PLACEHOLDER = "/OWNER/"
PLACES = {
    "Source": "",
    "Documentation": "/blob/main/docs/home.md",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
}
"""Names of addresses on a package index to what follows the repository's own one."""


class MetadataHook(MetadataHookInterface):
    """Hatchling asks it for the dynamic fields ``readme``, ``urls`` and ``entry-points``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set them."""
        metadata["entry-points"] = list_entry_points()
        metadata["urls"] = {name: f"{read_address()}{place}" for name, place in PLACES.items()}
        if "readme" in metadata:  # as a source distribution has it, which knows the repository
            return
        text = Path(self.root, "README.md").read_text("utf-8")
        if "GITHUB_REPOSITORY" in os.environ and "GITHUB_SHA" in os.environ:
            server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
            text = link(
                text, f"{server}/{os.environ['GITHUB_REPOSITORY']}", os.environ["GITHUB_SHA"]
            )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def read_address() -> str:
    """Return the address of the repository."""
    return ADDRESS.read_text("utf-8").strip()


def list_entry_points() -> dict[str, dict[str, str]]:
    """Those of :data:`ENTRY_POINTS`, and those of each challenge of :data:`DOCS`."""
    points = {group: dict(names) for group, names in ENTRY_POINTS.items()}
    for name in DOCS.read_text("utf-8").split():
        points["spacy_factories"][f"clin_{name}"] = f"spacy_clin.factories:make_{name}"
        scorer = f"spacy_clin.scorers:make_{name}_scorer"
        points["spacy_scorers"][f"spacy_clin.{name}_scorer.v1"] = scorer
    return points


def link(text: str, repository: str, commit: str) -> str:
    """Markdown whose relative links lead into a commit of a repository; code stays as it is."""

    def absolute(match: re.Match[str]) -> str:
        picture, words, path = match.groups()
        return f"{picture}{words}({repository}/{'raw' if picture else 'blob'}/{commit}/{path})"

    parts = FENCED.split(text)
    parts[::2] = [RELATIVE.sub(absolute, prose) for prose in parts[::2]]
    return "".join(parts)


if __name__ == "__main__" and PLACEHOLDER in f"{read_address()}/":
    sys.exit(f"{ADDRESS}: expected the address of the repository, got the placeholder: fill it in")
