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
without a gold boundary weighs nothing; if no note has one, all notes weigh the same.

The released code departs from the published text, and this metric follows the code:

- reach: in the text a boundary can move by up to n_t = 40 tokens, in the code by n_t - 1 = 39. One
  that is 40 tokens off is an addition and a deletion. ``n_t=41`` gives the text's reach.
- small moves: in the text the weight of a transposition approaches 0 as its displacement does, in
  the code moving a boundary by 1 or 2 tokens is free. ``weights={"transposition_free": 0}`` gives
  the text's weights.
- w_A: the published formula leaves out the factor n.
- floor: no publication mentions that b2 is not below 0.

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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import FloatArray, is_iterable
from clineval.results.task import Task
from clineval.results.measures import Measures
from clineval.results.faces import Faces
from clineval.results.challenge import Challenge, Setup
from clineval.results.task import ClassSlot, Demo
from clineval.results.measures import Grid
from clineval.results.options import Option
from clineval.challenges.clinais23_b2.printed import format_report
from clineval.challenges.clinais23_b2.weights import CLINAIS, read_weights, weigh
from clineval.base.errors import InputError, shown
from clineval.formats.clinais import find_problems
from clineval.challenges.clinais23_b2.items import read_systems
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.base.files import Source
from clineval.base.problems import Problem
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.kinds.sections.alignment import Alignment
from clineval.kinds.sections.boundary_edits import (
    ADDITION,
    DELETION,
    KINDS,
    MATCH,
    SUBSTITUTION,
    TRANSPOSITION,
    Edits,
    find_edits,
)
from clineval.kinds.sections.segmentation import NoteSide, Segmentation, join_notes
from clineval.kinds.sections.tagged import as_sections
from clineval.results.challenge import Steps
from clineval.results.views import DocView, ItemCheck, ListView

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


PROTOCOLS = {"spec": CLINAIS, "official": CLINAIS}


def read(
    references: Any,
    predictions: Sequence[Any],
    setup: Setup,  # noqa: ARG001 - all read alike
) -> tuple[NoteSide, list[NoteSide]]:
    """Both sides; a file that is both is read once."""
    return read_systems(references, predictions)


def join(gold: NoteSide, predicted: NoteSide, setup: Setup) -> Segmentation:
    """The boundaries of both sides."""
    return join_notes(gold, predicted, setup["labels"])


def settings(setup: Setup) -> Mapping[str, str]:
    """What the numbers depend on besides the protocol."""
    n_t, weights = str(setup["n_t"]), setup["weights"].label
    return {"n_t": n_t, "weights": weights, "b": setup["b_weights"]}


def pair(segmentation: Segmentation, setup: Setup) -> Alignment:
    """What became of the boundaries; the costs of a note's edits add up to E."""
    edits = find_edits(
        segmentation.gold, segmentation.prediction, setup["n_t"], segmentation.documents
    )
    costs = weigh(edits, len(segmentation.documents), setup["weights"])
    return Alignment(segmentation, edits, costs)


def detail(
    segmentation: Segmentation,  # noqa: ARG001 - the alignment has it
    alignments: Sequence[Alignment],
    setup: Setup,  # noqa: ARG001
) -> Sequence[dict[str, Any]]:
    """The edits of each note."""
    [alignment] = alignments
    return alignment


def list_outcomes(
    segmentation: Segmentation, alignments: Sequence[Alignment], setup: Setup
) -> Outcomes:
    """What became of every boundary.

    The scores of a group are its numbers of edits: B2 is that of whole notes.
    """
    [alignment] = alignments
    match = alignment.as_match(dict(zip(_NUMBERS, ((kind,) for kind in KINDS), strict=True)))
    sides = map(segmentation.as_mentions, (segmentation.gold, segmentation.prediction))
    found = Outcomes.of(setup, segmentation, {"edits": match}, "edits", (next(sides), next(sides)))
    return replace(found, finish=lambda totals, _: dict(totals))


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    """Scores from totals; see the top of the file for the formulas."""
    return {
        "b2": _mean("b2", totals),
        "b": _mean("b", totals),
        **{name: totals[name] for name in _NUMBERS},
    }


_LARGEST_N_T = 2**31 - 1
_NUMBERS = ("matches", "additions", "deletions", "substitutions", "transpositions")


