"""ShARe/CLEF eHealth 2013 Task 1: disorders in clinical notes, and their codes.

Task 1a asks for the spans of disorders, which may be discontiguous, Task 1b for their codes too.
SemEval-2014 Task 7 uses the same definitions and the same script: its Task A is Task 1a, its
Task B is Task 1b.

Task 1a, for the mentions of all documents together:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

where tp counts same spans, fp spurious ones, fn missing ones. Exact: the prediction has the
fragments of a gold mention. Overlap: it shares a character with one; ends are exclusive.

Task 1b:

    strict_accuracy  = correct / strict_total
    relaxed_accuracy = correct / relaxed_total

where correct counts predictions with exactly the span and the code of a gold mention,
strict_total all gold mentions, and relaxed_total predictions with exactly the span of a gold
mention. Codes compare without case; CUI-less is a code like any other. All scores lie between
0 and 1; a score whose denominator is 0 is 0.

Pairing is one to one. Mentions with the same fragments come first, those that agree in code
before others. The remaining overlapping pairs follow: longest prediction first (total
characters), then most shared characters, then gold start, then prediction start, then agreement
in code. Every prediction that is left is a false positive, every gold mention that is left a
false negative. Mentions of one document that agree in fragments and code are one mention;
mentions with the same fragments and different codes are several. Where Task 1a is scored alone
codes may be left out.

``protocol="official"`` gives the numbers of the released script, ``eval.pl``, with its own rules
throughout. Its overlap counts are not one to one: every prediction that overlaps some gold
mention is a true positive, so that tp + fn may be more than there are gold mentions.

Sources: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation; for the differences, what the
released script does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from clineval.analysis.outcomes import (
    MENTION_VERDICTS,
    NONE,
    Match,
    Outcomes,
    match_mentions,
    matches_of,
)
from clineval.arrays import BoolArray, IntArray
from clineval.challenge import Challenge, Difference, Grid
from clineval.counts import Counts
from clineval.digest import digest_documents
from clineval.formats import clef_columns
from clineval.formats.sides import read_side
from clineval.mentions.corpus import Corpus, Reading, join_sides
from clineval.mentions.matching import (
    agreement,
    count_matches,
    others,
    precedence,
    same_code,
)
from clineval.mentions.overlap import Overlap, find_candidates, overlaps_any
from clineval.mentions.pairing import Pairs, find_same_spans, pair_greedily
from clineval.mentions.slots import Slot
from clineval.scores import Number, Totals, precision_recall_f1, ratio
from clineval.validation.clefehealth13 import find_problems_of_task1

SLOTS = (Slot("cui", "code"),)
SPANS_ALONE = (Slot("cui", "code", optional=True),)
"""The slots where Task 1a is scored alone."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        reading: how mentions are read.
        overlap: ``one_to_one``: a mention overlaps at most one that it is paired with;
            ``any``: it overlaps if it shares a character with any mention of the other side.
    """

    reading: Reading
    overlap: Literal["one_to_one", "any"]


SPEC = Rules(
    reading=Reading(strict=True, values="folded", repeats="merged", documents="all"),
    overlap="one_to_one",
)
OFFICIAL = Rules(
    reading=Reading(strict=False, values="written", repeats="last", documents="all"),
    overlap="any",
)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}
SHARED = Overlap(reach=0, fragments="total")


def count(
    predictions: Any, references: Any, *, config: str = "default", protocol: str = "spec"
) -> Counts:
    """Count matches document by document.

    Args:
        predictions: a path of files in the lab's format or of JSON Lines, text in the lab's
            format, or for each document a list of dicts, a Document, or such text.
        references: as the predictions.
        config: ``default`` for both, ``task1a`` or ``task1b``.
        protocol: ``spec`` or ``official``.
    """
    rules = PROTOCOLS[protocol]
    corpus = read_corpus(predictions, references, config, rules)
    blocks = [_count_block(block, config, rules) for block in corpus.blocks()]
    return Counts(
        CHALLENGE.name,
        config,
        {"protocol": protocol},
        tuple(blocks[0]),
        corpus.documents,
        np.concatenate([np.column_stack([*block.values()]) for block in blocks], dtype=np.float64),
        digest_documents(corpus.gold.columns, len(corpus.documents)),
    )


def read_corpus(predictions: Any, references: Any, config: str, rules: Rules) -> Corpus:
    """Both sides, as :func:`count` takes them."""
    slots = SPANS_ALONE if config == "task1a" else SLOTS
    gold, predicted = (
        read_side(given, slots, strict=rules.reading.strict, side=side, text_format=clef_columns)
        for given, side in ((references, "references"), (predictions, "predictions"))
    )
    return join_sides(gold, predicted, slots, rules.reading)


def pair_exactly(corpus: Corpus) -> Pairs:
    """Mentions with the same fragments, one to one, those of equal code first."""
    same = find_same_spans(corpus.gold, corpus.prediction)
    return pair_greedily(same, lambda rivals: agreement(rivals, corpus, SLOTS))


def pair_overlapping(corpus: Corpus, exact: Pairs) -> Pairs:
    """The exact pairs, and overlapping pairs of the mentions that are left, one to one."""
    near = find_candidates(
        corpus.gold.columns,
        corpus.prediction.columns,
        others(exact.gold, corpus.gold),
        others(exact.prediction, corpus.prediction),
        SHARED,
    )
    return exact + pair_greedily(near, lambda rivals: precedence(rivals, corpus, SLOTS))


def list_outcomes(
    predictions: Any, references: Any, *, config: str = "default", protocol: str = "spec"
) -> Outcomes:
    """What became of every mention; the arguments are those of :func:`count`."""
    rules = PROTOCOLS[protocol]
    corpus = read_corpus(predictions, references, config, rules)
    exact = pair_exactly(corpus)
    columns: dict[str, tuple[str, ...]] = {} if config == "task1b" else matches_of("exact")
    equal: dict[str, BoolArray] = {}
    matches: dict[str, Match] = {}
    if config != "task1a":
        columns["relaxed_total"] = ("tp",)
        equal["cui"] = same_code(exact, corpus)
        strict = {"correct": ("tp",), "strict_total": ("tp", "fn")}
        matches["strict"] = match_mentions(exact.take(equal["cui"]), corpus, strict)
    matches["exact"] = match_mentions(exact, corpus, columns, equal=equal)
    matches["overlap"] = _list_overlaps(corpus, exact, config, rules)
    sides = corpus.gold.columns, corpus.prediction.columns
    widest = "overlap" if rules.overlap == "one_to_one" else "exact"
    return Outcomes(CHALLENGE.name, config, corpus.documents, *sides, matches, widest)


def _list_overlaps(corpus: Corpus, exact: Pairs, config: str, rules: Rules) -> Match:
    columns = {} if config == "task1b" else matches_of("overlap")
    if rules.overlap == "one_to_one":
        pairs = pair_overlapping(corpus, exact)
        equal = {} if config == "task1a" else {"cui": same_code(pairs, corpus)}
        return match_mentions(pairs, corpus, columns, equal=equal)
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    right = overlaps_any(prediction, gold)
    found, spurious = np.flatnonzero(right), np.flatnonzero(~right)
    missed = np.flatnonzero(~overlaps_any(gold, prediction))
    sizes = [len(found), len(spurious), len(missed)]
    return Match(
        np.concatenate([np.full(sizes[0] + sizes[1], NONE), missed]),
        np.concatenate([found, spurious, np.full(sizes[2], NONE)]),
        np.repeat(np.arange(3, dtype=np.int8), sizes),
        MENTION_VERDICTS,
        columns,
    )


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Scores from totals; see the top of the file for the formulas."""
    scores: dict[str, Number] = {}
    if config != "task1b":
        scores |= precision_recall_f1("exact", totals)
        scores |= precision_recall_f1("overlap", totals)
    if config != "task1a":
        correct = totals["correct"]
        scores["strict_accuracy"] = ratio(correct, totals["strict_total"])
        scores["relaxed_accuracy"] = ratio(correct, totals["relaxed_total"])
        scores |= {key: totals[key] for key in ("correct", "strict_total", "relaxed_total")}
    return scores


