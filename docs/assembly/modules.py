"""Group the modules by what they score, from the registry's kinds and configurations."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from clineval.results.registry import NAMES, find_challenge

MARK = "<!-- modules -->"
"""The place of the modules on the home page."""


OWN = "../metrics/README.md#add-a-challenge"


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that score similar annotations.

    Args:
        title: the heading.
        summary: a sentence that describes the annotations.
        kinds: the kinds of annotation in the group.
        words: an expression that finds the group in a module's title and configurations.
        own: the protocol for a benchmark of your own.
    """

    title: str
    summary: str
    kinds: frozenset[str]
    words: str = "$^"
    own: str = ""

    def has(self, name: str) -> bool:
        """Check whether a module belongs to the group."""
        kinds, text = _describe(name)
        return bool(self.kinds & kinds or re.search(self.words, text))


def _group(title: str, summary: str, kinds: str, words: str = "$^", own: str = "") -> Group:
    return Group(title, summary, frozenset(kinds.split(", ")), words, own)


DEIDENTIFICATION = r"de-identification|anonymi[sz]ation"
EVIDENCE = r"\bevidence\b"
OWN_GROUPS = {DEIDENTIFICATION: "spans", EVIDENCE: "codes"}
"""Expressions of groups to the kind of their annotations, whose group they do not belong to."""
GROUPS = (
    _group(
        "Spans",
        "Labelled spans of text, including discontiguous ones, with attributes such as negation.",
        "spans",
        r"\bconcepts and\b|\bphrases\b|\btimes and events\b",
        "LabelledSpans",
    ),
    _group(
        "Codes",
        "Codes of a terminology, for a mention or for a whole document.",
        "codes",
        r"\bcodes\b|\bconcepts of",
        "CodeSets",
    ),
    _group(
        "Evidence",
        "Sentences of a note that an answer needs, and links from the answer to them.",
        "",
        EVIDENCE,
    ),
    _group("Relations", "Links between two mentions.", "relations", r"\brelations\b", "Relations"),
    _group(
        "Classes",
        "One or more classes of a document, such as its smoking status.",
        "classes",
        own="Classes",
    ),
    _group(
        "Events",
        "Triggers with arguments.",
        "events",
        r"(?<!drug )(?<!times, )(?<!times and )\bevents\b",
        "Events",
    ),
    _group(
        "Records",
        "Records with fields, such as a medication with its dosage, or an order.",
        "records, entries",
        own="Records",
    ),
    _group(
        "De-identification",
        "Protected health information, and what a system leaks.",
        "",
        DEIDENTIFICATION,
    ),
    _group("Sections", "The boundaries of sections in a document.", "sections"),
    _group("Rankings", "Documents or codes, best first.", "runs", r"\branked\b", "RankedCodes"),
)


@cache
def _describe(name: str) -> tuple[frozenset[str], str]:
    """Return the kinds of a module's annotations, and its title and configurations."""
    challenge = find_challenge(name)
    task = challenge.task
    kinds = {challenge.kind_of(config).name for config in task.configs}
    text = " ".join([task.title, *task.configs.values()]).lower()
    others = {kind for words, kind in OWN_GROUPS.items() if re.search(words, text)}
    return frozenset(kinds - others), text


def list_groups() -> Iterator[tuple[Group, list[str]]]:
    """Yield the groups with their modules; a module can be in several."""
    for group in GROUPS:
        yield group, [name for name in NAMES if group.has(name)]


def write_rows() -> str:
    """Return the groups as rows of README.md's table, without those that have no module."""
    return "\n".join(
        f"| **{group.title}** | {group.summary} | {', '.join(map(_link, names))} |"
        for group, names in list_groups()
        if names
    )


def write_groups() -> str:
    """Return the groups as sections of the home page."""
    return "\n".join(_write_group(group, names) for group, names in list_groups())


def _write_group(group: Group, names: list[str]) -> str:
    own = f" [`{group.own}`]({OWN}) declares a benchmark of your own." if group.own else ""
    rows = [f"- {_link(name, '../')}: {find_challenge(name).task.title}" for name in names]
    return "\n".join([f"### {group.title}", "", group.summary + own, "", *rows, ""])


def _link(name: str, root: str = "") -> str:
    return f"[`{name}`]({root}hub_cards/{name}/README.md)"


if __name__ == "__main__":
    sys.stdout.write(write_rows() + "\n")
