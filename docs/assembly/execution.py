"""Run notebooks, each in an empty folder, and keep what they gave: ``make notebooks``.

What is stored knows no time, no version and no place of this machine.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

TIMEOUT = 600
"""Seconds that a cell may take."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SURROUNDINGS = {
    "COLUMNS": "96",  # of tables
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_ROOT_USER_ACTION": "ignore",
}


def execute(path: Path) -> NotebookNode:
    """Run a notebook from its beginning; returns it with the new outputs.

    Raises:
        CellExecutionError: a cell failed.
    """
    notebook = nbformat.read(path, as_version=4)
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT,
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute(env={**os.environ, **SURROUNDINGS, "PATH": scripts})
    del notebook.metadata["language_info"]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _tidy(cell.outputs)
    return notebook


def _tidy(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Return outputs with each stream in one piece and without colours, errors' one at the end.

    In which pieces and order two streams arrive is chance.
    """
    tidied: dict[object, NotebookNode] = {}
    for number, output in enumerate(outputs):
        name = output.get("name", number)
        if name in tidied:
            tidied[name].text += output.text
        else:
            tidied[name] = output
    for output in tidied.values():
        if output.output_type == "stream":
            output.text = _COLOUR.sub("", output.text)
    return sorted(tidied.values(), key=lambda output: output.get("name") == "stderr")


def main(*paths: str) -> None:
    """Run notebooks and store them."""
    for path in map(Path, paths):
        nbformat.write(execute(path), path)


if __name__ == "__main__":
    main(*sys.argv[1:])
