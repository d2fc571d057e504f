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

from dataclasses import replace
from typing import Any

import numpy as np

from clineval.analysis.outcomes import NONE, Match, Outcomes
from clineval.arrays import BoolArray, Coded
from clineval.challenge import Challenge, Grid
from clineval.counts import Counts
from clineval.digest import digest_documents
from clineval.formats.nbest import CODE, Examples, read_examples
from clineval.scores import Number, Totals, ratio
from clineval.validation.clefehealth13 import find_problems_of_task2


def count(
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    documents: Any = None,
) -> Counts:
    """Count correct codes document by document.

    Args:
        predictions: one code for each abbreviation, None for CUI-less; or a path of files in
            the Task 1 format, or text in it.
        references: one list of codes for each abbreviation, best first; or as the predictions,
            with commas between the codes.
        config: ``default``.
        protocol: ``spec``.
        documents: for lists, the name of each abbreviation's document.
    """
    examples = read_examples(predictions, references, documents)
    size = len(examples.documents)
    document = examples.gold.document
    best, listed = compare(examples)
    columns = {
        "strict_correct": np.bincount(document[best], minlength=size),
        "relaxed_correct": np.bincount(document[listed], minlength=size),
        "total": examples.gold.sizes(size),
    }
    return Counts(
        CHALLENGE.name,
        config,
        {"protocol": protocol},
        tuple(columns),
        examples.documents,
        np.column_stack([*columns.values()]).astype(np.float64),
        digest_documents(examples.gold, size),
    )


def compare(examples: Examples) -> tuple[BoolArray, BoolArray]:
    """``[n]`` each: whether the code is the annotators' first; whether it is in their list.

    Examples:
        >>> best, listed = compare(read_examples(["C1", "C2", "C3"], [["C1", "C2"]] * 3, None))
        >>> best.tolist(), listed.tolist()
        ([True, False, False], [True, True, False])
    """
    answers = examples.gold.attributes["cui"]
    numbers = {code: number for number, code in enumerate(examples.codes)}
    lists = [[numbers.get(CODE.fold(c.strip()), -2) for c in v.split(",")] for v in answers.values]
    firsts = np.array([codes[0] for codes in lists], np.int64)
    size = len(numbers)
    members = [row * size + code for row, codes in enumerate(lists) for code in codes if code >= 0]
    given = examples.predicted >= 0
    best: BoolArray = firsts.take(answers.ids) == examples.predicted
    keys = answers.ids.astype(np.int64) * size + examples.predicted
    listed = np.isin(keys, members) & given
    return best, listed


def list_outcomes(
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    documents: Any = None,
) -> Outcomes:
    """What became of every abbreviation; the arguments are those of :func:`count`.

    The gold code of an abbreviation is here the annotators' first one.
    """
    del protocol  # there is one
    examples = read_examples(predictions, references, documents)
    given = np.flatnonzero(examples.predicted >= 0)
    silent = np.flatnonzero(examples.predicted < 0)
    answers = examples.gold.attributes["cui"]
    firsts = Coded.of([CODE.fold(value.split(",")[0].strip()) for value in answers.values])
    codes = tuple(dict.fromkeys((*firsts.values, *examples.codes)))
    at = {code: number for number, code in enumerate(codes)}
    of_predicted = np.array([at[code] for code in examples.codes], np.int64)
    predicted = Coded(of_predicted[examples.predicted[given]], codes)
    gold = replace(examples.gold, attributes={"cui": Coded(firsts.ids[answers.ids], codes)})
    prediction = replace(examples.gold.take(given), attributes={"cui": predicted})
    rows = np.concatenate([given, silent])
    partner = np.concatenate([np.arange(len(given)), np.full(len(silent), NONE)])
    best, listed = (right[rows] for right in compare(examples))
    columns = {"strict_correct": ("correct",), "total": ("correct", "wrong")}
    verdicts, equal = ("correct", "wrong"), {"cui": best[: len(given)]}
    matches = {
        "strict": Match(rows, partner, (~best).astype(np.int8), verdicts, columns, equal),
        "relaxed": Match(
            rows, partner, (~listed).astype(np.int8), verdicts, {"relaxed_correct": ("correct",)}
        ),
    }
    sides = gold, prediction
    return Outcomes(CHALLENGE.name, config, examples.documents, *sides, matches, "strict")


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    """Scores from totals; see the top of the file for the formulas."""
    counts = {key: totals[key] for key in ("strict_correct", "relaxed_correct", "total")}
    return {
        "strict_accuracy": ratio(counts["strict_correct"], counts["total"]),
        "relaxed_accuracy": ratio(counts["relaxed_correct"], counts["total"]),
        **counts,
    }


CHALLENGE = Challenge(
    name="clefehealth13_task2",
    title="ShARe/CLEF eHealth 2013 Task 2: Acronyms and abbreviations",
    configs={"default": "codes of annotated acronyms and abbreviations"},
    protocols={"spec": "the lab's document"},
    differences=(),
    count=count,
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
    validate=find_problems_of_task2,
    outcomes=list_outcomes,
)