def _count_block(corpus: Corpus, config: str, rules: Rules) -> dict[str, IntArray]:
    exact = pair_exactly(corpus)
    columns: dict[str, IntArray] = {}
    if config != "task1b":
        columns |= count_matches("exact", exact, corpus)
        columns |= _count_overlaps(corpus, exact, rules)
    if config != "task1a":
        columns |= _count_codes(corpus, exact)
    return columns


def _count_overlaps(corpus: Corpus, exact: Pairs, rules: Rules) -> dict[str, IntArray]:
    if rules.overlap == "one_to_one":
        return count_matches("overlap", pair_overlapping(corpus, exact), corpus)
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    size = len(corpus.documents)
    right = overlaps_any(prediction, gold)
    missed = ~overlaps_any(gold, prediction)
    return {
        "overlap_tp": np.bincount(prediction.document[right], minlength=size),
        "overlap_fp": np.bincount(prediction.document[~right], minlength=size),
        "overlap_fn": np.bincount(gold.document[missed], minlength=size),
    }


def _count_codes(corpus: Corpus, exact: Pairs) -> dict[str, IntArray]:
    size = len(corpus.documents)
    document = corpus.gold.columns.document
    correct = exact.gold[same_code(exact, corpus)]
    return {
        "correct": np.bincount(document[correct], minlength=size),
        "strict_total": corpus.gold.columns.sizes(size),
        "relaxed_total": np.bincount(document[exact.gold], minlength=size),
    }


