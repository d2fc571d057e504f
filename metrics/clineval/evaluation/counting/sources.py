"""Cut input into parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from clineval.base.errors import InputError
from clineval.base.files import Source, is_file, list_directory
from clineval.base.packed import bare_name, ending_of
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.evaluation.inputs import (
    Columns,
    Directories,
    Inputs,
    Lists,
    Stored,
    Streams,
    name_key,
)
from clineval.formats.jsonl import are_line_files, list_line_files
from clineval.formats.stored import StoredDocuments
from clineval.formats.tables.arrow import Column
from clineval.kinds.documents import check_as_many
from clineval.results.challenge import Setup

if TYPE_CHECKING:  # a few documents are not cut
    from clineval.evaluation.counting.parts import Part, Values
    from clineval.formats.line_index import Index
    from clineval.results.table_rows import TableRows

ROWS, DOCUMENTS, NAMED = 2048, 1024, 4096
"""The number of documents in a part: rows of a Parquet file; files, or documents in lists;
documents that rows of a table name."""
_WHOLE = {".jsonl", ".json", ".tsv", ".xml"}
"""Endings of files with whole documents. If there are any, other files may not be read."""
_LEAST = 4000
"""With fewer documents, one process is faster."""
_LARGE = 32 << 20
"""The least bytes of a side whose lines are found in a process of their own."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A corpus in parts of at most ``size`` documents."""

    parts: Iterable[Part]
    documents: int | None  # unknown for streams, which cannot be read ``again``
    size: int
    jobs: int | None  # by default; None for all cores
    again: bool = True
    alone: bool = True  # whether an error of a part is the error of the corpus
    unites: bool = False  # whether parts may find different names, such as labels


def cut(
    inputs: Inputs, setup: Setup, size: int | None, *, lists: bool, jobs: int | None = 1
) -> Parts | None:
    """Cut a corpus of one system into parts; None if it must be counted at once.

    Directories are cut if both have files with the same names, because each document then has
    files of its own.

    Args:
        inputs: both sides.
        setup: the setup; texts in a list are cut with the documents.
        size: the number of documents in a part; None chooses it for the form of input.
        lists: whether to cut lists too, which are in memory anyway.
        jobs: the number of processes; None for the usual number.
    """
    texts = {
        option.name: values
        for option in setup.challenge.options
        if option.holds_texts and isinstance(values := setup[option.name], (list, tuple))
    }
    match inputs:
        case Columns(references, [predictions]):
            return _cut_columns(references, predictions, texts, size or ROWS)
        case Streams(gold, [found]):
            parts = _cut_streams(gold, found, texts, size or DOCUMENTS)
            return Parts(parts, None, size or DOCUMENTS, jobs=1, again=False)
        case Lists(gold, [found]) if lists and not _are_joined(gold, found):
            parts = _cut_streams(gold, found, texts, size or DOCUMENTS)
            return Parts(parts, len(gold), size or DOCUMENTS, jobs=1)
        case Directories(folder, [other]):
            present = list_directory(folder)
            if not are_line_files(present):
                documents = [] if texts else _list_documents(present)
                return _cut_directories(documents, folder, other, size or DOCUMENTS)
        case Stored(gold, [found]) if not texts and gold.is_beside(found):
            return _cut_stored(gold, found, size or DOCUMENTS)
    return _cut_lines(inputs, setup, size, jobs)


def _few(documents: int) -> int | None:
    return 1 if documents < _LEAST else None


def _only(texts: Values, first: int, number: int) -> Values:
    return {name: values[first : first + number] for name, values in texts.items()}


def _cut_columns(references: Column, predictions: Column, texts: Values, size: int) -> Parts:
    from clineval.evaluation.counting.parts import RowsPart
    from clineval.formats.tables.rows import count_rows, read_rows

    def parts() -> Iterator[Part]:
        first = 0
        for batch in read_rows(references, predictions, size):
            yield RowsPart(batch, _only(texts, first, len(batch)))
            first += len(batch)

    rows = count_rows(references, predictions)
    return Parts(parts(), rows, size, _few(rows))


def _cut_streams(
    references: Iterable[object], predictions: Iterable[object], texts: Values, size: int
) -> Iterator[Part]:
    from clineval.evaluation.counting.parts import ListPart

    sides = iter(references), iter(predictions)
    first = 0
    while True:
        gold, found = (list(islice(side, size)) for side in sides)
        if len(gold) != len(found):
            totals = [first + len(part) + sum(1 for _ in rest)
                      for part, rest in zip((gold, found), sides, strict=True)]  # fmt: skip
            check_as_many(totals[1], totals[0])
        if not gold:
            return
        if _are_joined(gold, found):
            raise InputError(
                "the documents of the two sides are not in the same order",
                remedy="Sort both by their ids, or pass lists",
            )
        yield ListPart(gold, found, first, _only(texts, first, len(gold)))
        first += len(gold)


