"""ClinAIS 2023, sections of Spanish clinical notes: the boundaries' B2.

The unit is a boundary: the token with which a section begins, and the section's label. Sections
follow one another and can begin inside a sentence. Each note has one label or None per token, on
both sides; sections may also be given as character offsets with the text, whose tokens are what
stands between white space (the first token of a section carries its label), or in the task's
JSON, whose items are the tokens.

The two sides of a note are aligned by Fournier's boundary edit distance. M are boundaries that
match; T transpositions, boundaries of the right label that are 1 to ``n_t - 1`` tokens off (n_t =
40); S substitutions, of another label at the same token; A additions, gold boundaries that were
missed, and deletions, predicted ones that are spurious. The search is greedy: nearest
transpositions first, then from left to right; one that would undo two substitutions is passed
over, so two sections in the wrong order are two substitutions.

With the edits of a note, n additions and deletions together, and d the displacement of a
transposition in tokens:

    w_A(n) = n (0.75 + tanh((n - 1.5) - 2) / 4)          0 for n = 0
    w_S(n) = 1.3 n
    w_t(d) = 0.35 + tanh((d - 15) / 10) / 3              0 for d <= 2;    w_T = sum of w_t
    E  = w_A(|A|) + w_S(|S|) + w_T
    D  = |A| + |S| + |T| + |M| + (|T| - w_T)
    b2 = max(0, D - E) / D                               1 for D = 0

    b  = (|M| + |A| + |S| + |T| - e) / (|M| + |A| + |S| + |T|)      1 if there is no boundary

where e is the number of edits (Fournier's B with unweighted edits), or with
``b_weights="scaled"`` |A| + |S| + sum of d / n_t, as segeval weighs transpositions; labels have
no order, so a substitution counts 1. Both scores lie between 0 and 1.

A corpus has the means of its notes' scores, weighted by their numbers of gold boundaries. A note
without a gold boundary weighs nothing; if no note has one, all notes weigh the same. Moving a
boundary by 1 or 2 tokens is free. The published formula of w_A leaves out the factor n, and no
publication mentions that b2 is not below 0: both are the released code's.

There is one protocol. ``protocol="official"`` is accepted and gives the same numbers, as the
specification follows the released code: its B2 is this one wherever it gives one. It gives none
(it stops with an error) if a note has no boundary on either side, no note a gold boundary, or a
note no prediction; here such a note scores 1, as said above, or all its boundaries were missed.
Predicted notes that are not in the gold standard, which the code passes over, have no gold
boundary and so weigh nothing. The code calls spurious boundaries "additions" and missed ones
"deletions"; here both have their right names under either protocol.

Sources: ClinAIS@IberLEF 2023, Evaluation Scripts; De la Iglesia et al., Overview of ClinAIS at
IberLEF 2023; Fournier, Evaluating Text Segmentation using Boundary Edit Distance, ACL 2013.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from clineval.analysis.outcomes import NONE, Match, Outcomes
from clineval.arrays import Coded, FloatArray, IntArray, find_first
from clineval.challenge import Challenge, Grid
from clineval.counts import Counts
from clineval.digest import digest_documents
from clineval.errors import InputError, shown
from clineval.formats.notes import read_both
from clineval.mentions.columns import MentionColumns
from clineval.official.clinais23_b2 import format_report
from clineval.scores import Number, Totals, ratio
from clineval.sections.boundary_edits import (
    ADDITION,
    DELETION,
    KINDS,
    MATCH,
    SUBSTITUTION,
    TRANSPOSITION,
    Boundaries,
    Edits,
    find_edits,
)
from clineval.sections.segmentation import Segmentation, join_notes

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


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the weights; the defaults are the task's.

    Args:
        substitution: weight of a substitution.
        addition_base: weight of one addition or deletion, midway between few and many of them.
        addition_divisor: how little the weight of one differs from that between few and many.
        addition_midpoint: number of additions and deletions that is midway.
        transposition_free: displacement up to which a transposition weighs nothing.
        transposition_base: weight of a transposition of medium displacement.
        transposition_divisor: how little the weight differs between near and far.
        transposition_midpoint: medium displacement, in tokens.
        transposition_width: how many tokens it takes from near to medium.

    Examples:
        >>> task = Weights()
        >>> task.of_misses(np.array([0, 1, 2])).round(7).tolist()
        [0.0, 0.5033464, 1.0474259]
        >>> task.of_displacements(np.array([2, 3, 39])).round(7).tolist()
        [0.0, 0.0721151, 0.6778916]
    """

    substitution: float = 1.3
    addition_base: float = 0.75
    addition_divisor: float = 4.0
    addition_midpoint: float = 3.5
    transposition_free: float = 2.0
    transposition_base: float = 0.35
    transposition_divisor: float = 3.0
    transposition_midpoint: float = 15.0
    transposition_width: float = 10.0

    def of_misses(self, n: IntArray) -> FloatArray:
        """w_A: the weight of ``n`` additions and deletions together."""
        slope = np.tanh(n - self.addition_midpoint) / self.addition_divisor
        weights: FloatArray = n * (self.addition_base + slope)
        return weights

    def of_displacements(self, d: IntArray) -> FloatArray:
        """w_t: the weight of one transposition, for each displacement ``d`` >= 0."""
        steps = (d - self.transposition_midpoint) / self.transposition_width
        weights = self.transposition_base + np.tanh(steps) / self.transposition_divisor
        return np.where(d <= self.transposition_free, 0.0, weights)

    @property
    def label(self) -> str:
        """For the signature: ``clinais``, or the constants that are not the task's."""
        task = asdict(Weights())
        changed = [
            f"{name}={value!r}" for name, value in asdict(self).items() if value != task[name]
        ]
        return ",".join(changed) or "clinais"


