"""The forms of input: determined once here, and identified by type from then on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from clineval.base.arrays import is_list
from clineval.base.errors import InputError
from clineval.base.files import Source, is_directory
from clineval.formats.stored import StoredDocuments, open_stored
from clineval.formats.tables.arrow import Column, as_column, has_column, is_parquet
from clineval.results.challenge import Challenge, Setup

Side = TypeVar("Side")


@dataclass(frozen=True, slots=True)
class _Sides(Generic[Side]):
    """The gold standard and the predictions of systems in one form."""

    references: Side
    systems: Sequence[Side]


class Columns(_Sides[Column]):
    """Documents in columns of tables."""


class Streams(_Sides[Iterable[object]]):
    """Documents one after the other; at least one side can be read only once."""


class Lists(_Sides[Sequence[object]]):
    """Documents in lists."""


class Directories(_Sides[Source]):
    """Directories with files of documents."""


class Stored(_Sides[StoredDocuments]):
    """Documents in files that another package reads."""


class Whole(_Sides[object]):
    """Anything else. Only the challenge can read it."""


Inputs: TypeAlias = Columns | Streams | Lists | Directories | Stored | Whole
"""The gold standard and the predictions of systems. Without systems, only the gold standard."""


def open_inputs(references: object, systems: Sequence[object], setup: Setup) -> Inputs:
    """Determine the form of the two sides of a corpus.

    Some challenges read Parquet files with several columns of annotations themselves, as they read
    other files.

    Raises:
        InputError: one side is a column of a table and another is not.
    """
    sides = [open_stored(references, "references", setup)]
    sides += [open_stored(system, "predictions", setup) for system in systems]
    stored = [side for side in sides if isinstance(side, StoredDocuments)]
    if stored and len(stored) == len(sides):
        return Stored(stored[0], stored[1:])
    sides = [side.read_all() if isinstance(side, StoredDocuments) else side for side in sides]
    return _find_form(sides, setup)


def _find_form(sides: Sequence[object], setup: Setup) -> Inputs:
    """Determine the form of sides that are not files of another package."""
    references, *systems = sides
    if _read_tables(sides, setup):
        return Whole(references, systems)
    key = name_key(setup) or None
    columns = [column for side in sides if (column := as_column(side, key)) is not None]
    if columns and len(columns) < len(sides):
        raise InputError(
            "one side is a column of a table, the other is not",
            remedy="Pass both as tables; clineval convert writes Parquet",
        )
    if columns:
        return Columns(columns[0], columns[1:])
    lists = [side for side in sides if isinstance(side, (list, tuple))]
    if len(lists) == len(sides):
        return Lists(lists[0], lists[1:])
    folders = [s for s in sides if isinstance(s, (str, os.PathLike)) and is_directory(s)]
    if len(folders) == len(sides):
        return Directories(folders[0], folders[1:])
    series = [side for side in sides if is_list(side)]
    if len(series) == len(sides) and any(isinstance(side, Iterator) for side in sides):
        return Streams(series[0], series[1:])
    return Whole(references, systems)


def _read_tables(sides: Sequence[object], setup: Setup) -> bool:
    """Return whether the challenge reads Parquet files itself.

    It does if an option names the columns of annotations, if a side is in another format, or if a
    side has several columns and none with a usual name.
    """
    options = setup.challenge.faces.tables
    if options is None or any(isinstance(side, Column) for side in sides):
        return False
    if not any(map(is_parquet, sides)):
        return False
    if any(setup[name] for name in options[1:]) or not all(map(is_parquet, sides)):
        return True
    key, [gold, *systems] = name_key(setup), filter(is_parquet, sides)
    known = has_column(gold, "references", key)
    return not (known and all(has_column(side, "predictions", key) for side in systems))


def name_key(setup: Setup) -> str:
    """Return the column of document names that an option names; empty if none does."""
    return "".join(setup[name] for name in (setup.challenge.faces.tables or ())[:1])


def read_inputs(inputs: Inputs, challenge: Challenge) -> tuple[object, list[object]]:
    """Return references and predictions as the challenge reads them.

    Raises:
        InputError: columns of tables that cannot be joined or read.
    """
    match inputs:
        case Columns(gold, systems):
            from clineval.formats.tables.rows import read_all

            pairs = [read_all(gold, each, challenge) for each in systems or [gold]]
            return pairs[0][0], [predictions for _, predictions in pairs[: len(systems)]]
        case Streams(documents, others):
            return list(documents), list(map(list, others))
        case Stored(documents, others):
            for other in others:
                documents.compare(other, documents.pair(other))
            return documents.read_all(), [other.read_all() for other in others]
        case _:
            return inputs.references, list(inputs.systems)
