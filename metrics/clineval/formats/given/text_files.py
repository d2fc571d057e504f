"""Notes in one file: JSON Lines or Parquet, with a document's name and its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import Source, find_path, is_directory, name_path
from clineval.formats import jsonl
from clineval.formats.files import check_new_id, holds, read_text_files
from clineval.formats.tables import parquet

_COLUMNS = ("id", "text")
_REMEDY = "Give a directory of .txt files, or .jsonl or .parquet with 'id' and 'text'"


def is_parquet(source: Source) -> bool:
    """Tell whether a path is that of a Parquet file."""
    return Path(source).suffix == parquet.SUFFIX and not is_directory(source)


def may_hold_texts(source: object) -> bool:
    """Tell by the names of files whether annotations may come with their texts.

    JSON Lines and Parquet may hold them, and a directory may have ``.txt`` beside its files. What
    is no path is not asked.
    """
    if not isinstance(source, (str, Path)):
        return False
    return (
        Path(source).suffix in (".jsonl", parquet.SUFFIX)
        or holds(source, jsonl.FILES)
        or holds(source, r"\.txt$")
    )


def read_texts(source: Source) -> Mapping[str, str]:
    """Read the texts of a file by the names of documents, those of which are known.

    Raises:
        InputError: it is neither JSON Lines nor Parquet, or what is wrong in it, with its line.
    """
    path = find_path(source)
    if path is None or path.suffix not in (".jsonl", parquet.SUFFIX):
        raise InputError("expected notes, got a file", where=name_path(source), remedy=_REMEDY)
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
            raise InputError(problem, where=where, remedy="Give the notes in another way")
        table = file.read(columns=list(_COLUMNS))
    columns = (table.column(name).to_pylist() for name in _COLUMNS)
    for number, (name, text) in enumerate(zip(*columns, strict=True), 1):
        yield f"{where}, row {number}", name, text
