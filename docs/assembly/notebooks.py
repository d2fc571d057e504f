"""Render a notebook as a page: its cells, and their outputs from the last run.

Notebooks store their outputs, so that GitHub and the site show them without PyTorch or spaCy.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PICTURES = {"image/png": "png", "image/svg+xml": "svg"}


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text of a notebook in Markdown, and its pictures by file name."""

    text: str
    pictures: dict[str, bytes]


def render(path: Path) -> Rendered:
    """Render a notebook.

    The metadata of a code cell may have ``alt``, the description of its picture.
    """
    pictures: dict[str, bytes] = {}
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            parts += _render_output(output, cell["metadata"], path.stem, pictures)
    parts.append(f"[This page as a notebook]({path.name})")
    return Rendered("\n\n".join(parts) + "\n", pictures)


def text_of(output: dict[str, Any]) -> str:
    """Return the text of an output; the text of a picture is empty."""
    if output["output_type"] == "stream":
        return "".join(output["text"])
    data = output.get("data", {})
    return "" if PICTURES.keys() & data.keys() else "".join(data.get("text/plain", ""))


def _render_output(
    output: dict[str, Any], metadata: dict[str, Any], stem: str, pictures: dict[str, bytes]
) -> Iterator[str]:
    for kind, suffix in PICTURES.items():
        if kind in output.get("data", {}):
            content = "".join(output["data"][kind])
            name = f"{stem}-{len(pictures) + 1}.{suffix}"
            pictures[name] = base64.b64decode(content) if suffix == "png" else content.encode()
            yield f"![{metadata.get('alt', '')}]({name})"
            return
    if text := text_of(output):
        yield f"```text\n{text.rstrip()}\n```"