def _are_joined(references: Sequence[object], predictions: Sequence[object]) -> bool:
    """Return whether names pair documents differently from their order."""
    names = [list(map(_name_of, side)) for side in (references, predictions)]
    return any(map(any, names)) and names[0] != names[1]


def _name_of(item: object) -> str:
    """Return the name of a document, which can also be a JSON string."""
    from clineval.evaluation.counting.parts import name_of

    if isinstance(item, str) and item.startswith("{"):
        try:
            return name_of(parse_json(item))
        except NotJsonError:
            return ""
    return name_of(item)


def _cut_directories(
    documents: Sequence[tuple[str, ...]], references: Source, predictions: Source, size: int
) -> Parts | None:
    if len(documents) <= size:
        return None
    found = _list_documents(list_directory(predictions))
    if [d[0] for d in documents] != [f[0] for f in found]:
        return None  # for example, only one side has texts next to its files
    from clineval.evaluation.counting.parts import FilesPart

    folders = Path(references), Path(predictions)
    starts = range(0, len(documents), size)
    parts = [FilesPart(*folders, documents[first : first + size]) for first in starts]
    return Parts(parts, len(documents), size, _few(len(documents)))


def _cut_stored(gold: StoredDocuments, found: StoredDocuments, size: int) -> Parts:
    from clineval.evaluation.counting.parts import StoredPart

    rows = range(len(gold))
    parts = [StoredPart(gold, found, rows[at : at + size]) for at in rows[::size]]
    return Parts(parts, len(rows), size, _few(len(rows)))


def _cut_lines(inputs: Inputs, setup: Setup, size: int | None, jobs: int | None) -> Parts | None:
    """Cut lines or tables; None if they are few, or cannot be paired by ids, or for other input.

    A file is read at once after an error, so that the message and its line are the same.
    """
    texts = (option.name for option in setup.challenge.options if option.holds_texts)
    sides: Sequence[object] = (inputs.references, *inputs.systems)
    rows = setup.steps.table_rows(setup)
    if len(sides) != 2 or not all(_list_files(side, rows) for side in sides):  # noqa: PLR2004
        return None
    other_key = name_key(setup) not in ("", "id")
    if setup.steps.sorts_documents or other_key or any(setup[name] for name in texts):
        return None
    from clineval.evaluation.counting.parts import LinesPart
    from clineval.formats.line_index import pair_parts

    size = size or (DOCUMENTS if any(map(list_line_files, sides)) else NAMED)
    gold, found = _index_sides([Path(str(side)) for side in sides], rows, jobs)
    if gold is None or found is None or max(len(gold.lines), len(found.lines)) <= size:
        return None
    pairs = pair_parts(gold, found, size)
    if pairs is None:
        return None
    number = len(gold.lines)
    return Parts(
        (LinesPart(*pair) for pair in pairs), number, size, _few(number), alone=False, unites=True
    )


def _index_sides(
    sides: Sequence[Path], rows: TableRows | None, jobs: int | None
) -> Iterable[Index | None]:
    """Index both sides, each in its process if both are large and there are several processes."""
    index = partial(_index_side, rows)
    if jobs == 1 or min(_measure(side, rows) for side in sides) < _LARGE:
        return map(index, sides)
    from clineval.evaluation.counting.workers import map_in_order, usual_jobs

    forked = usual_jobs() > 1  # with the same hashes
    return map_in_order(index, sides, 2 if forked else 1)


def _index_side(rows: TableRows | None, side: Path) -> Index | None:
    if rows is not None and not list_line_files(side):
        from clineval.formats.table_index import index_table

        return index_table(side, rows)
    from clineval.formats.line_index import index_lines

    return index_lines(side)


def _list_files(side: object, rows: TableRows | None) -> Sequence[str]:
    """List the files of JSON Lines, or the path of a table whose rows are those of documents."""
    lines = list_line_files(side)
    if lines or rows is None or not isinstance(side, (str, Path)) or not is_file(side):
        return lines
    return (str(side),) if ending_of(side) in rows.endings else ()


def _measure(side: Path, rows: TableRows | None) -> int:
    """Return the bytes of a side's files; 0 for standard input."""
    files = map(Path, _list_files(side, rows))
    return sum(file.stat().st_size for file in files if file.exists())


def _list_documents(listed: Sequence[tuple[str, bool]]) -> list[tuple[str, ...]]:
    """List the file names of each document, which share a stem, such as ``1.ann`` and ``1.txt``.

    Documents are in the order of their first files, as when they are read at once. The list is
    empty if the directory must be read as a whole: if it has folders, or files with whole
    documents next to other files. ``listed`` has its names, each with whether it is a file.
    """
    present = [each for each in listed if each[0][0] != "."]
    names = sorted(name for name, is_file in present if is_file)
    endings = {name[name.rfind(".") :] if "." in name else "" for name in map(bare_name, names)}
    if len(names) < len(present) or (len(endings) > 1 and endings & _WHOLE):
        return []
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.partition(".")[0], []).append(name)
    return list(map(tuple, found.values()))