def _prf_keys(prefix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}_{name}" for name in ("precision", "recall", "f1", "tp", "fp", "fn"))


CHALLENGE = Challenge(
    name="clefehealth13_task1",
    title="ShARe/CLEF eHealth 2013 Task 1: Disorders and their codes",
    configs={
        "default": "Task 1a and Task 1b",
        "task1a": "spans of disorders; codes may be left out",
        "task1b": "codes of disorders",
    },
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "overlapping mentions",
            "are paired one to one",
            "a prediction that overlaps any gold mention is a true positive, a gold mention is "
            "missed if no prediction overlaps it",
            "one2many",
        ),
        Difference(
            "repeated spans",
            "equal mentions are one, mentions with different codes are several",
            "collapse; the last line's code wins",
            "dup",
        ),
        Difference(
            "spelling of offsets",
            "does not matter: 010 is 10, and line ends may be of any kind",
            "must be the same for an exact match: 010 is not 10, nor is a last offset before a "
            "carriage return the same as one without",
            "leadzero",
        ),
        Difference(
            "order of fragments",
            "does not matter",
            "decreasing offsets are refused",
            "unordered",
        ),
        Difference(
            "empty fragments",
            "an error",
            "are taken, and overlap what they lie inside of",
            "zerolen",
        ),
        Difference(
            "spelling of CUI-less",
            "CUIless and an empty code mean the same",
            "are codes of their own",
            "cuiless",
        ),
        Difference(
            "names of files in a directory",
            "those with .pipe in them, backup files excepted",
            "all of two characters or more, hidden and backup files excepted",
            "onefilealldocs",
        ),
    ),
    count=count,
    finish=finish,
    grids=(
        Grid(
            "Task 1a: spans of disorders",
            ("P", "R", "F1", "TP", "FP", "FN"),
            {"exact": _prf_keys("exact"), "overlap": _prf_keys("overlap")},
        ),
        Grid(
            "Task 1b: spans and codes",
            ("accuracy", "correct", "total"),
            {
                "strict": ("strict_accuracy", "correct", "strict_total"),
                "relaxed": ("relaxed_accuracy", "correct", "relaxed_total"),
            },
        ),
    ),
    homepage="https://sites.google.com/site/shareclefehealth/",
    citation="""\
@inproceedings{pradhan-etal-2013-task1,
    title = "Task 1: {ShARe/CLEF} eHealth Evaluation Lab 2013",
    author = "Pradhan, Sameer and Elhadad, Noemie and South, Brett R. and Martinez, David and
        Christensen, Lee and Vogel, A. and Suominen, Hanna and Chapman, Wendy W. and Savova,
        Guergana",
    booktitle = "Working Notes for CLEF 2013 Conference",
    series = "CEUR Workshop Proceedings",
    volume = "1179",
    year = "2013",
    url = "http://ceur-ws.org/Vol-1179/CLEF2013wn-CLEFeHealth-PradhanEt2013.pdf",
}
@inproceedings{suominen-etal-2013-overview,
    title = "Overview of the {ShARe/CLEF} eHealth Evaluation Lab 2013",
    author = {Suominen, Hanna and Salanter{\\"a}, Sanna and Velupillai, Sumithra and Chapman,
        Wendy W. and Savova, Guergana and Elhadad, Noemie and Pradhan, Sameer and South, Brett R.
        and Mowery, Danielle L. and Jones, Gareth J. F. and Leveling, Johannes and Kelly, Liadh
        and Goeuriot, Lorraine and Martinez, David and Zuccon, Guido},
    booktitle = "Information Access Evaluation. Multilinguality, Multimodality, and Visualization",
    series = "Lecture Notes in Computer Science",
    volume = "8138",
    year = "2013",
    pages = "212--231",
    doi = "10.1007/978-3-642-40802-1_24",
}""",
    headline=("exact_f1", "overlap_f1", "strict_accuracy", "relaxed_accuracy"),
    validate=lambda paths: find_problems_of_task1(paths, SLOTS),
    outcomes=list_outcomes,
)
