"""Merge results of parts as they arrive: memory never holds their counts twice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from clineval.base.arrays import NumberArray
from clineval.base.errors import InputError, InputWarning, agree, join_warnings, warn, warn_user
from clineval.base.files import Source, write_file
from clineval.evaluation.counting.found_names import Uniting
from clineval.evaluation.counting.parts import LeftOut, Result
from clineval.results.challenge import Setup
from clineval.results.scorable import Counts

_MOST_CELLS = 16_000_000
"""The most counts that are held as floats: 128 MB."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The results of all parts; ``repeated`` and no counts if they must be counted at once."""

    counts: Counts | None
    left_out: Sequence[LeftOut] = ()
    repeated: bool = False

    def finish(self) -> Counts | None:
        """Warn about documents that were left out; the signature of the counts has their number.

        Raises:
            InputError: all documents were left out.
        """
        number = len(self.left_out)
        if not number:
            return self.counts
        if self.counts is None:
            which = f"{{the only document was|all {number} documents were}} left out"
            problem = f"{agree(which, number)}; the first problem: {self.left_out[0].problem}"
            raise InputError(problem)
        warn(
            "{n} {document|documents} cannot be counted and {was|were} left out: {names}",
            [each.document for each in self.left_out],
        )
        settings = {**self.counts.settings, "left_out": str(number)}
        return replace(self.counts, settings=settings)


def merge(
    results: Iterable[Result],
    *,
    again: bool = False,
    alone: bool = True,
    setup: Setup | None = None,
) -> Merged:
    """Merge the results of all parts, and issue each warning of the parts once.

    Args:
        results: the results of the parts, in order.
        again: whether the corpus can be counted at once instead. If two parts then have the same
            document, the result is ``repeated``, without counts and warnings.
        setup: the setup, if parts may have different names (:mod:`.found_names`).
        alone: whether an error of a part is raised; otherwise the result is ``repeated``, too.

    Raises:
        InputError: the first error of a part, or two parts have the same document.
    """
    gathering = Gathering()
    raised: list[Warning] = []
    left_out: list[LeftOut] = []
    known: set[str] = set()
    uniting = Uniting(setup) if setup else None
    for result in results:
        if result.error is not None:
            if again and not alone:
                return Merged(None, repeated=True)
            _warn_all(raised)
            raise result.error
        raised += result.warnings
        if uniting:
            uniting.add(result.names, result.warnings)
        left_out += result.left_out
        if result.counts is None:
            continue
        gathering.add(result.counts)
        keys = set(map(_document_key, result.counts.documents))
        if len(keys) < len(result.counts.documents) or not known.isdisjoint(keys):
            if again:
                return Merged(None, repeated=True)
            raise InputError(
                "several batches have documents with the same name",
                remedy="Pass each document once, both sides in the same order",
            )
        known |= keys
    if uniting is None:
        counts = gathering.finish()
    else:
        raised = uniting.join(raised)
        try:
            counts = uniting.unite(gathering.list_parts())
        except InputError:
            return Merged(None, repeated=True)
    _warn_all(raised)
    return Merged(counts, left_out)


def _document_key(name: str) -> str:
    """Return the key that all names of a document share; the name itself if it is that key."""
    key = name.lower().removesuffix(".txt")
    return name if key == name else key


def about_input(raised: Iterable[Warning]) -> list[InputWarning]:
    """Return the warnings that are about the input."""
    return [warning for warning in raised if isinstance(warning, InputWarning)]


def _warn_all(raised: Sequence[Warning]) -> None:
    others = [warning for warning in raised if not isinstance(warning, InputWarning)]
    for warning in (*join_warnings(about_input(raised)), *others):
        warn_user(warning)


def write_left_out(left_out: Iterable[LeftOut], path: Source) -> None:
    """Write JSON Lines of objects with ``document`` and ``problem``, without text of notes.

    Raises:
        InputError: the file cannot be written.
    """
    lines = (
        json.dumps({"document": each.document, "problem": each.problem}, ensure_ascii=False)
        for each in left_out
    )
    write_file(Path(path), "".join(f"{line}\n" for line in lines))


class Gathering:
    """Counts of parts, in their order; parts with the same settings share one table."""

    def __init__(self) -> None:
        self._alike: list[tuple[list[Counts], list[NumberArray]]] = []

    def add(self, counts: Counts) -> None:
        """Append the counts of a part."""
        last = self._alike[-1][0][0] if self._alike else None
        if last is None or (last.kind, last.columns) != (counts.kind, counts.columns):
            self._alike.append(([], []))
        parts, tables = self._alike[-1]
        parts.append(replace(counts, cells=counts.cells[:0].copy()))
        tables.append(_narrow(counts.cells))

    def list_parts(self) -> list[Counts]:
        """Return the counts of all parts; parts with the same settings are one."""
        few = sum(table.size for _, tables in self._alike for table in tables) <= _MOST_CELLS
        return [
            replace(
                Counts.sum(parts), cells=np.concatenate(tables, dtype=np.float64 if few else None)
            )
            for parts, tables in self._alike
        ]

    def finish(self) -> Counts | None:
        """Return the counts of all parts; None if there were none.

        Raises:
            InputError: as in :meth:`Counts.sum <clineval.Counts.sum>`.
        """
        found = self.list_parts()
        return Counts.sum(found) if len(found) > 1 else next(iter(found), None)


def _narrow(cells: NumberArray) -> NumberArray:
    """Return counts in the smallest type that holds exactly these numbers."""
    largest = cells.max(initial=0)
    whole = not np.signbit(cells).any() and np.array_equal(cells, np.floor(cells))
    kinds = (np.uint8, np.uint16, np.uint32) if whole else ()
    fitting = (kind for kind in kinds if largest <= np.iinfo(kind).max)
    return cells.astype(next(fitting, cells.dtype))
