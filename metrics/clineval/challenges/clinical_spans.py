"""Labelled spans of any scheme: named entities of data that belong to no challenge.

A mention is one or more fragments of a document with a label; mentions may overlap, nest, and be
discontiguous. Mentions of one document that agree in fragments and label are one mention. The
labels are those of the option ``labels``, and mentions with others are left out; or, without it,
all: then those of the references have scores of their own.

Precision, recall and F1 of mentions, of each label, together (micro), and averaged over the labels
that either side has (macro):

    strict     the same fragments and the same label
    lenient    a character in common and the same label
    boundary   the same fragments, whatever the label

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

The four measures of SemEval-2013 Task 9.1, which go back to MUC-5. Mentions that overlap are
paired; a pair is correct (COR), incorrect (INC) or partial (PAR), a gold mention without a partner
missing (MIS), a prediction without one spurious (SPU):

    strict     COR: same fragments and label; INC: all other pairs
    boundary   COR: same fragments; INC: all other pairs
    partial    COR: same fragments; PAR: all other pairs
    type       COR: same label; INC: all other pairs

    possible = COR + INC + PAR + MIS, the gold mentions
    actual = COR + INC + PAR + SPU, the predictions
    P = (COR + PAR / 2) / actual      R = (COR + PAR / 2) / possible      F1 = 2 P R / (P + R)

What no prediction covers, whatever its label, in all and of each label (see
:mod:`clineval.mentions.leak`): ``leaked_characters`` of ``gold_characters``,
``leaked_mentions`` and ``leaked_whole_mentions``, of which some or all characters leak, of
``gold_mentions``; with ``_share`` after them the shares.

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

Pairs are one to one. Mentions with the same fragments and label come first; then, but for
``lenient`` and ``type``, those with the same fragments; then overlapping ones in the order that the
option ``order`` names; for ``type`` those of the same label before all others. So no mention counts
twice, and nothing depends on the order of the input.

There is one protocol, ``spec``: no challenge stands behind this module, and no script. On flat data
with ``order="position"`` the counts of ``strict``, ``boundary`` and ``partial`` are those of
nervaluate (its ``strict``, ``exact`` and ``partial``), and those of ``type`` its ``ent_type``
wherever no mention overlaps several of the other side. Where mentions of one side overlap, its
counts depend on the order of the input.

Sources: Segura-Bedmar et al., SemEval-2013 Task 9; Chinchor and Sundheim, MUC-5 Evaluation Metrics.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from clineval.arrays import BoolArray
from clineval.challenge import Challenge, ClassSlot, Demo, Grid, Option, Setup
from clineval.errors import InputError, InputWarning, shown
from clineval.formats import brat_columns
from clineval.formats.jsonl import is_jsonl
from clineval.hashing import hash_text
from clineval.inputs.mentions import find_in_documents, read_side
from clineval.inputs.texts import with_texts
from clineval.mentions.closeness import closest
from clineval.mentions.columns import MentionColumns, Side
from clineval.mentions.corpus import Corpus, Reading, join_sides
from clineval.mentions.labelled import (
    LabelScheme,
    finish_labels,
    grid_of_means,
    label_key,
    pair_strict,
)
from clineval.mentions.leak import HEADINGS, finish_leak, grid_of_leak, leak_keys, tally_leak
from clineval.mentions.matching import agreement, others, outside, precedence, same_value
from clineval.mentions.outcomes import (
    MatchKind,
    Outcomes,
    Pairing,
    columns_of,
    join_pairings,
    list_matches,
    tally_matches,
)
from clineval.mentions.overlap import Candidates, Overlap, find_candidates_in_parts, in_words
from clineval.mentions.pairing import Key, Pairs, pair_greedily, pair_same_spans
from clineval.mentions.slots import Slot
from clineval.mentions.tagged import as_mentions
from clineval.paths import Source
from clineval.problems import Problem
from clineval.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.views import MentionView, Preset, check_prf

LABEL = Slot("label", "label", required=True)
SLOTS = (LABEL,)
READING = Reading(strict=True, values="folded", repeats="merged", documents="all")
MATCHES = ("strict", "lenient")
_NAMES = {name: name for name in MATCHES}
ORDERS: Mapping[str, Callable[[Corpus], Sequence[Key]]] = {
    "closest": closest,
    "longest": precedence,
    "position": lambda corpus: precedence(corpus)[2:],
}
"""The orders in which overlapping pairs are accepted."""
_FEW = 8
"""How many labels a signature names."""
_RESERVED = frozenset({"", "macro"})


class _Files:
    """Directories of brat, or ``.ann`` files; the only format besides JSON Lines."""

    FILES: str = brat_columns.FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    @staticmethod
    def document_key(name: str) -> str:
        """Names of brat's documents may lack the ``.txt``."""
        return name.removesuffix(".txt")

    @staticmethod
    def read_side(source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG004
        """Types of brat are the labels."""
        return brat_columns.read_side(source, slots[0], ()).side

    @staticmethod
    def read_strings(strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG004
        """There is no format of strings but JSON."""
        raise InputError(
            "expected documents as lists of dicts, as JSON, or as Documents, got other strings"
        )


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Both sides: JSON Lines, brat, lists of dicts, or Documents."""

    def read_one(given: Any, side: str) -> Side:
        found = read_side(given, SLOTS, strict=True, side=side, text_format=_Files())
        if isinstance(given, (str, os.PathLike)) and found.keys is not None:
            found = replace(found, keys=tuple(map(_Files.document_key, found.keys)))
        return _only_labels(found, setup["labels"], side)

    gold = with_texts(read_one(references, "references"), setup["texts"])
    return gold, [read_one(given, "predictions") for given in predictions]


def _only_labels(side: Side, labels: Sequence[str] | None, name: str) -> Side:
    """The mentions whose labels are scored; a warning counts the others."""
    column = side.mentions.attributes[LABEL.name]
    wanted = np.array([labels is None or value in labels for value in column.values], np.bool_)
    kept = np.flatnonzero(wanted[column.ids]) if len(side.mentions) else column.ids
    dropped = len(side.mentions) - len(kept)
    if not dropped:
        return side
    problem = f"{name}: {{n}} mentions have labels that were not asked for, and do not count"
    warnings.warn(InputWarning(problem, n=dropped), stacklevel=2)
    return replace(side, mentions=side.mentions.take(kept))


def join(gold: Side, predicted: Side, setup: Setup) -> Corpus:  # noqa: ARG001
    """Both sides together."""
    return join_sides(gold, predicted, SLOTS, READING)


def resolve(corpus: Corpus, setup: Setup) -> Setup:
    """The labels of the references, if none were asked for."""
    if setup["labels"] is not None:
        return setup
    column = corpus.gold.columns.attributes[LABEL.name]
    found = [column.values[at] for at in np.unique(column.ids).tolist()]
    return setup.with_options(labels=parse_labels(found))


def parse_labels(labels: Any) -> tuple[str, ...] | None:
    """The labels that are scored.

    Raises:
        InputError: something that is no label, or two whose keys are the same.

    Examples:
        >>> parse_labels("Drug,ADE")
        ('Drug', 'ADE')
    """
    if labels is None:
        return None
    if not isinstance(labels, (str, list, tuple, set, frozenset)):
        raise InputError(f"expected a list of labels, got {shown(labels)}", where="labels")
    given = tuple(labels.split(",") if isinstance(labels, str) else labels)
    if not all(isinstance(label, str) for label in given):
        raise InputError(f"expected labels as strings, got {shown(labels)}", where="labels")
    keys: dict[str, str] = {}
    for label in given:
        key = label_key(label)
        if key in _RESERVED or keys.setdefault(key, label) != label:
            other = f", as {shown(keys[key])} is" if key in keys else ""
            raise InputError(
                f"the label {shown(label)} would be called {key!r} in the results{other}",
                where="labels",
                remedy="Rename it, or leave it out with labels=",
            )
    return tuple(keys.values())


def whole(setup: Setup) -> str:
    """Labels that are not given are those of all references."""
    if setup["labels"] is not None:
        return ""
    return "labels that are not given are those of all references. Give labels"


def settings(setup: Setup) -> Mapping[str, str]:
    """What the numbers depend on besides the protocol."""
    labels = setup["labels"]
    name = "+".join(map(label_key, labels))
    if len(labels) > _FEW:
        name = f"{len(labels)}-{hash_text(name):016x}"[:12]
    touching = {"touching": "yes"} if setup["touching"] else {}
    return {"labels": name, "overlap": setup["overlap"], "order": setup["order"], **touching}


def scheme_of(setup: Setup) -> LabelScheme:
    """The labels, under those matches that look at them."""
    return LabelScheme(LABEL, setup["labels"], MATCHES)


def pair(corpus: Corpus, setup: Setup) -> Pairing:
    """The pairs of each kind of match."""
    strict, boundary = pair_strict(corpus, SLOTS), pair_same_spans(corpus, agreement(corpus, SLOTS))
    lenient, typed, partial = [strict], [strict], [boundary]
    keys = ORDERS[setup["order"]](corpus)
    for near in _find_candidates(corpus, strict, setup):
        alike = pair_greedily(near.take(same_value(near, corpus, LABEL)), keys)
        lenient.append(alike)
        typed += [alike, pair_greedily(_without(near, alike, corpus), keys)]
        partial.append(pair_greedily(_without(near, boundary, corpus), keys))
    return {
        "strict": strict,
        "lenient": Pairs.joined(lenient),
        "boundary": boundary,
        "type": Pairs.joined(typed),
        "partial": Pairs.joined(partial),
    }


def _find_candidates(corpus: Corpus, strict: Pairs, setup: Setup) -> Iterator[Candidates]:
    """Overlapping pairs of the mentions that have no partner of the same span and label."""
    measure = _MEASURES[setup["overlap"]]
    return find_candidates_in_parts(
        measure(corpus.gold.columns, corpus),
        measure(corpus.prediction.columns, corpus),
        others(strict.gold, corpus.gold),
        others(strict.prediction, corpus.prediction),
        Overlap(reach=int(setup["touching"]), fragments="total"),
        corpus.documents,
    )


def _without(near: Candidates, taken: Pairs, corpus: Corpus) -> Candidates:
    """The pairs of mentions that are in none of those taken."""
    free = outside(near.gold, taken.gold, len(corpus.gold))
    return near.take(free & outside(near.prediction, taken.prediction, len(corpus.prediction)))


def _in_hulls(columns: MentionColumns, corpus: Corpus) -> MentionColumns:  # noqa: ARG001
    """Mentions with their gaps, each from its first character to its last."""
    first, last = columns.bounds[:-1], columns.bounds[1:] - 1
    return replace(
        columns,
        bounds=np.arange(len(columns) + 1),
        starts=columns.starts[first],
        ends=columns.ends[last],
    )


_MEASURES: Mapping[str, Callable[[MentionColumns, Corpus], MentionColumns]] = {
    "character": lambda columns, _: columns,
    "word": lambda columns, corpus: in_words(columns, corpus.texts, corpus.documents),
    "hull": _in_hulls,
}
"""What mentions are while their overlap is measured."""


def _compare(corpus: Corpus, pairs: Pairs) -> dict[str, BoolArray]:
    return {LABEL.name: same_value(pairs, corpus, LABEL)}


PAIRED = {
    "boundary": MatchKind(columns_of("boundary"), _compare),
    "type": MatchKind(columns_of("type"), _compare),
    "partial": MatchKind(columns_of("partial"), _compare),
}
"""What is counted of matches that pair other labels too."""


def tally(corpus: Corpus, pairing: Pairing, setup: Setup) -> Columns:
    """The counts of each document."""
    columns = {**scheme_of(setup).tally(corpus, pairing), **tally_matches(corpus, pairing, PAIRED)}
    counted: dict[str, Any] = {}
    for name in MEASURES:
        counted |= {f"{name}_{key}": of for key, of in _categories(name, columns).items()}
    labels = {LABEL.name: setup["labels"]}
    sides = corpus.gold.columns, corpus.prediction.columns
    return {**columns, **counted, **tally_leak(*sides, len(corpus.documents), labels)}


def list_outcomes(corpus: Corpus, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """What became of every mention."""
    pairing = join_pairings(corpus.blocks(), pairings)
    return Outcomes(
        CHALLENGE,
        setup.config,
        corpus.documents,
        corpus.gold.columns,
        corpus.prediction.columns,
        {
            **scheme_of(setup).list_matches(corpus, pairing),
            **list_matches(corpus, pairing, PAIRED),
        },
        "partial",
        finish,
    )


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001
    """Scores from totals; see the top of the file for the formulas."""
    labels = [key.removesuffix("_strict_tp") for key in totals if key.endswith("_strict_tp")]
    scores = finish_labels(totals, _NAMES, labels) | precision_recall_f1("boundary", totals)
    scores |= finish_leak(totals, labels)
    for name in MEASURES:
        counts = _categories(name, totals)
        worth = counts["cor"] + counts["par"] / 2
        actual, possible = counts["actual"], counts["possible"]
        scores[f"{name}_precision"] = ratio(worth, actual)
        scores[f"{name}_recall"] = ratio(worth, possible)
        scores[f"{name}_f1"] = ratio(2 * worth, possible + actual)
        scores |= {f"{name}_{key}": value for key, value in counts.items()}
    return scores


MEASURES: Mapping[str, tuple[str, str]] = {
    "strict": ("strict_tp", "partial"),
    "boundary": ("boundary_tp", "partial"),
    "partial": ("boundary_tp", "partial"),
    "type": ("lenient_tp", "type"),
}
"""The measures of SemEval-2013 Task 9: the count of correct pairs, and the match that has all."""


def _categories(measure: str, counts: Mapping[str, Any]) -> dict[str, Any]:
    """The counts of a measure of SemEval-2013 Task 9.

    Examples:
        >>> counts = {"boundary_tp": 2, "partial_tp": 3, "partial_fp": 0, "partial_fn": 1}
        >>> _categories("partial", counts)
        {'cor': 2, 'inc': 0, 'par': 1, 'mis': 1, 'spu': 0, 'possible': 4, 'actual': 3}
    """
    correct, match = MEASURES[measure]
    pairs, spurious, missed = (counts[f"{match}_{verdict}"] for verdict in ("tp", "fp", "fn"))
    right, other = counts[correct], pairs - counts[correct]
    none = pairs - pairs
    return {
        "cor": right,
        "inc": none if measure == "partial" else other,
        "par": other if measure == "partial" else none,
        "mis": missed,
        "spu": spurious,
        "possible": pairs + missed,
        "actual": pairs + spurious,
    }


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """All problems of JSON Lines and of brat's files, line by line."""
    documents = [path for path in paths if is_jsonl(path, _Files.FILES)]
    for path in documents:  # each is a side of its own
        yield from find_in_documents([path], SLOTS, _Files.UNREAD)
    others = [path for path in paths if path not in documents]
    yield from brat_columns.find_problems(others, LABEL, ())


_OF_MEASURE = ("precision", "recall", "f1", "cor", "inc", "par", "mis", "spu")


def _rows_of_labels(match: str) -> Callable[[Collection[str]], Mapping[str, tuple[str, ...]]]:
    """The rows of a table of labels, whichever there are."""
    suffix = f"_{match}_tp"

    def find(keys: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        labels = [key.removesuffix(suffix) for key in keys if key.endswith(suffix)]
        return {label: prf_keys(f"{label}_{match}") for label in labels}

    return find


def _rows_of_leaks(keys: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """The rows of what leaks of each label."""
    suffix = "_gold_mentions"
    labels = [key.removesuffix(suffix) for key in keys if key.endswith(suffix)]
    return {label: leak_keys(f"{label}_") for label in labels}


CHALLENGE = Challenge(
    name="clinical_spans",
    kind="mentions",
    title="Labelled spans of any scheme",
    configs={"default": "all measures"},
    protocols={"spec": READING},
    options=(
        Option(
            "labels",
            "The labels that count, with commas between them; if left out, all.",
            None,
            "names",
            python="the labels that count, as a list; if None, all, and those of the references "
            "have scores of their own.",
            parse=parse_labels,
        ),
        Option(
            "overlap",
            "What overlapping mentions share: a character of their fragments, a word, or a "
            "character of their hulls, which have no gaps.",
            "character",
            "choice",
            choices=("character", "word", "hull"),
        ),
        Option(
            "order",
            "Which overlapping pairs come first: the closest (most shared, then fewest in all), "
            "the longest predictions, or by position.",
            "closest",
            "choice",
            choices=tuple(ORDERS),
        ),
        Option("touching", "Mentions that touch overlap.", default=False, kind="flag"),
        Option(
            "texts",
            "Directory of the notes, for reports and --overlap word.",
            None,
            "texts",
            flag="--text",
            python='for overlap="word": the text of each document.',
        ),
    ),
    read=read,
    join=join,
    resolve=resolve,
    whole=whole,
    settings=settings,
    pair=pair,
    tally=tally,
    finish=finish,
    list_outcomes=list_outcomes,
    build=as_mentions(label="label"),
    class_slot=ClassSlot("label", "label"),
    view=MentionView(
        checks=(
            *check_prf("strict", "exact", "both"),
            *check_prf("lenient", "overlap", "both"),
            *check_prf("boundary", "exact", "span"),
        ),
        presets=(
            Preset("strict", "exact", "both", "strict_f1"),
            Preset("lenient", "overlap", "both", "lenient_f1"),
            Preset("boundary", "exact", "span", "boundary_f1"),
        ),
        slots=lambda _: SLOTS,
        matches={
            "exact/span": "boundary",
            "overlap/span": "partial",
            "exact/both": "strict",
            "overlap/both": "lenient",
        },
    ),
    demo=Demo(
        "Labelled spans: problems, tests and treatments of six notes",
        "gold.jsonl",
        {"dictionary": "dictionary.jsonl", "tagger": "tagger.jsonl"},
    ),
    grids=(
        Grid(
            "Labelled spans",
            ("P", "R", "F1", "TP", "FP", "FN"),
            {name: prf_keys(name) for name in (*MATCHES, "boundary")},
        ),
        Grid(
            "SemEval-2013 Task 9",
            ("P", "R", "F1", "COR", "INC", "PAR", "MIS", "SPU"),
            {name: tuple(f"{name}_{key}" for key in _OF_MEASURE) for name in MEASURES},
        ),
        *(
            Grid(
                f"Labels, {match}",
                ("P", "R", "F1", "TP", "FP", "FN"),
                {},
                _rows_of_labels(match),
            )
            for match in MATCHES
        ),
        grid_of_means("Mean of the labels", _NAMES),
        grid_of_leak("What no prediction covers"),
        Grid("Labels, what no prediction covers", HEADINGS, {}, _rows_of_leaks),
    ),
    homepage="https://aclanthology.org/S13-2056/",
    citation="""\
@inproceedings{segura-bedmar-etal-2013-semeval,
    title = "{S}em{E}val-2013 Task 9: Extraction of Drug-Drug Interactions from Biomedical Texts
        ({DDIE}xtraction 2013)",
    author = "Segura-Bedmar, Isabel and Mart{\\'i}nez, Paloma and Herrero-Zazo, Mar{\\'i}a",
    booktitle = "Second Joint Conference on Lexical and Computational Semantics ({*SEM}),
        Volume 2: Proceedings of the Seventh International Workshop on Semantic Evaluation
        ({S}em{E}val 2013)",
    year = "2013",
    pages = "341--350",
    url = "https://aclanthology.org/S13-2056/",
}""",
    headline=("strict_f1", "lenient_f1", "boundary_f1", "partial_f1", "type_f1"),
    shown_per_document=("strict_f1", "lenient_f1", "strict_tp", "strict_fp", "strict_fn"),
    validate=find_problems,
)
