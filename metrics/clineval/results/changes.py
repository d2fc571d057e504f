"""The scores that changed between two versions, from the changelog."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from clineval.results.registry import NAMES

_PACKAGES = Path(__file__).resolve().parents[2]
_PLACES = (_PACKAGES.parent, _PACKAGES / "clineval_modules")  # source tree, wheel
_CHANGED = "### Scores changed"


def list_changes(metric: str, first: str, second: str, changelog: str = "") -> list[str] | None:
    """List the changes of a metric's scores between two versions.

    Args:
        metric: the name of the metric.
        first: a version.
        second: another version, earlier or later.
        changelog: the changelog; by default clineval's own one.

    Returns:
        The entries of the changelog that name the metric or no metric, oldest version first. None
        if the changelog lacks one of the versions, because a later clineval wrote it.

    Examples:
        >>> log = '''## 0.2.0
        ...
        ... ### Scores changed
        ...
        ... - `bc5cdr`: repeated rows count once.
        ...
        ... ## 0.1.0
        ... '''
        >>> list_changes("bc5cdr", "0.1.0", "0.2.0", log)
        ['0.2.0: `bc5cdr`: repeated rows count once.']
        >>> list_changes("codiesp20", "0.1.0", "0.2.0", log)
        []
        >>> list_changes("bc5cdr", "0.1.0", "9.0.0", log) is None
        True
    """
    versions = _parse(changelog or _read())
    if first not in versions or second not in versions:
        return None
    order = [*versions][::-1]
    older, newer = sorted(map(order.index, (first, second)))
    return [
        f"{version}: {entry}"
        for version in order[older + 1 : newer + 1]
        for entry in versions[version]
        if _concerns(entry, metric)
    ]


def _concerns(entry: str, metric: str) -> bool:
    named = {name for name in re.findall(r"`(\w+)`", entry) if name in NAMES}
    return metric in named or not named


@cache
def _read() -> str:
    return next(
        path.read_text("utf-8")
        for path in (place / "CHANGELOG.md" for place in _PLACES)
        if path.is_file()
    )


@cache
def _parse(changelog: str) -> Mapping[str, list[str]]:
    """Return the entries of each version, the latest version first."""
    sections = re.split(r"^## ([\w.]+).*\n", changelog, flags=re.MULTILINE)[1:]
    return {
        version: _list_entries(text)
        for version, text in zip(sections[::2], sections[1::2], strict=True)
    }


def _list_entries(text: str) -> list[str]:
    """Return the entries about changed scores; an entry can have several lines."""
    _, _, after = text.partition(_CHANGED)
    entries = re.split(r"^- ", after.partition("\n### ")[0], flags=re.MULTILINE)[1:]
    return [" ".join(entry.split()) for entry in entries]
