"""Absolute links and pictures in the README that goes into a wheel or a source distribution.

A package index shows README.md without the files around it, so a link to one of them leads nowhere
and a picture is broken. GitHub's workflows say in ``GITHUB_REPOSITORY`` and ``GITHUB_SHA`` where
these files are on the web. Without the two variables the README stays as it is.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
RELATIVE = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Hatchling asks it for the dynamic field ``readme``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``readme``."""
        text = Path(self.root, "README.md").read_text("utf-8")
        if "GITHUB_REPOSITORY" in os.environ and "GITHUB_SHA" in os.environ:
            server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
            text = link(
                text, f"{server}/{os.environ['GITHUB_REPOSITORY']}", os.environ["GITHUB_SHA"]
            )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def link(text: str, repository: str, commit: str) -> str:
    """Markdown whose relative links lead into a commit of a repository; code stays as it is."""

    def absolute(match: re.Match[str]) -> str:
        picture, words, path = match.groups()
        return f"{picture}{words}({repository}/{'raw' if picture else 'blob'}/{commit}/{path})"

    parts = FENCED.split(text)
    parts[::2] = [RELATIVE.sub(absolute, prose) for prose in parts[::2]]
    return "".join(parts)
