"""Counts: one row for each document, the only thing that is ever added, stored or sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clineval.arrays import FloatArray
from clineval.errors import InputError

if TYPE_CHECKING:
    from clineval.scores import Score

_FORMAT = "clineval counts 1"


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """What a challenge counted, document by document.

    Counts of two corpora add up to the counts of both together, in any order. Scores follow
    from them at any time, on any machine.

    Args:
        metric: the challenge's module name.
        config: the configuration.
        settings: name to value of everything that the numbers depend on, in the order of the
            signature.
        columns: the names of the ``k`` counts.
        documents: the names of the ``d`` documents.
        table: ``[d, k]``, the counts; whole numbers but for sums of weights.
        digests: ``[d]``, a 64-bit digest of the reference annotations of each document.
        details: what a challenge tells of each document besides numbers, for its row in
            ``per_document``; nothing is ever computed from it. Empty if there is none.
    """

    metric: str
    config: str
    settings: Mapping[str, str]
    columns: tuple[str, ...]
    documents: tuple[str, ...]
    table: FloatArray
    digests: NDArray[np.uint64]
    details: Sequence[dict[str, Any]] = ()

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"Counts({self.metric!r}, {self.config!r}, {len(self)} documents)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return (
            self.kind == other.kind
            and self.columns == other.columns
            and self.documents == other.documents
            and np.array_equal(self.table, other.table)
            and np.array_equal(self.digests, other.digests)
        )

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Counts) -> Counts:
        """The counts of two corpora together.

        Raises:
            InputError: the two were counted for different challenges, protocols or options.
        """
        if self.kind != other.kind:
            differing = sorted(dict(self.kind.items() ^ other.kind.items()))
            raise InputError(
                f"counts that differ in {', '.join(differing)} cannot be added",
                remedy="Count both with the same options; weights='references' depends on the "
                "corpus, so write the weights to a file first (clineval prevalence)",
            )
        return replace(
            self,
            documents=self.documents + other.documents,
            table=np.concatenate([self.table, other.table]),
            digests=np.concatenate([self.digests, other.digests]),
            details=(*self.details, *other.details),
        )

    @property
    def kind(self) -> Mapping[str, str]:
        """All that two counts must have in common to be added."""
        return {"metric": self.metric, "config": self.config, **self.settings}

    @property
    def totals(self) -> dict[str, float]:
        """The sum of each column over all documents, rounded once, whatever their order."""
        sums = self.table.sum(axis=0)
        whole = (self.table == np.floor(self.table)).all(axis=0)
        return {
            name: float(sums[k]) if whole[k] else fsum(self.table[:, k].tolist())
            for k, name in enumerate(self.columns)
        }

    @property
    def references(self) -> str:
        """A digest of all reference annotations, whatever the order of documents.

        It covers offsets, codes and slots, and neither text nor the documents' names.
        """
        return f"{int(self.digests.sum(dtype=np.uint64)) >> 40:06x}"

    def score(
        self,
        *,
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int = 12345,
        interval: str = "percentile",
    ) -> Score:
        """The scores that follow from the counts; the arguments as in ``clineval.score``."""
        from clineval.scores import Score
        from clineval.statistics.confidence import Confidence

        if confidence is None:
            return Score(self)
        return Score(self, Confidence(confidence, n_resamples, seed, interval))

    def take(self, rows: Sequence[int]) -> Counts:
        """The counts of some documents."""
        at = list(rows)
        return replace(
            self,
            documents=tuple(self.documents[row] for row in at),
            table=self.table[at],
            digests=self.digests[at],
            details=[self.details[row] for row in at] if self.details else (),
        )

    def to_json(self) -> str:
        """The counts as JSON; :meth:`from_json` reads it back without loss."""
        return json.dumps(
            {
                "format": _FORMAT,
                "metric": self.metric,
                "config": self.config,
                "settings": dict(self.settings),
                "columns": list(self.columns),
                "documents": list(self.documents),
                "table": self.table.tolist(),
                "digests": self.digests.tolist(),
                "details": list(self.details),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Counts:
        """Read what :meth:`to_json` wrote.

        Raises:
            InputError: something else.
        """
        try:
            stored: dict[str, Any] = json.loads(text)
            if stored["format"] != _FORMAT:
                raise ValueError  # noqa: TRY301
        except (ValueError, TypeError, KeyError):
            raise InputError(f"expected JSON of the format {_FORMAT!r}") from None
        width = len(stored["columns"])
        return cls(
            stored["metric"],
            stored["config"],
            stored["settings"],
            tuple(stored["columns"]),
            tuple(stored["documents"]),
            np.array(stored["table"], np.float64).reshape(-1, width),
            np.array(stored["digests"], np.uint64),
            stored.get("details", ()),
        )

    def save(self, path: str | Path) -> None:
        """Write the counts to a JSON file."""
        Path(path).write_text(self.to_json(), "utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Counts:
        """Read the counts from a JSON file."""
        return cls.from_json(Path(path).read_text("utf-8"))