WeightSource = str | os.PathLike[str] | Mapping[str, float] | Weights
CLINAIS = Weights()
PROTOCOLS = {"spec": CLINAIS, "official": CLINAIS}


@dataclass(frozen=True, slots=True, eq=False)
class Alignment(Sequence[dict[str, Any]]):
    """The boundaries of a corpus, what became of them, and what each edit costs.

    As a sequence it has one dict for each note, made when it is asked for: ``edits``, dicts with
    ``kind`` (addition, deletion, substitution or transposition), ``position`` (token of the gold
    boundary, of a deletion that of the predicted one), ``displacement`` (tokens from the gold to
    the predicted boundary), ``gold`` and ``prediction`` (labels, None where there is no
    boundary) and ``cost``; and ``matched``, dicts with ``position`` and ``label``. The costs of a
    note add up to E; additions and deletions share theirs evenly.

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


def align(
    predictions: Any,
    references: Any,
    *,
    n_t: int = 40,
    weights: WeightSource = "clinais",
    labels: Iterable[str] = LABELS,
) -> Alignment:
    """The edits of each note; the arguments are those of :func:`count`.

    Examples:
        >>> gold = [["EXPLORATION", None, None, "TREATMENT", None, None, None, None]]
        >>> late = [["EXPLORATION", None, None, None, None, None, "TREATMENT", None]]
        >>> [edit] = align(late, gold)[0]["edits"]
        >>> edit["kind"], edit["position"], edit["displacement"], round(edit["cost"], 4)
        ('transposition', 3, 3, 0.0721)
    """
    reach, weighing = _read_n_t(n_t), read_weights(weights)
    predicted, gold = read_both(predictions, references)
    segmentation = join_notes(gold, predicted, _read_labels(labels))
    edits = find_edits(segmentation.gold, segmentation.prediction, reach)
    costs = weigh(edits, len(segmentation.documents), weighing)
    return Alignment(segmentation, edits, costs)


def count(  # noqa: PLR0913 - the options are the challenge's
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    n_t: int = 40,
    weights: WeightSource = "clinais",
    b_weights: str = "unweighted",
    labels: Iterable[str] = LABELS,
) -> Counts:
    """Count edits note by note.

    Args:
        predictions: the path of a file in the task's JSON; or for each note a list of labels,
            one for each token, None where no section begins; or a dict with ``text`` and
            ``sections``, a list of ``{"start", "end", "label"}``; or an entry of the JSON.
        references: as the predictions; the same file may hold both.
        config: ``default``, there is no other.
        protocol: ``spec`` or ``official``, which give the same numbers.
        n_t: a transposition has a displacement of at most ``n_t - 1`` tokens.
        weights: ``clinais``, or :class:`Weights`, or a mapping (or the path of a JSON file) of
            those of its fields that are to have other values.
        b_weights: ``unweighted`` or ``scaled``: what a transposition counts in B.
        labels: the labels that sections can have; the task's seven unless others are named.
    """
    if b_weights not in ("unweighted", "scaled"):
        raise InputError(
            f"unknown b_weights {shown(b_weights)}, expected one of unweighted, scaled"
        )
    weighing = read_weights(weights)
    alignment = align(predictions, references, n_t=n_t, weights=weighing, labels=labels)
    columns = _tabulate(alignment, n_t if b_weights == "scaled" else None)
    settings = {"protocol": protocol, "n_t": str(n_t), "weights": weighing.label, "b": b_weights}
    return Counts(
        CHALLENGE.name,
        config,
        settings,
        tuple(columns),
        alignment.segmentation.documents,
        np.column_stack([*columns.values()]).astype(np.float64),
        digest_documents(
            _as_mentions(alignment.segmentation.gold, alignment.segmentation.labels),
            len(alignment),
        ),
        alignment,
    )


def list_outcomes(  # noqa: PLR0913 - as count
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    n_t: int = 40,
    weights: WeightSource = "clinais",
    b_weights: str = "unweighted",
    labels: Iterable[str] = LABELS,
) -> Outcomes:
    """What became of every boundary; the arguments are those of :func:`count`.

    The scores of a group are its numbers of edits: B2 is that of whole notes.
    """
    del protocol, b_weights  # on which the edits do not depend
    alignment = align(predictions, references, n_t=n_t, weights=weights, labels=labels)
    segmentation = alignment.segmentation
    edits = alignment.edits.take(np.argsort(_PAIRS_FIRST[alignment.edits.kind], kind="stable"))
    moved = np.where(edits.gold == NONE, 0, edits.displacement)
    match = Match(
        segmentation.gold.find(edits.note, edits.position, edits.gold != NONE),
        segmentation.prediction.find(edits.note, edits.position + moved, edits.prediction != NONE),
        edits.kind,
        KINDS,
        dict(zip(_NUMBERS, ((kind,) for kind in KINDS), strict=True)),
    )
    return Outcomes(
        CHALLENGE.name,
        config,
        segmentation.documents,
        _as_mentions(segmentation.gold, segmentation.labels),
        _as_mentions(segmentation.prediction, segmentation.labels),
        {"edits": match},
        "edits",
        finish=lambda totals, _: dict(totals),
    )


def weigh(edits: Edits, notes: int, weights: Weights) -> FloatArray:
    """``[e]``, the cost of each edit; those of a note's additions and deletions are equal."""
    costs = np.zeros(len(edits))
    costs[edits.kind == SUBSTITUTION] = weights.substitution
    moved = edits.kind == TRANSPOSITION
    costs[moved] = weights.of_displacements(np.abs(edits.displacement[moved]))
    misses = edits.numbers(ADDITION, notes) + edits.numbers(DELETION, notes)
    each = np.asarray(ratio(weights.of_misses(misses), misses.astype(np.float64)))
    missed = (edits.kind == ADDITION) | (edits.kind == DELETION)
    costs[missed] = each[edits.note[missed]]
    return costs


