"""What became of the boundaries of a corpus, and what each edit costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clineval.base.arrays import FloatArray, find_first
from clineval.challenges.clinais23_b2.boundary_edits import ADDITION, DELETION, KINDS, MATCH, Edits
from clineval.challenges.clinais23_b2.segmentation import Segmentation
from clineval.kinds.mentions.match import NONE, Match

_PAIRS_FIRST = np.array([kind in (ADDITION, DELETION) for kind in range(len(KINDS))])


@dataclass(frozen=True, slots=True, eq=False)
class Alignment(Sequence[dict[str, Any]]):
    """The boundaries of a corpus, what became of them, and what each edit costs.

    As a sequence it has one dict for each note, made when it is asked for: ``edits``, dicts with
    ``kind`` (addition, deletion, substitution or transposition), ``position`` (token of the gold
    boundary, of a deletion that of the predicted one), ``displacement`` (tokens from the gold to
    the predicted boundary), ``gold`` and ``prediction`` (labels, None where there is no
    boundary) and ``cost``; and ``matched``, dicts with ``position`` and ``label``.

    Args:
        segmentation: the boundaries of both sides.
        edits: what became of them.
        costs: ``[e]``, weight of each edit; 0 for a match.
    """

    segmentation: Segmentation
    edits: Edits
    costs: FloatArray

    def __len__(self) -> int:
        return len(self.segmentation.documents)

    def __getitem__(self, note: Any) -> Any:
        if isinstance(note, slice):
            return [self[k] for k in range(*note.indices(len(self)))]
        at = range(len(self))[note]
        low, high = find_first(self.edits.note, [at, at + 1])
        rows = [self._describe(row) for row in range(low, high)]
        matched = [row for row in rows if row["kind"] == KINDS[MATCH]]
        return {
            "edits": [row for row in rows if row["kind"] != KINDS[MATCH]],
            "matched": [{"position": row["position"], "label": row["gold"]} for row in matched],
        }

    def _describe(self, row: int) -> dict[str, Any]:
        edits, labels = self.edits, (*self.segmentation.labels, None)
        return {
            "kind": KINDS[edits.kind[row]],
            "position": int(edits.position[row]),
            "displacement": int(edits.displacement[row]),
            "gold": labels[edits.gold[row]],
            "prediction": labels[edits.prediction[row]],
            "cost": float(self.costs[row]),
        }

    def as_match(self, columns: Mapping[str, tuple[str, ...]]) -> Match:
        """List what became of every boundary, pairs first; a column counts some kinds of edits."""
        edits = self.edits.take(np.argsort(_PAIRS_FIRST[self.edits.kind], kind="stable"))
        moved = np.where(edits.gold == NONE, 0, edits.displacement)
        gold, prediction = self.segmentation.gold, self.segmentation.prediction
        return Match(
            gold.find(edits.note, edits.position, edits.gold != NONE),
            prediction.find(edits.note, edits.position + moved, edits.prediction != NONE),
            edits.kind,
            KINDS,
            columns,
        )
