"""Read, align and count ClinAIS 2023 as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import FloatArray, find_first, is_iterable, is_whole
from clineval.base.errors import InputError, shown
from clineval.base.files import Source
from clineval.base.problems import Problem
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.challenges.clinais23_b2.boundary_edits import (
    ADDITION,
    DELETION,
    KINDS,
    MATCH,
    TRANSPOSITION,
    Edits,
    find_edits,
)
from clineval.challenges.clinais23_b2.weights import weigh
from clineval.formats.checking import find_in_path
from clineval.formats.note_json import check, read_notes, read_shared, read_side
from clineval.kinds.mentions.rows import CountedVerdicts, Rows
from clineval.kinds.sections.kind import SectionKind
from clineval.kinds.sections.segmentation import NoteSide, Segmentation, join_notes
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.formulas import Formula
from clineval.results.match import NONE, Match
from clineval.results.measures import Finish, Grid, Measure
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, declare_settings
from clineval.results.task import ClassSlot
from clineval.results.views import ItemCheck

Edit = dict[str, Any]
"""An edit of a note, or all edits and matches of a note, as in ``per_document``."""
_PAIRS_FIRST = np.array([kind in (ADDITION, DELETION) for kind in range(len(KINDS))])


@dataclass(frozen=True, slots=True, eq=False)
class Alignment(Sequence[Edit]):
    """The boundaries of a corpus, their edits, and the cost of each edit.

    As a sequence it has one dict for each note, built on access. ``edits`` lists dicts with
    ``kind`` (addition, deletion, substitution or transposition), ``position`` (token of the gold
    boundary; for a deletion, of the predicted one), ``displacement`` (tokens from the gold to the
    predicted boundary), ``gold`` and ``prediction`` (labels, None if there is no boundary) and
    ``cost``. ``matched`` lists dicts with ``position`` and ``label``.

    Args:
        segmentation: the boundaries of both sides.
        edits: the edits and matches.
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

    def _describe(self, row: int) -> Edit:
        edits, labels = self.edits, (*self.segmentation.labels, None)
        return {
            "kind": KINDS[edits.kind[row]],
            "position": int(edits.position[row]),
            "displacement": int(edits.displacement[row]),
            "gold": labels[edits.gold[row]],
            "prediction": labels[edits.prediction[row]],
            "cost": float(self.costs[row]),
        }

    def as_rows(self, columns: CountedVerdicts) -> Rows:
        """Return the verdict on every boundary; a column counts some kinds of edits."""
        edits = self.edits.take(np.argsort(_PAIRS_FIRST[self.edits.kind], kind="stable"))
        moved = np.where(edits.gold == NONE, 0, edits.displacement)
        gold, prediction = self.segmentation.gold, self.segmentation.prediction
        match = Match(
            gold.find(edits.note, edits.position, edits.gold != NONE),
            prediction.find(edits.note, edits.position + moved, edits.prediction != NONE),
            edits.kind,
            KINDS,
        )
        return Rows(match, self.segmentation.sides, columns)


LABELS = (
    "PRESENT_ILLNESS",
    "DERIVED_FROM/TO",
    "PAST_MEDICAL_HISTORY",
    "FAMILY_HISTORY",
    "EXPLORATION",
    "TREATMENT",
    "EVOLUTION",
)
"""The seven sections of the task."""
NUMBERS = ("matches", "additions", "deletions", "substitutions", "transpositions")
_LARGEST_N_T = 2**31 - 1


