"""ShARe/CLEF eHealth 2013 Task 2: acronyms and abbreviations to UMLS codes.

The acronyms and abbreviations are annotated beforehand. A system gives one code for each; the
annotators gave a list of possible codes, best first.

    strict_accuracy  = strict_correct / total
    relaxed_accuracy = relaxed_correct / total

where total counts the annotated abbreviations, strict_correct those whose predicted code is the
annotators' first, relaxed_correct those whose predicted code is in their list. Codes compare
without case; CUI-less (also an empty code, and None in lists) is a code like any other. A
missing prediction is wrong; a prediction for anything that is not annotated does not count. Both
scores lie between 0 and 1, and are 0 if nothing is annotated.

In files, lines of the Task 1 format, abbreviations are paired by document and span; in lists, by
position. ``documents`` names the document of each item of the lists, so that counts, and what is
resampled from them, are those of documents; otherwise each item is a document by itself.

There is one protocol: no released script was found.

Source: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, Coded
from clineval.results.task import Task
from clineval.results.measures import Measures
from clineval.results.faces import Faces
from clineval.results.challenge import Challenge, Setup
from clineval.results.task import ClassSlot, Demo
from clineval.results.measures import Grid
from clineval.results.options import Option
from clineval.base.errors import InputError
from clineval.formats.delimited import clef
from clineval.challenges.clefehealth13_task2 import items as codes
from clineval.challenges.clefehealth13_task2.items import ANSWERS, CODE, Abbreviations
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.outcomes import (
    NONE,
    Match,
    MatchKind,
    Outcomes,
    Pairing,
    list_matches,
    tally_matches,
)
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.slots import CUI_LESS
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.results.challenge import Steps
from clineval.results.views import DocView, MentionView, PairCheck, Preset

MATCHES = {
    "strict": MatchKind({"strict_correct": ("tp",)}),
    "relaxed": MatchKind({"relaxed_correct": ("tp",), "total": ("tp", "fn")}),
}


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[Side | codes.Listed, list[Any]]:
    """Both sides: lists of codes, or files or text in the format of Task 1."""
    return codes.read_sides(references, predictions, setup["documents"])


def join(gold: Side | codes.Listed, predicted: Any, setup: Setup) -> Abbreviations:  # noqa: ARG001
    """Both sides together."""
    return codes.join(gold, predicted)


def as_gold(gold: Side | codes.Listed, side: Any, setup: Setup) -> Side | codes.Listed:  # noqa: ARG001
    """An annotator's codes as lists of one code."""
    return codes.Listed(side, gold.documents) if isinstance(gold, codes.Listed) else side


def pair(corpus: Abbreviations, setup: Setup) -> Pairing:  # noqa: ARG001 - there is one way
    """The abbreviations that have a prediction: all, ``strict`` and ``relaxed`` correct ones."""
    pairs = codes.pair_codes(corpus)
    best, listed = compare(corpus, pairs)
    return {"given": pairs, "strict": pairs.take(best), "relaxed": pairs.take(listed)}


def compare(corpus: Corpus, pairs: Pairs) -> tuple[BoolArray, BoolArray]:
    """``[p]`` each: whether the code is the annotators' first; whether it is in their list.

    Examples:
        >>> gold, [found] = codes.read_sides([["C1", "C2"]] * 3, [["C1", "C2", "C3"]], None)
        >>> corpus = codes.join(gold, found)
        >>> best, listed = compare(corpus, codes.pair_codes(corpus))
        >>> best.tolist(), listed.tolist()
        ([True, False, False], [True, True, False])
    """
    answers, used = corpus.gold.columns.attributes["cui"], _fold_codes(corpus)
    numbers = {code: number for number, code in enumerate(used.values)}
    lists = [[numbers.get(CODE.fold(c.strip()), -2) for c in v.split(",")] for v in answers.values]
    firsts = np.array([codes[0] for codes in lists], np.int64)
    size = len(numbers)
    members = [row * size + code for row, codes in enumerate(lists) for code in codes if code >= 0]
    answer, predicted = answers.ids[pairs.gold].astype(np.int64), used.ids[pairs.prediction]
    best: BoolArray = firsts.take(answer) == predicted
    return best, np.isin(answer * size + predicted, members)


def _fold_codes(corpus: Corpus) -> Coded:
    """The predicted codes in the form in which codes compare."""
    codes = corpus.prediction.columns.attributes["cui"]
    folded = Coded.of([CODE.fold(value) for value in codes.values])
    return Coded(folded.ids.take(codes.ids), folded.values)


def tally(corpus: Abbreviations, pairing: Pairing, setup: Setup) -> Columns:  # noqa: ARG001
    """The correct codes of each document, and all abbreviations."""
    return tally_matches(corpus, pairing, MATCHES)


