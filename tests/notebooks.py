"""Notebooks, as they are stored and as they run now."""

import json

from assembly.notebooks import PICTURES, text_of
from conftest import ROOT

LEARNED = "learned"
"""Tag of a cell whose numbers are those of a trained model, which no other processor promises."""


def path_of(name):
    return ROOT / "docs" / "tutorials" / f"{name}.ipynb"


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def stored(name):
    return json.loads(path_of(name).read_text("utf-8"))


def pictures_of(cell):
    return sum(bool(PICTURES.keys() & output.get("data", {}).keys()) for output in cell["outputs"])


def said_by(cell):
    return [text for output in cell["outputs"] if (text := text_of(output))]


def check(name):
    """Run a notebook; what it gives is what is stored."""
    from assembly.execution import execute  # which needs nbclient

    notebook = execute(path_of(name))
    for now, before in zip(code_cells(notebook), code_cells(stored(name)), strict=True):
        assert pictures_of(now) == pictures_of(before), now["source"]
        if LEARNED not in now["metadata"].get("tags", []):
            assert said_by(now) == said_by(before), now["source"]