class Spec(Protocol[NoteSide, Segmentation, Alignment]):
    """Boundaries aligned by edits, under both protocols; the released script has the same rules."""

    any_class = True
    kind = SectionKind(ClassSlot("label", "label"), "tokens")

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[NoteSide, list[NoteSide]]:
        """Read both sides; the same file on both sides is read once."""
        return super().read(*read_shared(references, predictions), setup)

    def read_side(self, given: object, side: str, _setup: Setup, /) -> NoteSide:
        """Read ClinAIS JSON, lists of labels, or texts with sections."""
        return read_notes(given, "gold" if side == "references" else "prediction")

    def join(self, gold: NoteSide, predicted: NoteSide, setup: Setup, /) -> Segmentation:
        """Join the boundaries of both sides."""
        return join_notes(gold, predicted, setup["labels"])

    def pair(self, segmentation: Segmentation, setup: Setup, /) -> Alignment:
        """Align the boundaries; the costs of a note's edits add up to E."""
        edits = find_edits(
            segmentation.gold, segmentation.prediction, setup["n_t"], segmentation.documents
        )
        costs = weigh(edits, len(segmentation.documents), setup["weights"])
        return Alignment(segmentation, edits, costs)

    def list_matches(
        self, _segmentation: Segmentation, alignment: Alignment, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the verdict on every boundary."""
        columns = dict(zip(NUMBERS, ((kind,) for kind in KINDS), strict=True))
        return {"edits": alignment.as_rows(columns)}

    def complete(
        self, segmentation: Segmentation, alignment: Alignment, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the weight of each note, and its scores without and with weight."""
        scale = setup["n_t"] if setup["b_weights"] == "scaled" else None
        edits, notes = alignment.edits, len(alignment)
        rows = edits.sums(np.ones(len(edits)), notes)
        moved = np.where(edits.kind == TRANSPOSITION, alignment.costs, 0.0)
        doubled = counted["transpositions"] - edits.sums(moved, notes)
        scores = {
            "b2": _similarity(edits.sums(alignment.costs, notes), rows + doubled),
            "b": _similarity(edits.sums(_plain_costs(edits, scale), notes), rows),
        }
        for score in scores.values():
            score[rows == 0] = 1.0
        weight = np.bincount(segmentation.gold.note, minlength=notes)
        return {
            **counted,
            "notes": np.ones(notes),
            "weight": weight,
            **{f"{name}_sum": score for name, score in scores.items()},
            **{f"weighted_{name}": score * weight for name, score in scores.items()},
        }

    def sides(self, segmentation: Segmentation, _setup: Setup, /) -> Sides:
        """Return the boundaries."""
        return segmentation.sides

    def finish(self, _setup: Setup, /) -> Finish:
        """Return the numbers of edits of a group; B2 only exists for whole notes."""
        return lambda totals, _: dict(totals)

    own_settings = declare_settings(
        Setting("n_t", "the largest shift of a boundary in tokens", option="--n-t"),
        Setting("weights", "the costs of edits", option="--weights", literal=False),
        Setting("b", "the weights of B", option="--b-weights"),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        n_t, weights = str(setup["n_t"]), setup["weights"].label
        return {"n_t": n_t, "weights": weights, "b": setup["b_weights"]}

    def detail(
        self, _segmentation: Segmentation, alignments: Sequence[Alignment], _setup: Setup, /
    ) -> Sequence[Edit]:
        """Return the edits of each note."""
        return alignments[0]


def mean(key: str, heading: str) -> Formula:
    """Declare the mean of a score over notes, weighted unless all weights are 0."""

    def compute(totals: Totals) -> Number:
        weight = totals["weight"]
        plain = ratio(totals[f"{key}_sum"] * (weight == 0), totals["notes"])
        return ratio(totals[f"weighted_{key}"], weight) + plain

    title = "Section boundaries, mean of notes weighted by gold boundaries"
    return Formula(key, compute, (title, "all", heading), main=True, short=key)


class Numbers(Measure):
    """The numbers of matches and of edits of each kind."""

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Return the numbers."""
        return {name: totals[name] for name in NUMBERS}

    def tables(self) -> Iterable[Grid]:
        """Lay out the numbers."""
        yield Grid("Boundaries and edits", NUMBERS, {"all": NUMBERS})

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the numbers."""
        for key, kind in zip(NUMBERS, KINDS, strict=True):
            yield ItemCheck(key, "boundaries", (kind,))


def _similarity(cost: FloatArray, size: FloatArray) -> FloatArray:
    """Return max(0, D - E) / D, from 0 to 1 even if a user's weights make D or E negative."""
    most = np.maximum(size, 0.0)
    return np.asarray(ratio(np.clip(size - cost, 0.0, most), most))


def _plain_costs(edits: Edits, scale: int | None) -> FloatArray:
    """Return 1 for each edit, or, if scaled, ``displacement / scale`` for a transposition."""
    costs: FloatArray = (edits.kind != MATCH).astype(np.float64)
    if scale is not None:
        moved = edits.kind == TRANSPOSITION
        costs[moved] = np.abs(edits.displacement[moved]) / scale
    return costs


def parse_n_t(n_t: object) -> int:
    """Parse the option ``n_t``."""
    if is_whole(n_t) and 1 <= n_t <= _LARGEST_N_T:
        return int(n_t)
    raise InputError(f"n_t: expected an integer from 1 to {_LARGEST_N_T}, got {shown(n_t)}")


def parse_labels(labels: object) -> tuple[str, ...]:
    """Parse the option ``labels``."""
    named = tuple(labels) if is_iterable(labels) and not isinstance(labels, str) else ()
    if not named or not all(isinstance(label, str) and label for label in named):
        raise InputError(f"labels: expected a list of strings, got {shown(labels)}")
    return named


def validate(
    paths: Sequence[Path], labels: object = LABELS, gold: Source | None = None
) -> Iterator[Problem]:
    """Yield all problems of files of notes; predictions must have the tokens of ``gold``."""
    side = None if gold is None else read_side(gold, "gold")
    golds = dict(zip(side.documents, side.notes, strict=True)) if side else {}
    read = partial(check, labels=parse_labels(labels), golds=golds)
    for path in paths:
        yield from dict.fromkeys(find_in_path(path, read))
