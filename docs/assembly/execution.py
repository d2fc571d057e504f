"""Run notebooks, each in an empty folder, and store their outputs: ``make notebooks``.

The stored files contain no times, versions or paths of this machine.
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
"""The longest time for a cell, in seconds."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SURROUNDINGS = {
    "COLUMNS": "96",  # the width of tables
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_ROOT_USER_ACTION": "ignore",
}


def execute(path: Path) -> NotebookNode:
    """Run a notebook from its beginning and return it with the new outputs.

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
    """Join the pieces of each stream, without colours, and put errors at the end.

    The pieces and the order of two streams are random.
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
    """Run and store notebooks."""
    for path in map(Path, paths):
        nbformat.write(execute(path), path)


if __name__ == "__main__":
    main(*sys.argv[1:])
