"""Runs as a kind: the documents that a system ranks for each topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from clineval.results.kind import Kind

_NO_NOTES = "a run ranks the documents of a collection and does not annotate notes"


@dataclass(frozen=True)
class RunKind(Kind):
    """The rankings of systems, and the judgments of documents' relevance."""

    name: ClassVar[str] = "runs"
    items: ClassVar[str] = "rankings"
    never: ClassVar[Mapping[str, str]] = {
        "convert": "runs have only one format, TREC's",
        **dict.fromkeys(("read", "adjudicate", "answers", "docs", "bigbio", "trainer"), _NO_NOTES),
    }
    hub_task: ClassVar[str] = "text-ranking"
