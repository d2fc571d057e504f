"""Counts, one row for each document.

Counts are the only thing that is ever added, stored, resampled or sent to another machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import FloatArray, NumberArray, expect_all
from clineval.base.errors import InputError, agree
from clineval.base.files import Source, as_path, write_file
from clineval.base.ratios import Number, Totals
from clineval.results.challenge import Challenge
from clineval.results.counts_json import Stored, check_counts, read_counts, read_file, write_counts
from clineval.results.measures import Measures
from clineval.results.registry import find_challenge
from clineval.results.resampled import MOST_WEIGHTED, warn_of_labels

if TYPE_CHECKING:  # few scores need labels
    from clineval.results.label_rows import LabelRows

SomeCounts = TypeVar("SomeCounts", bound="Counted")
_CELLS = 2_000_000
"""Cells of the weights of single documents that are held at once: 16 MB."""
READ = "n_"
"""Prefix of columns that were counted while predictions were read; no score depends on them."""


def list_counts(kind: type[SomeCounts], counts: object) -> list[SomeCounts]:
    """Return a list of counts; also accept a single object.

    Raises:
        InputError: not all of them are counts.
    """
    return expect_all(kind, counts, "a result of clineval.count")


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Counts of a challenge; :class:`clineval.Counts` can be scored too."""

    challenge: Challenge
    config: str
    settings: Mapping[str, str]
    columns: tuple[str, ...]
    documents: tuple[str, ...]
    cells: NumberArray
    digests: NDArray[np.uint64]
    details: Sequence[Mapping[str, Any]] = ()
    labels: LabelRows | None = None

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def table(self) -> FloatArray:
        """``[d, k]``, the counts; a copy if they are held in a smaller type."""
        return self.cells.astype(np.float64, copy=False)

    def __repr__(self) -> str:
        documents = agree("{n} {document|documents}", len(self))
        return f"Counts({self.metric!r}, {self.config!r}, {documents})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counted):
            return NotImplemented
        names, of_other = ((c.kind, c.columns, c.documents) for c in (self, other))
        arrays = ((self.cells, other.cells), (self.digests, other.digests))
        same = names == of_other and self.labels == other.labels
        return same and all(np.array_equal(*both) for both in arrays)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Self) -> Self:
        """Add up the counts of two corpora.

        Raises:
            InputError: the two belong to different challenges, protocols or options.
        """
        return self.sum((self, other))

    @classmethod
    def sum(cls, parts: Iterable[Self]) -> Self:
        """Add up the counts of many corpora, faster than one by one with ``+``.

        Raises:
            InputError: there are no counts, or they belong to different challenges, protocols or
                options.

        Examples:
            >>> import clineval
            >>> gold = [[{"spans": [[4, 15]], "cui": "C0344720"}]]
            >>> parts = [clineval.count("semeval15_task14", gold, gold).named(f"note-{k}")
            ...          for k in range(3)]
            >>> whole = clineval.Counts.sum(parts)
            >>> whole.documents, whole.score()["strict_tp"]
            (('note-0', 'note-1', 'note-2'), 3)
        """
        every = list_counts(cls, parts)
        if not every:
            raise InputError("no counts to add", remedy="Count at least an empty document")
        from clineval.results.label_rows import join_rows

        first = every[0]
        if any((of.kind, of.columns) != (first.kind, first.columns) for of in every):
            every = list(first.challenge.steps.unite(every))
            first = every[0]
        for other in every[1:]:
            first.check_same_kind(other)
        return replace(
            first,
            documents=tuple(chain.from_iterable(part.documents for part in every)),
            cells=np.concatenate([part.cells for part in every]),
            digests=np.concatenate([part.digests for part in every]),
            details=tuple(chain.from_iterable(part.details for part in every)),
            labels=join_rows([part.labels for part in every]),
        )

    def check_same_kind(self, other: Counted) -> None:
        """Reject counts that cannot be added to these, and name the settings that differ."""
        if self.kind != other.kind or self.columns != other.columns:
            differing = sorted(dict(self.kind.items() ^ other.kind.items())) or ["columns"]
            raise InputError(
                f"counts that differ in {', '.join(differing)} cannot be added",
                remedy="Count both with the same options. Default labels and weights='references' "
                "depend on the corpus: pass labels=[...], or write the weights to a file first "
                "(clineval prevalence)",
            )

    def only(self, columns: Sequence[str], **settings: str) -> Self:
        """Return a copy with only some columns, and with other values of some settings."""
        cells = self.cells[:, [self.columns.index(name) for name in columns]]
        return replace(
            self, columns=tuple(columns), cells=cells, settings={**self.settings, **settings}
        )

    def named(self, *names: str) -> Self:
        """Return a copy with other names of documents.

        Documents without ids that are counted one by one are all called ``0``.

        Raises:
            InputError: the number of names is not the number of documents.
        """
        if len(names) != len(self):
            held = agree("{n} {document|documents}", len(self))
            raise InputError(f"{len(names)} names for {held}")
        return replace(self, documents=names)

    def __reduce__(self) -> tuple[object, ...]:
        # a challenge holds functions, so it travels between processes by its name
        return self._restore, (self._stored,)

    @property
    def _stored(self) -> Stored:
        """The fields, with the challenge as its name."""
        stored: Stored = {
            "metric": self.metric,
            "config": self.config,
            "settings": dict(self.settings),
            "columns": self.columns,
            "documents": self.documents,
            "table": self.table,
            "digests": self.digests,
            "details": list(self.details),
        }
        if self.labels is not None:
            stored["labels"] = self.labels
        return stored

    @property
    def metric(self) -> str:
        """The challenge's module name."""
        return self.challenge.name

    @property
    def kind(self) -> Mapping[str, str]:
        """The settings that two counts must share to be added."""
        return {"metric": self.metric, "config": self.config, **self.settings}

    @property
    def totals(self) -> dict[str, float]:
        """The sum of each column over all documents, rounded once, independent of their order."""
        cells = self.cells
        sums = cells.sum(axis=0, dtype=np.float64)
        if cells.dtype != np.float64:  # they are whole numbers
            return dict(zip(self.columns, sums.tolist(), strict=True))
        whole = (cells == np.floor(cells)).all(axis=0)
        return {
            name: float(sums[k]) if whole[k] else fsum(cells[:, k].tolist())
            for k, name in enumerate(self.columns)
        }

    @property
    def references(self) -> str:
        """A digest of all reference annotations, independent of the order of documents.

        It covers offsets, codes and slots, but neither texts nor the names of documents.
        """
        return f"{int(self.digests.sum(dtype=np.uint64)) >> 40:06x}"

    @property
    def weighed(self) -> LabelRows | None:
        """The labels, if any score needs them."""
        needed = self.labels is not None and self._measures.needs(self.labels)
        return self.labels if needed else None

    @property
    def rows(self) -> FloatArray:
        """``[d, k]``, the table; if scores need labels, with further columns for the weights.

        Weights allow :meth:`finish` to compute the scores of any sum of rows. They are left out if
        there are more than :data:`MOST_WEIGHTED` documents; a warning counts the scores that need
        them.
        """
        labels = self.weighed
        if labels is None:
            return self.table
        if len(self) <= MOST_WEIGHTED:
            return np.hstack([self.table, labels.eye()])
        warn_of_labels(self)
        return self.table

    @property
    def order(self) -> FloatArray:
        """``[d, k]``, columns that differ if the scores of two documents can differ."""
        labels = self.weighed
        if labels is None:
            return self.table
        digests = labels.digests[labels.place] >> np.uint64(40)
        return np.column_stack([self.table, digests.astype(np.float64)])

    def finish(self, table: FloatArray) -> dict[str, FloatArray]:
        """Compute the scores of many totals at once; scores that need labels need their weights.

        ``table`` is ``[n, k]``, a row for each of ``n`` totals of :attr:`rows`. The scores of a key
        are ``[n]``.
        """
        size = len(self.columns)
        totals = dict(zip(self.columns, table[:, :size].T, strict=True))
        weights = table[:, size:] if table.shape[1] > size else None
        scores = self._follow(totals, weights)
        return {key: np.broadcast_to(value, len(table)) for key, value in scores.items()}

    def finish_each(self) -> dict[str, FloatArray]:
        """Compute the scores of each document alone, ``[d]``."""
        if self.weighed is None:
            return self.finish(self.table)
        step = max(1, _CELLS // max(len(self), 1))
        starts = range(0, len(self), step) or range(1)
        parts = [self.take(range(at, min(at + step, len(self)))) for at in starts]
        found = [part.finish(np.hstack([part.table, part.eye])) for part in parts]
        return {key: np.concatenate([each[key] for each in found]) for key in found[0]}

    @property
    def eye(self) -> FloatArray:
        """``[d, w]``, the weights of each document alone; ``w`` is 0 if no score needs labels."""
        labels = self.weighed
        return labels.eye() if labels is not None else np.zeros((len(self), 0))

    def follow(self, totals: Totals) -> dict[str, Number]:
        """Compute the scores of totals, and add the totals that were counted while reading."""
        labels = self.weighed
        if labels is None:
            return self._follow(totals, None)
        found = self._follow(totals, labels.weigh_all())
        return {key: float(np.ravel(value)[0]) for key, value in found.items()}

    def _follow(self, totals: Totals, weights: FloatArray | None) -> dict[str, Number]:
        told = {name: totals[name] for name in self.columns if name.startswith(READ)}
        of_labels: dict[str, Number] = {}
        if self.labels is not None and weights is not None:
            of_labels = self._measures.finish_labels(self.labels, weights, self.config)
        return {**self._measures.finish(totals, self.config), **of_labels, **told}

    @property
    def _measures(self) -> Measures:
        """The measures for the settings of these counts."""
        return self.challenge.measures.under(self.settings)

    def rates(self, table: FloatArray) -> dict[str, FloatArray]:
        """Compute scores as :meth:`finish` does, without the scores that are counts."""
        scores = self.finish(table)
        return {key: value for key, value in scores.items() if key not in self.columns}

    def take(self, rows: Sequence[int]) -> Self:
        """Return the counts of some documents."""
        chosen = list(rows)
        return replace(
            self,
            documents=tuple(self.documents[row] for row in chosen),
            cells=self.cells[chosen],
            digests=self.digests[chosen],
            details=[self.details[row] for row in chosen] if self.details else (),
            labels=self.labels.take(chosen) if self.labels is not None else None,
        )

    def to_json(self) -> str:
        """Write the counts as JSON, which :meth:`from_json` reads back without loss."""
        return write_counts(self._stored)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read counts that :meth:`to_json` wrote.

        Raises:
            InputError: the text is not JSON of this format.
        """
        counts = cls._restore(read_counts(text))
        check_counts(counts.challenge, counts.config, counts.settings, counts.columns, counts.table)
        return counts

    def save(self, path: str | Path) -> None:
        """Write the counts to a JSON file; raise an InputError if it cannot be written."""
        write_file(as_path(path), self.to_json())

    @classmethod
    def load(cls, path: Source) -> Self:
        """Read the counts from a JSON file."""
        return cls.from_json(read_file(path))

    @classmethod
    def _restore(cls, stored: Stored) -> Self:
        return cls(
            find_challenge(stored["metric"]),
            stored["config"],
            stored["settings"],
            stored["columns"],
            stored["documents"],
            stored["table"],
            stored["digests"],
            stored["details"],
            stored.get("labels"),
        )