def list_outcomes(
    corpus: Abbreviations, pairings: Sequence[Mapping[str, Pairs]], setup: Setup
) -> Outcomes:
    """What became of every abbreviation; its gold code is here the annotators' first one."""
    [pairing] = pairings
    given = pairing["given"]
    unanswered = np.setdiff1d(np.arange(len(corpus.gold)), given.gold)
    rows = np.concatenate([given.gold, unanswered])
    partner = np.concatenate([np.arange(len(given)), np.full(len(unanswered), NONE)])
    best, listed = (np.isin(rows, pairing[name].gold) for name in ("strict", "relaxed"))
    columns = {"strict_correct": ("correct",), "total": ("correct", "wrong")}
    verdicts, equal = ("correct", "wrong"), {"cui": best[: len(given)]}
    matches = {
        "strict": Match(rows, partner, (~best).astype(np.int8), verdicts, columns, equal),
        "relaxed": Match(
            rows, partner, (~listed).astype(np.int8), verdicts, {"relaxed_correct": ("correct",)}
        ),
    }
    columns_of_gold, answers = corpus.gold.columns, corpus.gold.columns.attributes["cui"]
    firsts = Coded.of([CODE.fold(value.split(",")[0].strip()) for value in answers.values])
    used = _fold_codes(corpus)
    codes = tuple(dict.fromkeys((*firsts.values, *used.values)))
    first = Coded(firsts.ids.take(answers.ids), firsts.values).fold(str, codes)
    predicted = Coded(used.ids[given.prediction], used.values).fold(str, codes)
    sides = (
        replace(columns_of_gold, attributes={"cui": first}),
        replace(columns_of_gold.take(given.gold), attributes={"cui": predicted}),
    )
    return Outcomes.of(setup, corpus, matches, "strict", sides)


def list_pairings(
    corpus: Abbreviations,
    pairings: Sequence[Mapping[str, Pairs]],
    setup: Setup,  # noqa: ARG001
) -> dict[str, Match]:
    """The abbreviations and what is said of them; lists, which do not say where, are refused."""
    if not corpus.has_spans:
        raise InputError(
            "a report shows where abbreviations are, which lists of codes do not say",
            remedy="Give files, or text, in the format of Task 1",
        )
    [pairing] = pairings
    same = MatchKind(compare=lambda corpus, pairs: {"cui": compare(corpus, pairs)[0]})
    kinds = {"given": same, "strict": MatchKind(), "relaxed": MatchKind()}
    found = list_matches(corpus, pairing, kinds)
    return {
        "exact/span": found["given"],
        "overlap/span": found["given"],
        "exact/both": found["strict"],
        "overlap/both": found["relaxed"],
    }


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    """Scores from totals; see the top of the file for the formulas."""
    counts = {key: totals[key] for key in ("strict_correct", "relaxed_correct", "total")}
    return {
        "strict_accuracy": ratio(counts["strict_correct"], counts["total"]),
        "relaxed_accuracy": ratio(counts["relaxed_correct"], counts["total"]),
        **counts,
    }


CHALLENGE = Challenge(
    Task(
        name="clefehealth13_task2",
        title="ShARe/CLEF eHealth 2013 Task 2: Acronyms and abbreviations",
        homepage="https://sites.google.com/site/shareclefehealth/",
        citation="""\
@inproceedings{mowery-etal-2013-task2,
    title = "Task 2: {ShARe/CLEF} eHealth Evaluation Lab 2013",
    author = "Mowery, Danielle L. and South, Brett R. and Christensen, Lee and Murtola,
        Laura-Maria and Salanter{\\"a}, Sanna and Suominen, Hanna and Martinez, David and Elhadad,
        Noemie and Pradhan, Sameer and Savova, Guergana and Chapman, Wendy W.",
    booktitle = "Working Notes for CLEF 2013 Conference",
    series = "CEUR Workshop Proceedings",
    volume = "1179",
    year = "2013",
    url = "http://ceur-ws.org/Vol-1179/CLEF2013wn-CLEFeHealth-MoweryEt2013.pdf",
}""",
        configs={"default": "codes of annotated acronyms and abbreviations"},
        kind="mentions",
        class_slot=ClassSlot("cui", "code", CUI_LESS),
        definition=__doc__,
        file=__file__,
    ),
    protocols=Steps(read, join, pair, tally, list_outcomes, as_gold=as_gold).under(
        {"spec": "the lab's document"}
    ),
    measures=Measures(
        finish=finish,
        grids=(
            Grid(
                "Task 2: codes of abbreviations",
                ("accuracy", "correct", "total"),
                {
                    "strict": ("strict_accuracy", "strict_correct", "total"),
                    "relaxed": ("relaxed_accuracy", "relaxed_correct", "total"),
                },
            ),
        ),
        ranking={"default": ("strict_accuracy",)},
    ),
    options=(
        Option("documents", "For lists, the name of each abbreviation's document.", kind="column"),
    ),
    demo=Demo(
        "ShARe/CLEF eHealth 2013 Task 2: the abbreviations of these notes",
        "gold.pipe",
        {"dictionary": "dictionary.pipe", "first sense": "first_sense.pipe"},
    ),
    faces=Faces(
        page=MentionView(
            checks=(
                PairCheck("strict_accuracy", "exact", "both", "recall"),
                PairCheck("strict_correct", "exact", "both", "tp"),
                PairCheck("relaxed_accuracy", "overlap", "both", "recall"),
                PairCheck("relaxed_correct", "overlap", "both", "tp"),
                PairCheck("total", "exact", "both", "gold"),
            ),
            presets=(
                Preset("Task 2 strict", "exact", "both", "strict_accuracy"),
                Preset("Task 2 relaxed", "overlap", "both", "relaxed_accuracy"),
            ),
            slots=lambda _: (ANSWERS,),
            list_pairings=list_pairings,
            modes=("First code", "Listed code"),
            spans_given=True,
        ),
        docs=DocView(
            prefix="c13t2",
            names={"strict_accuracy": "acc", "relaxed_accuracy": "acc_r"},
            columns={"default": ("strict_accuracy", "relaxed_accuracy")},
            group="clin_acronyms",
            slots=lambda _: (CODE,),
            format="clef",
            kind="acronyms",
            # lines, by which acronyms are paired
            take=lambda documents: "".join(map(clef.format_document, documents)),
        ),
        validate=codes.find_problems,
        notes_apart=True,
    ),
)
