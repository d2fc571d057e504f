"""Find the line of a file that has a code of a document, for messages.

Readers do not keep the lines of annotations, so the files are read again if there is a message.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from clineval.base.errors import InputError
from clineval.base.files import (
    Source,
    is_directory,
    is_there,
    list_directory,
    name_path,
    read_bytes,
)
from clineval.base.packed import bare_name

_TOKENS = re.compile(r"[\s|,;]+")
_PARTS = re.compile(r"[|,;+]")
_WORDS, _MENTION = 3, 6
"""The column of the words of a mention in PubTator, and the least number of columns."""


def locate_code(source: str, document: str, code: str) -> str:
    """Return the place of a code, such as ``gold.jsonl:3``; empty if no line has it.

    Known are JSON Lines, lines of brat, and tables whose first column names the document.

    Args:
        source: the path of a file or directory; empty for anything else, which has no lines.
        document: the name of the document.
        code: the code, perhaps with a name space before it that the file lacks.
    """
    if not source or not is_there(source):
        return ""
    wanted = {code.lower(), code.lower().rpartition(":")[2]}
    with suppress(InputError):  # such as another file that is not text
        for path in _list_files(source):
            for line in _find_lines(path, document, wanted):
                return f"{name_path(path)}:{line}"
    return ""


def _list_files(source: Source) -> Sequence[str]:
    if not is_directory(source):
        return [str(source)]
    return [f"{source}/{name}" for name, of_file in sorted(list_directory(source)) if of_file]


def _find_lines(path: str, document: str, wanted: set[str]) -> Iterator[int]:
    stem, ending = os.path.splitext(bare_name(os.path.basename(path)))  # noqa: PTH119, PTH122
    own = document.removesuffix(".txt") == stem
    for number, raw in enumerate(read_bytes(path, name_path(path)).split(b"\n"), 1):
        line = raw.decode("utf-8", "replace")
        if not any(each in line.lower() for each in wanted):
            continue
        codes: Iterable[str]
        if line.startswith("{"):
            codes = _list_strings(line, document)
        elif own and ending == ".ann":
            codes = _list_standoff(line)
        else:
            codes = _list_cells(line, document)
        if any(each.strip().lower() in wanted for each in codes):
            yield number


def _list_strings(line: str, document: str) -> Iterator[str]:
    """Yield all strings of a line of JSON that describes a document."""
    try:
        found = json.loads(line)
    except ValueError:
        return
    if not isinstance(found, dict) or str(found.get("id")) != document:
        return
    left: list[object] = [value for key, value in found.items() if key not in ("id", "text")]
    while left:
        each = left.pop()
        if isinstance(each, str):
            yield from (each, *_PARTS.split(each))
        elif isinstance(each, dict):
            left += each.values()
        elif isinstance(each, list):
            left += each


def _list_standoff(line: str) -> Iterable[str]:
    """Return what can be a code in a line of brat: the type of a mention, or values and notes."""
    _, _, rest = line.partition("\t")
    if line.startswith(("T", "R", "E")):
        return re.split(r"[ :]", rest)[:1]
    return _TOKENS.split(rest)


def _list_cells(line: str, document: str) -> Iterable[str]:
    """Return the codes of the cells of a row, without the words of a mention."""
    cells = line.split("\t")
    if cells[0] != document:
        return ()
    kept = [cell for at, cell in enumerate(cells) if at != _WORDS or len(cells) < _MENTION]
    return (part for cell in kept[1:] for part in _PARTS.split(cell))
