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
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
        )
        client.execute(env={**os.environ, **SURROUNDINGS, "PATH": scripts})
    del notebook.metadata["language_info"]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _tidy(cell.outputs)
    return notebook


def _tidy(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Return outputs without marks of colours, standard output before what else was said of it.

    Which of two streams comes first is chance.
    """
    tidied = sorted(outputs, key=lambda output: output.get("name") == "stderr")
    for output in tidied:
        if output.output_type == "stream":
            output.text = _COLOUR.sub("", output.text)
    return tidied


def main(*paths: str) -> None:
    """Run notebooks and store them."""
    for path in map(Path, paths):
        nbformat.write(execute(path), path)


if __name__ == "__main__":
    main(*sys.argv[1:])
