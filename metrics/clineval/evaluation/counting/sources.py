"""What a user gives, cut into parts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from clineval.base.arrays import is_list
from clineval.base.errors import InputError
from clineval.base.files import is_directory, list_directory
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.evaluation.counting.parts import FilesPart, ListPart, Part, RowsPart, name_of
from clineval.formats.tables.arrow import Column, as_column
from clineval.formats.tables.rows import count_rows, read_rows
from clineval.kinds.documents import check_as_many
from clineval.results.challenge import Challenge

ROWS, DOCUMENTS = 2048, 1024
"""Documents of a part: rows of a table; files, and documents in lists."""
_WHOLE = {".jsonl", ".tsv", ".xml"}
"""Endings of files that hold all of a document; where there are any, others may not be read."""
_LEAST = 4000
"""A corpus of fewer documents is counted sooner in one process."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A corpus in parts.

    Args:
        parts: one after the other.
        documents: how many there are in all; None if that is not known before.
        again: whether the corpus could be read once more, all at once.
        jobs: default number of processes; None for all cores.
        size: the most documents of a part.
    """

    parts: Iterable[Part]
    documents: int | None
    again: bool
    jobs: int | None
    size: int


def cut(  # noqa: PLR0911, PLR0913 - one for each form
    challenge: Challenge,
    references: Any,
    predictions: Any,
    options: Mapping[str, Any],
    size: int | None,
    *,
    lists: bool,
) -> Parts | None:
    """Cut a corpus into parts, if it can be; None if it is to be counted at once.

    Directories are read in parts where both have files of the same names, as each document is
    then read from its own; otherwise at once.

    Args:
        challenge: whose documents they are.
        references: as in ``clineval.score``.
        predictions: likewise.
        options: of the challenge; texts in a list are cut with the documents.
        size: documents of a part; None for what suits the form.
        lists: whether to cut lists too, which are in memory anyway.
    """
    texts = {
        option.name: options[option.name]
        for option in challenge.options
        if option.holds_texts and isinstance(options.get(option.name), (list, tuple))
    }
    columns = as_column(references), as_column(predictions)
    if columns[0] is not None and columns[1] is not None:
        return _cut_columns(columns[0], columns[1], texts, size or ROWS)
    if any(column is not None for column in columns):
        return None
    if _is_stream(references) or _is_stream(predictions):
        if not (_is_listed(references) and _is_listed(predictions)):
            return None
        parts = _cut_streams(references, predictions, texts, size or DOCUMENTS)
        return Parts(parts, None, again=False, jobs=1, size=size or DOCUMENTS)
    if _is_list(references) and _is_list(predictions):
        if not lists or _are_joined(references, predictions):
            return None
        parts = _cut_streams(references, predictions, texts, size or DOCUMENTS)
        return Parts(parts, len(references), again=True, jobs=1, size=size or DOCUMENTS)
    if _is_path(references) and _is_path(predictions) and not texts:
        return _cut_directories(references, predictions, size or DOCUMENTS)
    return None


def _is_path(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike))


def _is_list(given: Any) -> bool:
    return isinstance(given, (list, tuple))


def _is_listed(given: Any) -> bool:
    """Tell whether documents can come one after the other."""
    return is_list(given) and not isinstance(given, os.PathLike)


def _is_stream(given: Any) -> bool:
    return hasattr(given, "__next__")


def _few(documents: int) -> int | None:
    return 1 if documents < _LEAST else None


def _cut_columns(
    references: Column, predictions: Column, texts: Mapping[str, Any], size: int
) -> Parts:
    rows = count_rows(references, predictions)

    def parts() -> Iterator[Part]:
        first = 0
        for some in read_rows(references, predictions, size):
            yield RowsPart(some, {name: v[first : first + len(some)] for name, v in texts.items()})
            first += len(some)

    return Parts(parts(), rows, again=True, jobs=_few(rows), size=size)


def _cut_streams(
    references: Iterable[Any], predictions: Iterable[Any], texts: Mapping[str, Any], size: int
) -> Iterator[Part]:
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
                "the documents of the two sides do not come in the same order",
                remedy="Sort both by their ids, or give lists",
            )
        some = {name: values[first : first + len(gold)] for name, values in texts.items()}
        yield ListPart(gold, found, first, some)
        first += len(gold)


def _are_joined(references: Sequence[Any], predictions: Sequence[Any]) -> bool:
    """Tell whether documents have names that pair them otherwise than by their order."""
    names = [list(map(_name_of, side)) for side in (references, predictions)]
    return any(map(any, names)) and names[0] != names[1]


def _name_of(item: Any) -> str:
    """Return the name of a document, also of one that is a string of JSON."""
    if isinstance(item, str) and item.startswith("{"):
        try:
            return name_of(parse_json(item))
        except NotJsonError:
            return ""
    return name_of(item)


def _cut_directories(references: Any, predictions: Any, size: int) -> Parts | None:
    if not (is_directory(references) and is_directory(predictions)):
        return None
    names = _list_documents(references)
    if len(names) <= size or not _are_the_same(names, _list_documents(predictions)):
        return None
    gold, found = Path(references), Path(predictions)
    starts = range(0, len(names), size)
    parts = [FilesPart(gold, found, names[first : first + size]) for first in starts]
    return Parts(parts, len(names), again=True, jobs=_few(len(names)), size=size)


def _are_the_same(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> bool:
    """Tell whether two sides have files of the same documents; only one may have texts."""
    return [names[0] for names in gold] == [names[0] for names in found]


def _list_documents(directory: Any) -> list[tuple[str, ...]]:
    """List the names of each document's files: those that begin alike, as ``1.ann`` and ``1.txt``.

    Documents are in the order of their first files' names, as they are read at once. There are
    none where only the whole directory tells what is read of it: with folders, or with files of
    whole documents beside others.
    """
    present = [each for each in list_directory(directory) if each[0][0] != "."]
    names = sorted(name for name, is_file in present if is_file)
    endings = {name[name.rfind(".") :] if "." in name else "" for name in names}
    if len(names) < len(present) or (len(endings) > 1 and endings & _WHOLE):
        return []
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.partition(".")[0], []).append(name)
    return list(map(tuple, found.values()))