def read_weights(given: WeightSource) -> Weights:
    """The weights that the option ``weights`` asks for.

    Examples:
        >>> read_weights({"substitution": 1}).label
        'substitution=1.0'
    """
    if isinstance(given, Weights):
        return given
    if given == "clinais":
        return CLINAIS
    where = "weights"
    if isinstance(given, (str, os.PathLike)):
        where = str(given)
        given = _read_json(Path(given))
    if not isinstance(given, Mapping):
        raise InputError(f"expected names and numbers, got {shown(given)}", where=where)
    known = [field.name for field in fields(Weights)]
    for name, value in given.items():
        if name not in known:
            raise InputError(
                f"unknown weight {shown(name)}, expected one of {', '.join(known)}", where=where
            )
        _check_weight(name, value, where)
    return Weights(**{name: float(value) for name, value in given.items()})


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    """Scores from totals; see the top of the file for the formulas."""
    return {
        "b2": _mean("b2", totals),
        "b": _mean("b", totals),
        **{name: totals[name] for name in _NUMBERS},
    }


_PAIRS_FIRST = np.array([kind in (ADDITION, DELETION) for kind in range(len(KINDS))])
_NUMBERS = ("matches", "additions", "deletions", "substitutions", "transpositions")


def _mean(score: str, totals: Totals) -> Number:
    """The weighted mean over notes; the plain one if there is no weight at all."""
    weight = totals["weight"]
    plain = ratio(totals[f"{score}_sum"] * (weight == 0), totals["notes"])
    return ratio(totals[f"weighted_{score}"], weight) + plain


