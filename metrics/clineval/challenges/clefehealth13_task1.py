"""ShARe/CLEF eHealth 2013 Task 1: disorders in clinical notes, and their codes.

Task 1a asks for the spans of disorders, which may be discontiguous, Task 1b for their codes too.
SemEval-2014 Task 7 uses the same definitions and the same script: its Task A is Task 1a, its
Task B is Task 1b.

Task 1a, for the distinct spans of all documents together:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

where tp counts same spans, fp spurious ones, fn missing ones. Mentions of one document with the
same fragments are one span, whatever their codes. Exact: the prediction has the fragments of a
gold span. Overlap: it shares a character with one; ends are exclusive.

Task 1b, for mentions:

    strict_accuracy  = correct / strict_total
    relaxed_accuracy = correct / relaxed_total

where correct counts predictions with exactly the span and the code of a gold mention,
strict_total all gold mentions, and relaxed_total predictions with exactly the span of a gold
mention. Mentions of one document that agree in fragments and code are one mention; mentions with
the same fragments and different codes are several, and of the predictions at a span at most as
many are counted as it has gold mentions. Codes compare without case; CUI-less is a code like any
other. Where Task 1a is scored alone codes may be left out.

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

The lab's document does not say what becomes of two predictions that overlap one gold span, or of
one that overlaps two. That spans are paired one to one is our decision, and so is the order: equal
spans come first. The remaining overlapping pairs follow: longest prediction first (total
characters), then most shared characters, then gold start, then prediction start. Every predicted
span that is left is a false positive, every gold span that is left a false negative.

The documents of SemEval-2015 Task 14 are taken as they are. Their other slots are not looked at.

``protocol="official"`` gives the numbers of the released script, ``eval.pl``, with its own rules
throughout. Its overlap counts are not one to one: every prediction that overlaps some gold
mention is a true positive, so that tp + fn may be more than there are gold mentions.

Sources: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation; for the differences, what the
released script does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from clineval.arrays import BoolArray
from clineval.challenge import Challenge, ClassSlot, Demo, Difference, Grid, Setup
from clineval.formats import clef
from clineval.inputs.mentions import find_problems, read_side
from clineval.mentions.columns import Side
from clineval.mentions.corpus import Corpus, Reading, join_sides
from clineval.mentions.distinct import DistinctSpans
from clineval.mentions.labelled import pair_lenient
from clineval.mentions.matching import same_value
from clineval.mentions.outcomes import (
    NONE,
    Match,
    MatchKind,
    Outcomes,
    columns_of,
    join_pairings,
    list_matches,
    tally_matches,
)
from clineval.mentions.overlap import overlaps_any
from clineval.mentions.pairing import Loose, Pairs, find_same_spans
from clineval.mentions.slots import CUI_LESS, Slot
from clineval.mentions.tagged import as_mentions
from clineval.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.views import DocView, MentionView, PairCheck, Preset, check_prf, short_prf

CUI = Slot("cui", "code")
SLOTS = (CUI,)
SPANS_ALONE = (Slot("cui", "code", required=False),)
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


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """The pairs of a block under one protocol.

    Args:
        spans: the distinct spans of the block.
        exact: equal spans; rows of distinct spans.
        overlap: overlapping spans; rows of distinct spans.
    """

    spans: DistinctSpans
    exact: Pairs
    overlap: Pairs | Loose


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Both sides: files or text in the lab's format, JSON Lines, lists of dicts, or Documents.

    The slots of SemEval-2015 Task 14 may be there and are not looked at.
    """

    def read_one(given: Any, side: str) -> Side:
        strict = setup.rules.reading.strict
        slots = slots_of(setup.config)
        return read_side(given, slots, strict=strict, side=side, text_format=clef)

    gold = read_one(references, "references")
    return gold, [read_one(given, "predictions") for given in predictions]


def slots_of(config: str) -> Sequence[Slot]:
    """The slots of a configuration; Task 1a can do without codes."""
    return SPANS_ALONE if config == "task1a" else SLOTS


def join(gold: Side, predicted: Side, setup: Setup) -> Corpus:
    """Both sides together."""
    return join_sides(gold, predicted, slots_of(setup.config), setup.rules.reading)


