"""Files of codes as training codes write them: predicted codes, scores, or both in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from clineval.base.arrays import Coded, FloatArray, unite_keys
from clineval.base.errors import InputError, agree, listed, named, need, read_each, shown, warn
from clineval.base.files import Source, find_path, name_path
from clineval.base.strict_json import NotJsonError, iterate_object
from clineval.formats.class_tables import number_rows, read_parts
from clineval.formats.files import TextFile, check_new_id, list_names, read_text_files
from clineval.formats.given.code_lists import Judge, take
from clineval.formats.given.scored_codes import (
    GOLD,
    Opened,
    ScoredForm,
    check_codes,
    read_score_files,
    read_tables,
)
from clineval.kinds.codes.corpus import CODE, SCORE, codes_of, is_code
from clineval.kinds.codes.scored import CodeRows, ScoredSide, sort_scored
from clineval.results.listed import Listed

if TYPE_CHECKING:
    import pyarrow as pa

SETS, SCORES, TABLE, FEATHER = ".psv", ".json", ".csv", ".feather"
_FOLDER = {SETS: r"^preds.*\.psv$", SCORES: r"^pred.*scores.*\.json$"}
_FILES = r"\.(psv|json|csv)$"
_ID, _LABELS = 1, 3
"""The columns of document names and of codes, which are read by place."""
_NAME, _TARGET = "_id", "target"
_ONCE = "Give all codes of a document in one place"


def read_code_files(source: Source, side: str, judge: Judge = take) -> ScoredSide:
    """Read files of any known format.

    - ``.csv`` with a fourth column LABELS: names in the second column, codes separated by ``;``
    - ``.psv``: a line ``name|code|code`` for each document, with its predicted codes
    - ``.json``: an object of names to objects of codes and scores
    - ``.feather``: a column of scores for each code, and the columns ``target`` and ``_id``
    - a folder with a ``preds*.psv`` and a ``pred*scores*.json``: predicted codes, and scores
    - tables and JSON Lines: see :func:`~clineval.formats.given.scored_codes.read_score_files`

    Raises:
        InputError: a file is invalid; the message names file and line, or the document.
    """
    reader = _find_reader(source, read_tables)
    return reader(side, judge) if reader else read_score_files(source, side, judge)


def _find_reader(
    source: Source, plain: Callable[[Sequence[TextFile], str, Judge], ScoredSide] | None = None
) -> Callable[[str, Judge], ScoredSide] | None:
    """Return the reader of such files; None for tables and JSON Lines.

    Args:
        source: a path or text.
        plain: reads a table that had to be opened, if it has no labels; None for no reader.
    """
    path = find_path(source, "\n")
    if path is None:
        return None
    if path.is_dir():
        found = {ending: list_names(path, pattern)[0] for ending, pattern in _FOLDER.items()}
        return partial(_read_folder, path, found) if any(found.values()) else None
    if path.suffix == FEATHER:
        return partial(_read_feather, path)
    if path.suffix not in _ROWS:
        return None
    [file] = read_text_files(path, pattern=_FILES, separator="\n")
    if path.suffix == TABLE and not _has_labels(file):
        return partial(plain, [file]) if plain else None
    return partial(_read_rows, _ROWS[path.suffix](file))


def _read_rows(rows: Iterable[Opened], side: str, judge: Judge) -> ScoredSide:
    found, places = CodeRows(), dict[str, str]()

    def read(opened: Opened) -> None:
        document = opened()
        name = (document.name or "").strip()
        if not name or not name.isprintable():
            raise InputError("expected the name of a document", where=document.where)
        check_new_id(places, name, document.where, _ONCE)
        found.add(name, check_codes(document, side, judge, found.codes))

    read_each(read, ((row,) for row in rows))
    return found.as_side()


def _has_labels(file: TextFile) -> bool:
    cells = file.content.split(b"\n", 1)[0].decode().lower().split(",")
    return len(cells) > _LABELS and cells[_LABELS].strip(' "') == "labels"


def _list_labels(file: TextFile) -> Iterator[Opened]:
    rows = (row for before, cells in read_parts(file) for row in number_rows(before, cells))
    next(rows, None)
    for line, cells in rows:
        yield partial(_open_labels, f"{file.label}:{line}", cells)


def _open_labels(where: str, cells: Sequence[str]) -> Listed:
    if len(cells) <= _LABELS:
        wanted = "SUBJECT_ID, HADM_ID, TEXT, LABELS"
        raise InputError(f"expected the columns {wanted}, got {len(cells)}", where=where)
    return Listed(where, cells[_ID], _split(cells[_LABELS], ";"))


def _list_sets(file: TextFile) -> Iterator[Opened]:
    for where, line in file.lines():
        name, _, codes = line.partition("|")
        yield partial(Listed, where, name, _split(codes, "|"))


def _split(codes: str, separator: str) -> list[str]:
    return [code.strip() for code in codes.split(separator) if code.strip()]


def _list_scores(file: TextFile) -> Iterator[Opened]:
    try:
        for name, scores in iterate_object(file.content.decode()):
            yield partial(_open_scores, f"{file.label}, document {named(name)}", name, scores)
    except NotJsonError as error:
        where = f"{file.label}:{error.line}" if error.line else file.label
        problem = f"expected an object of documents and their codes with scores, {error}"
        raise InputError(problem, where=where) from None


def _open_scores(where: str, name: str, scores: object) -> Listed:
    if not isinstance(scores, Mapping):
        problem = f"expected an object of codes and scores, got {shown(scores)}"
        raise InputError(problem, where=where)
    return Listed(where, name, scores)


_ROWS = {SETS: _list_sets, SCORES: _list_scores, TABLE: _list_labels}


def _read_folder(
    folder: Path, found: Mapping[str, Sequence[str]], side: str, judge: Judge
) -> ScoredSide:
    """Read predicted codes, scores, or both."""
    for names in found.values():
        if len(names) > 1:
            problem = f"expected one file of each sort, got {listed(list(names))}"
            raise InputError(problem, where=name_path(folder), remedy="Give a single file")
    sides = {
        ending: read_code_files(folder / name, side, judge)
        for ending, names in found.items()
        for name in names
    }
    if len(sides) == len(found):
        return _unite(sides[SETS], sides[SCORES])
    [alone] = sides.values()
    return alone


def _unite(sets: ScoredSide, scores: ScoredSide) -> ScoredSide:
    """Return the documents of ``sets``, with their predicted codes and all scores."""
    known = set(scores.documents)
    problem = "{n} {document has|documents have} no scores, and every code of {it|them} has 0"
    warn(f"{problem}: {{names}}", [name for name in sets.documents if name not in known])
    extra = known.difference(sets.documents)
    problem = "{n} {document has|documents have} scores and no list of codes, and {is|are} ignored"
    warn(f"{problem}: {{names}}", sorted(extra))
    number = {name: at for at, name in enumerate(sets.documents)}
    codes = {code: at for at, code in enumerate({*_values(sets), *_values(scores)})}
    size = max(len(codes), 1)
    keys = []
    for side in (sets, scores):
        numbers = np.array([number.get(name, -1) for name in side.documents], np.int64)
        of_value = np.array([codes[value] for value in _values(side)], np.int64)
        column, none = side.mentions.attributes[CODE], np.zeros(0, np.int64)
        code = of_value[column.ids] if len(side.mentions) else none
        document = numbers[side.mentions.document] if len(side.mentions) else none
        keys.append(np.where(document < 0, -1, document * size + code))
    every = unite_keys(*keys)
    every = every[every >= 0]
    found = np.full(len(every), np.nan)
    kept = keys[1] >= 0
    found[np.searchsorted(every, keys[1][kept])] = scores.scores[kept]
    column = Coded(every % size, tuple(codes))
    document = (every // size).astype(np.int32)
    chosen = np.zeros(len(every), np.bool_)
    chosen[np.searchsorted(every, keys[0])] = True
    return sort_scored(sets.documents, document, column, found, chosen)


def _values(side: ScoredSide) -> tuple[str, ...]:
    return side.mentions.attributes[CODE].values


def _read_feather(path: Path, side: str, judge: Judge) -> ScoredSide:
    feather = need(
        "pyarrow.feather", "arrow", "feather tables need pyarrow, which is not installed"
    )
    label = name_path(path)
    try:
        table: pa.Table = feather.read_table(path, memory_map=True)
    except (OSError, ValueError):
        raise InputError("the file is not a feather table", where=label) from None
    if _NAME not in table.column_names or _TARGET not in table.column_names:
        problem = f"expected the columns {_NAME} and {_TARGET}, and a column for each code"
        raise InputError(problem, where=label)
    names = [str(name) for name in table.column(_NAME).to_pylist()]
    if side == GOLD:
        rows = zip(names, table.column(_TARGET).to_pylist(), strict=True)
        places = (f"{label}, row {at}" for at in range(1, len(names) + 1))
        opened = [partial(Listed, where, *row) for where, row in zip(places, rows, strict=True)]
        return _read_rows(opened, side, judge)
    return _read_columns(table, names, label, judge)


def _read_columns(table: pa.Table, names: list[str], label: str, judge: Judge) -> ScoredSide:
    if len(set(names)) < len(names):
        raise InputError(f"{_NAME}: a document occurs twice", where=label, remedy=_ONCE)
    codes = [name for name in table.column_names if name not in {_NAME, _TARGET}]
    if wrong := [code for code in codes if not is_code(code) or judge(code)]:
        wanted = agree("{n} {column is no known code|columns are no known codes}", len(wrong))
        raise InputError(wanted, where=label)
    scores = [_read_column(table.column(code), f"{label}, column {code}") for code in codes]
    size = len(names)
    document = np.tile(np.arange(size, dtype=np.int32), len(codes))
    column = Coded(np.repeat(np.arange(len(codes)), size), tuple(map(str.strip, codes)))
    found = np.concatenate([np.zeros(0), *scores])
    return sort_scored(tuple(names), document, column, found)


def _read_column(column: pa.ChunkedArray, where: str) -> FloatArray:
    try:
        values = column.to_numpy().astype(np.float64)
    except (TypeError, ValueError):
        values = np.full(1, np.nan)
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError("expected a number from 0 to 1 in each row", where=where)
    return np.asarray(values)


class CodeFilesForm(ScoredForm):
    """Read files of any known format; write tables and JSON Lines."""

    __slots__ = ()

    def list_files(self, source: Source) -> list[Listed]:
        """List the documents of files."""
        reader = _find_reader(source)
        if reader is None:
            return super().list_files(source)
        side = reader("", take)
        side = side if side.chosen is None else side.decide(0)
        codes: list[list[object]] = [[] for _ in side.documents]
        scores = side.scores.tolist()
        of_rows = zip(side.mentions.document.tolist(), codes_of(side.mentions), scores, strict=True)
        for number, code, score in of_rows:
            codes[number].append(code if isnan(score) else {CODE: code, SCORE: score})
        return [Listed(name, name, of) for name, of in zip(side.documents, codes, strict=True)]