def _tabulate(alignment: Alignment, scale: int | None) -> dict[str, IntArray | FloatArray]:
    """One row for each note: its edits, its weight, and its scores plain and weighted."""
    edits, notes = alignment.edits, len(alignment)
    match, addition, deletion, substitution, transposition = (
        edits.numbers(kind, notes)
        for kind in (MATCH, ADDITION, DELETION, SUBSTITUTION, TRANSPOSITION)
    )
    rows = edits.sums(np.ones(len(edits)), notes)
    moved = np.where(edits.kind == TRANSPOSITION, alignment.costs, 0.0)
    doubled = transposition - edits.sums(moved, notes)
    scores = {
        "b2": _similarity(edits.sums(alignment.costs, notes), rows + doubled),
        "b": _similarity(edits.sums(_plain_costs(edits, scale), notes), rows),
    }
    for score in scores.values():
        score[rows == 0] = 1.0
    weight = np.bincount(alignment.segmentation.gold.note, minlength=notes)
    counts = zip(_NUMBERS, (match, addition, deletion, substitution, transposition), strict=True)
    return {
        **dict(counts),
        "notes": np.ones(notes),
        "weight": weight,
        **{f"{name}_sum": score for name, score in scores.items()},
        **{f"weighted_{name}": score * weight for name, score in scores.items()},
    }


def _similarity(cost: FloatArray, size: FloatArray) -> FloatArray:
    """max(0, D - E) / D, from 0 to 1 even where weights of one's own make D or E negative."""
    most = np.maximum(size, 0.0)
    return np.asarray(ratio(np.clip(size - cost, 0.0, most), most))


def _plain_costs(edits: Edits, scale: int | None) -> FloatArray:
    """Each edit counts 1; or if scaled, a transposition ``displacement / scale``."""
    costs: FloatArray = (edits.kind != MATCH).astype(np.float64)
    if scale is not None:
        moved = edits.kind == TRANSPOSITION
        costs[moved] = np.abs(edits.displacement[moved]) / scale
    return costs


def _as_mentions(side: Boundaries, labels: tuple[str, ...]) -> MentionColumns:
    """The boundaries of one side as mentions of one token."""
    return MentionColumns(
        side.note,
        np.arange(len(side) + 1),
        side.position,
        side.position + 1,
        {"label": Coded(side.label, labels)},
        Coded(np.zeros(len(side), np.int32), ("",)),
    )


def _read_n_t(n_t: Any) -> int:
    if isinstance(n_t, bool) or not isinstance(n_t, (int, np.integer)) or n_t < 1:
        raise InputError(f"n_t: expected an integer from 1 on, got {shown(n_t)}")
    return int(n_t)


def _read_labels(labels: Any) -> tuple[str, ...]:
    named = tuple(labels) if isinstance(labels, Iterable) and not isinstance(labels, str) else ()
    if not named or not all(isinstance(label, str) and label for label in named):
        raise InputError(f"labels: expected a list of strings, got {shown(labels)}")
    return named


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}",
            where=str(path),
            remedy="Give weights as 'clinais' or as a JSON file",
        ) from None
    except ValueError:
        raise InputError("not JSON", where=str(path)) from None


def _check_weight(name: str, value: Any, where: str) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
        raise InputError(f"{name}: expected a number from 0 on, got {shown(value)}", where=where)
    if value == 0 and name.endswith(("_divisor", "_width")):
        raise InputError(f"{name}: expected a number above 0, got 0", where=where)


CHALLENGE = Challenge(
    name="clinais23_b2",
    title="ClinAIS 2023: Identification of Sections in Clinical Documents in Spanish",
    configs={"default": "section boundaries"},
    protocols=PROTOCOLS,
    differences=(),
    count=count,
    finish=finish,
    grids=(
        Grid(
            "Section boundaries, mean of notes weighted by gold boundaries",
            ("B2", "B"),
            {"all": ("b2", "b")},
        ),
        Grid("Boundaries and edits", _NUMBERS, {"all": _NUMBERS}),
    ),
    homepage="https://ixa2.si.ehu.eus/clinais/",
    citation="""\
@article{delaiglesia-etal-2023-clinais,
    title = "Overview of {ClinAIS} at {IberLEF} 2023: Automatic Identification of Sections in
        Clinical Documents in {S}panish",
    author = "De la Iglesia, Iker and Viv{\\'o}, Mar{\\'i}a and Chocr{\\'o}n, Paula and
        de Maeztu, Gabriel and Gojenola, Koldo and Atutxa, Aitziber",
    journal = "Procesamiento del Lenguaje Natural",
    volume = "71",
    pages = "289--299",
    doi = "10.26342/2023-71-22",
    year = "2023",
}
@inproceedings{fournier-2013-evaluating,
    title = "Evaluating Text Segmentation using Boundary Edit Distance",
    author = "Fournier, Chris",
    booktitle = "Proceedings of the 51st Annual Meeting of the Association for Computational
        Linguistics (Volume 1: Long Papers)",
    year = "2013",
    pages = "1702--1712",
}""",
    shown_per_document=("b2", "b", *_NUMBERS),
    headline=("b2", "b"),
    one_file=True,
    layouts={"clinais": format_report},
    outcomes=list_outcomes,
)