def pair(corpus: Corpus, setup: Setup) -> Pairing:
    """Equal spans, and overlapping ones."""
    spans = DistinctSpans.of(corpus, CUI.name)
    exact = find_same_spans(spans.corpus.gold, spans.corpus.prediction)
    if setup.rules.overlap == "one_to_one":
        return Pairing(spans, exact, pair_lenient(spans.corpus, exact, None))
    gold, prediction = spans.corpus.gold.columns, spans.corpus.prediction.columns
    loose = Loose(overlaps_any(prediction, gold), ~overlaps_any(gold, prediction))
    return Pairing(spans, exact, loose)


SPAN_KINDS = {
    "exact": MatchKind(columns_of("exact")),
    "overlap": MatchKind(columns_of("overlap")),
}
"""What is counted of spans, in Task 1a."""


def _compare(corpus: Corpus, pairs: Pairs) -> dict[str, BoolArray]:
    return {CUI.name: same_value(pairs, corpus, CUI)}


CODE_KINDS = {
    "strict": MatchKind({"correct": ("tp",), "strict_total": ("tp", "fn")}),
    "relaxed": MatchKind({"relaxed_total": ("tp",)}, _compare),
}
"""What is counted of mentions with the same fragments, in Task 1b."""


def _pair_codes(pairing: Pairing) -> dict[str, Pairs]:
    """Mentions of equal spans, one to one: those of equal code, and all."""
    pairs = pairing.spans.mentions_of(pairing.exact)
    return {
        "strict": pairs.take(same_value(pairs, pairing.spans.whole, CUI)),
        "relaxed": pairs,
    }


def tally(corpus: Corpus, pairing: Pairing, setup: Setup) -> Columns:
    """The counts of each document."""
    columns: dict[str, Any] = {}
    if setup.config != "task1b":
        found = {"exact": pairing.exact, "overlap": pairing.overlap}
        columns |= tally_matches(pairing.spans.corpus, found, SPAN_KINDS)
    if setup.config != "task1a":
        columns |= tally_matches(corpus, _pair_codes(pairing), CODE_KINDS)
    return columns


