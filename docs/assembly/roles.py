"""Turn the roles of docstrings, such as ``:func:`score```, into links within the reference."""

from __future__ import annotations

import re
from typing import Any

import griffe

from assembly.pages import REFERENCE, ROOT

_ROLE = re.compile(r":[a-z]+:`~?([\w.]+)`")
_IDENTIFIER = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
_LITERAL = re.compile(r"``([^`]+)``")
SHOWN = [
    identifier
    for name in REFERENCE
    for identifier in _IDENTIFIER.findall((ROOT / f"docs/reference/{name}.md").read_text("utf-8"))
]
"""The names that have an entry in the reference."""


class Roles(griffe.Extension):
    """Change the docstrings that Griffe reads."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Replace the links and code of reStructuredText by those of Markdown."""
        if obj.docstring:
            obj.docstring.value = _ROLE.sub(
                lambda role: _link(role[1], obj.path), _LITERAL.sub(r"`\1`", obj.docstring.value)
            )


def _link(name: str, path: str) -> str:
    """Link to the entry of a name; if several match, to that of the same package."""
    named = [found for found in SHOWN if f".{found}".endswith(f".{name}")]
    named += [found for found in SHOWN if name.startswith(f"{found}.")]
    if not named:
        return f"`{name}`"
    homes = {found: f"{found.rpartition('.')[0]}." for found in named}
    nearest = max(named, key=lambda found: len(homes[found]) * path.startswith(homes[found]))
    return f"[`{name.removeprefix('clineval.')}`][{nearest}]"