def _mean(score: str, totals: Totals) -> Number:
    """The weighted mean over notes; the plain one if there is no weight at all."""
    weight = totals["weight"]
    plain = ratio(totals[f"{score}_sum"] * (weight == 0), totals["notes"])
    return ratio(totals[f"weighted_{score}"], weight) + plain


def tally(segmentation: Segmentation, alignment: Alignment, setup: Setup) -> Columns:
    """One row for each note: its edits, its weight, and its scores plain and weighted."""
    scale = setup["n_t"] if setup["b_weights"] == "scaled" else None
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
    weight = np.bincount(segmentation.gold.note, minlength=notes)
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


def _parse_n_t(n_t: Any) -> int:
    whole = isinstance(n_t, (int, np.integer)) and not isinstance(n_t, bool)
    if not whole or not 1 <= n_t <= _LARGEST_N_T:
        raise InputError(f"n_t: expected an integer from 1 to {_LARGEST_N_T}, got {shown(n_t)}")
    return int(n_t)


def _parse_labels(labels: Any) -> tuple[str, ...]:
    named = tuple(labels) if is_iterable(labels) and not isinstance(labels, str) else ()
    if not named or not all(isinstance(label, str) and label for label in named):
        raise InputError(f"labels: expected a list of strings, got {shown(labels)}")
    return named


def validate(
    paths: Sequence[Path], labels: Any = LABELS, gold: Source | None = None
) -> Iterator[Problem]:
    """All problems of files of notes, as :func:`~clineval.formats.clinais.find_problems`."""
    return find_problems(paths, labels=_parse_labels(labels), gold=gold)


_LABELS = Option(
    "labels",
    "All labels, with commas between them.",
    default=LABELS,
    kind="names",
    python="the labels that sections can have; the task's seven unless others are named",
    parse=_parse_labels,
)
CHALLENGE = Challenge(
    Task(
        name="clinais23_b2",
        title="ClinAIS 2023: Identification of Sections in Clinical Documents in Spanish",
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
        configs={"default": "section boundaries"},
        kind="sections",
        class_slot=ClassSlot("label", "label"),
        offsets="tokens",
        definition=__doc__,
        file=__file__,
    ),
    protocols=Steps(read, join, pair, tally, list_outcomes, settings=settings, detail=detail).under(
        PROTOCOLS
    ),
    measures=Measures(
        finish=finish,
        grids=(
            Grid(
                "Section boundaries, mean of notes weighted by gold boundaries",
                ("B2", "B"),
                {"all": ("b2", "b")},
            ),
            Grid("Boundaries and edits", _NUMBERS, {"all": _NUMBERS}),
        ),
        ranking={"default": ("b2",)},
        headline=("b2", "b"),
        shown_per_document=("b2", "b", *_NUMBERS),
        layouts={"clinais": format_report},
    ),
    options=(
        Option(
            "n_t",
            "Boundaries move by less than this.",
            default=40,
            kind="number",
            flag="--n-t",
            python="a transposition has a displacement of at most n_t - 1 tokens",
            parse=_parse_n_t,
        ),
        Option(
            "weights",
            "clinais, or a file.",
            default="clinais",
            python="clinais, or a Weights, or a mapping (or the path of a JSON file) of those of "
            "its fields that are to have other values",
            parse=read_weights,
        ),
        Option(
            "b_weights",
            "unweighted or scaled, for B.",
            default="unweighted",
            kind="choice",
            choices=("unweighted", "scaled"),
            python="what a transposition counts in B",
        ),
        _LABELS,
    ),
    demo=Demo(
        "ClinAIS 2023: a classifier of windows and a tagger on 6 notes in Spanish",
        "gold.json",
        {"windows": "windows.json", "tagger": "tagger.json"},
    ),
    faces=Faces(
        page=ListView(
            checks=tuple(
                ItemCheck(key, "boundaries", (kind,))
                for key, kind in zip(_NUMBERS, KINDS, strict=True)
            ),
            headline="b2",
            measures={"b2": "B2", "b": "B"},
        ),
        docs=DocView(
            prefix="ais",
            names={"b2": "b2", "b": "b"},
            columns={"default": ("b2", "b")},
            group="clin_sections",
            labels="labels",
        ),
        validate=validate,
        validation_options=(
            _LABELS,
            Option(
                "gold", "The gold standard, whose tokens the predictions are to have.", kind="file"
            ),
        ),
        one_file=True,
        build=as_sections,
    ),
)
