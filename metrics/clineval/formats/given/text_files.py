"""Read the texts of documents from one file: JSON Lines or Parquet with ``id`` and ``text``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import Source, find_path, is_directory, name_path
from clineval.base.packed import ending_of
from clineval.formats import jsonl
from clineval.formats.files import check_new_id, holds, read_text_files
from clineval.formats.looks import TAGGED
from clineval.formats.stored import is_stored
from clineval.formats.tables import parquet

_COLUMNS = ("id", "text")
_REMEDY = "Give a directory of .txt files, or .jsonl or .parquet with 'id' and 'text'"


def is_parquet(source: Source) -> bool:
    """Return whether a path belongs to a Parquet file, by its ending."""
    return Path(source).suffix == parquet.SUFFIX and not is_directory(source)


def may_hold_texts(source: object) -> bool:
    """Return whether annotations may come with their texts, by the names of files.

    JSON Lines, Parquet and DocBins can contain texts, words with tags do, and a directory can
    contain ``.txt`` files. For values that are not paths, the answer is ``False``.
    """
    if not isinstance(source, (str, Path)):
        return False
    return (
        ending_of(source) in (".jsonl", parquet.SUFFIX)
        or is_stored(source)
        or re.search(TAGGED, Path(source).name) is not None
        or holds(source, rf"{jsonl.FILES}|{TAGGED.removeprefix('(?i)')}")
        or holds(source, r"\.txt$")
    )


def read_texts(source: Source) -> Mapping[str, str]:
    """Read the known texts of a file, by document name.

    Raises:
        InputError: the file is neither JSON Lines nor Parquet, or a line is invalid; the message
            names the line.
    """
    path = find_path(source)
    if path is None or ending_of(path) not in (".jsonl", parquet.SUFFIX):
        problem = "expected a file with the texts of documents"
        raise InputError(problem, where=name_path(source), remedy=_REMEDY)
    texts: dict[str, str] = {}
    places: dict[str, str] = {}
    rows = _read_table(path) if path.suffix == parquet.SUFFIX else _read_lines(path)
    for where, name, text in rows:
        if not isinstance(name, str):
            raise InputError(f"expected a string 'id', got {shown(name)}", where=where)
        if text is not None and not isinstance(text, str):
            raise InputError(f"text: expected a string, got {shown(text)}", where=where)
        check_new_id(places, name, where, "Give each document's text once")
        if text is not None:
            texts[name] = text
    return texts


def _read_lines(path: Path) -> Iterator[tuple[str, object, object]]:
    for file in read_text_files(path, pattern=jsonl.FILES, separator=""):
        for where, written in file.lines():
            line = jsonl.read_object(written, where)
            yield where, line.get("id"), line.get("text")


def _read_table(path: Path) -> Iterator[tuple[str, object, object]]:
    where = name_path(path)
    with parquet.open_file(path) as file:
        lacking = " and no ".join(sorted(set(_COLUMNS) - set(file.schema_arrow.names)))
        if lacking:
            problem = f"expected the columns id and text, but there is no {lacking}"
            raise InputError(problem, where=where, remedy=_REMEDY)
        table = file.read(columns=list(_COLUMNS))
    columns = (table.column(name).to_pylist() for name in _COLUMNS)
    for number, (name, text) in enumerate(zip(*columns, strict=True), 1):
        yield f"{where}, row {number}", name, text
