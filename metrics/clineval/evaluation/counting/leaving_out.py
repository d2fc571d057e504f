"""The file that lists the documents that were left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from clineval.base.files import write_file
from clineval.evaluation.counting.parts import LeftOut


def write_left_out(left_out: Sequence[LeftOut], path: Path) -> None:
    """Write one JSON object a line, with ``document`` and ``problem``; no text of a note.

    Raises:
        InputError: the file cannot be written.
    """
    lines = (
        json.dumps({"document": each.name, "problem": each.problem}, ensure_ascii=False)
        for each in left_out
    )
    write_file(path, "".join(f"{line}\n" for line in lines))