def list_outcomes(corpus: Corpus, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """What became of every span and of every mention.

    ``exact`` and ``overlap`` list distinct spans, each as one of its mentions, and ``strict`` and
    ``relaxed`` all mentions with their codes. Where Task 1b is scored alone ``overlap`` lists all
    mentions too.
    """
    whole = _join(corpus, pairings)
    one_to_one = setup.rules.overlap == "one_to_one"
    matches: dict[str, Match] = {}
    if setup.config != "task1a":
        matches |= list_matches(corpus, _pair_codes(whole), CODE_KINDS)
    if setup.config != "task1b":
        matches["exact"] = _list_spans(whole, "exact", setup.config)
        matches["overlap"] = _list_spans(whole, "overlap", setup.config)
    elif isinstance(whole.overlap, Pairs):
        pairs = whole.spans.mentions_of(whole.overlap)
        matches |= list_matches(corpus, {"overlap": pairs}, {"overlap": MatchKind({}, _compare)})
    widest = ["overlap"] if one_to_one else ["exact", "relaxed"]
    return Outcomes(
        CHALLENGE,
        setup.config,
        corpus.documents,
        corpus.gold.columns,
        corpus.prediction.columns,
        matches,
        next(name for name in widest if name in matches),
        finish,
    )


def list_pairings(
    corpus: Corpus,
    pairings: Sequence[Pairing],
    setup: Setup,  # noqa: ARG001 - a page shows both tasks whatever is scored
) -> dict[str, Match]:
    """Spans, and all mentions of these spans where they are more."""
    whole = _join(corpus, pairings)
    names = ("exact", "overlap")
    found = {f"{name}/span": _list_spans(whole, name, "default") for name in names}
    if whole.spans.repeated and isinstance(whole.overlap, Pairs):
        every = {
            f"{name}/class": whole.spans.mentions_of(pairs)
            for name, pairs in zip(names, (whole.exact, whole.overlap), strict=True)
        }
        found |= list_matches(corpus, every, dict.fromkeys(every, MatchKind()))
    return found


def _join(corpus: Corpus, pairings: Sequence[Pairing]) -> Pairing:
    """The pairs of a corpus from those of its blocks."""
    if len(pairings) == 1:
        return pairings[0]
    found = [{"exact": p.exact, "overlap": p.overlap} for p in pairings]
    joined: Mapping[str, Any] = join_pairings([p.spans.corpus for p in pairings], found)
    return Pairing(DistinctSpans.of(corpus, CUI.name), **joined)


def _list_spans(pairing: Pairing, name: str, config: str) -> Match:
    """The outcomes of distinct spans; a mention stands for each, of equal code where one can."""
    spans, pairs = pairing.spans, getattr(pairing, name)
    [match] = list_matches(spans.corpus, {name: pairs}, {name: SPAN_KINDS[name]}).values()
    gold, prediction = np.append(spans.gold, NONE), np.append(spans.prediction, NONE)
    equal: dict[str, BoolArray] = {}
    if isinstance(pairs, Pairs):
        standing = spans.representatives_of(pairs)
        gold[pairs.gold], prediction[pairs.prediction] = standing.gold, standing.prediction
        equal = _compare(spans.whole, standing)
        if config == "task1a":  # in which codes say nothing
            equal = {CUI.name: np.ones(len(pairs), np.bool_)}
    return replace(
        match, gold=gold[match.gold], prediction=prediction[match.prediction], equal=equal
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


CHALLENGE = Challenge(
    name="clefehealth13_task1",
    kind="mentions",
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
            "are paired one to one, which is our decision: the lab's document does not say",
            "a prediction that overlaps any gold mention is a true positive, a gold mention is "
            "missed if no prediction overlaps it",
            "one2many",
        ),
        Difference(
            "repeated spans",
            "one span in Task 1a; in Task 1b one mention for each code",
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
            "order of fragments", "does not matter", "decreasing offsets are refused", "unordered"
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
    read=read,
    join=join,
    pair=pair,
    tally=tally,
    finish=finish,
    list_outcomes=list_outcomes,
    build=as_mentions(),
    class_slot=ClassSlot("cui", "code", CUI_LESS),
    view=MentionView(
        checks=(
            *check_prf("exact", "exact", "span"),
            *check_prf("overlap", "overlap", "span"),
            PairCheck("strict_accuracy", "exact", "both", "recall"),
            PairCheck("relaxed_accuracy", "exact", "class", "accuracy"),
            PairCheck("correct", "exact", "both", "tp"),
            PairCheck("strict_total", "exact", "both", "gold"),
            PairCheck("relaxed_total", "exact", "class", "pairs"),
        ),
        presets=(
            Preset("1a exact", "exact", "span", "exact_f1"),
            Preset("1a overlap", "overlap", "span", "overlap_f1"),
            Preset("1b strict", "exact", "both", "strict_accuracy"),
            Preset("1b relaxed", "exact", "class", "relaxed_accuracy"),
        ),
        slots=lambda _: SLOTS,
        list_pairings=list_pairings,
    ),
    docs=DocView(
        prefix="c13t1",
        names={
            **short_prf("exact", "exact"),
            **short_prf("overlap", "over"),
            "strict_accuracy": "acc",
            "relaxed_accuracy": "acc_r",
        },
        columns={
            "default": ("exact_f1", "overlap_f1", "strict_accuracy"),
            "task1a": ("exact_f1", "overlap_f1"),
            "task1b": ("strict_accuracy", "relaxed_accuracy"),
        },
        group="clin",
        slots=slots_of,
        format="clef",
    ),
    ranking={
        "default": ("exact_f1", "strict_accuracy"),
        "task1a": ("exact_f1",),
        "task1b": ("strict_accuracy",),
    },
    scripts=("clefehealth13-task1",),
    notes_apart=True,
    demo=Demo(
        "ShARe/CLEF eHealth 2013 Task 1: the same notes and systems in that lab's format",
        "gold.pipe",
        {"dictionary": "dictionary.pipe", "tagger": "tagger.pipe"},
    ),
    grids=(
        Grid(
            "Task 1a: spans of disorders",
            ("P", "R", "F1", "TP", "FP", "FN"),
            {"exact": prf_keys("exact"), "overlap": prf_keys("overlap")},
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
    validate=lambda paths: find_problems(paths, SLOTS, clef),
)
