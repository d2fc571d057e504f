"""CodiEsp 2020 (CLEF eHealth Task 1): codes of Spanish clinical cases, and where they stand.

A case has codes of diagnoses (``D``, *diagnósticos*, CIE-10-CM) and of procedures (``P``,
*procedimientos*, CIE-10-PCS). In D and P a system gives each document a ranked list of codes, in X
codes of both kinds and where the text says so. The unit is a code of a document: repeats collapse,
the first one counts. Codes are compared without case and without blanks around them. With a list of
valid codes (``codes``) predicted codes outside of it are dropped before ranks are given; the gold
standard is never filtered.

    precision = tp / (tp + fp)      recall = tp / (tp + fn)     F1 = 2 tp / (2 tp + fp + fn)
    AP(d)     = sum over the ranks r of right codes of (right codes up to r) / r
                / number of gold codes of d
    map       = sum of AP(d) over the gold documents with at least one code / their number
    map_at_k  = the same of the first k codes of each list; the denominators do not change

Precision, recall and F1 are micro-averages, over all codes of all documents, from 0 to 1.
``default``, ``D`` and ``P`` score alike, whatever the codes stand for. A document that is not
predicted counts 0; one that is only predicted does not enter ``map``, and its codes are false
positives.

In ``X`` a gold code is found if a prediction of the same document and code points to one of its
references: start and end differ by at most 10 characters each. A reference of several parts stands
for all from its first to its last character. The labels DIAGNOSTICO and PROCEDIMIENTO are not
compared.

``protocol="official"`` does what the released scripts do (codiespD_P_evaluation.py,
comp_f1_diag_proc.py, codiespX_evaluation.py): MAP is the mean over the documents that any valid
code was predicted for, in the gold standard or not; only the first 1,000 codes of a list count; in
X a prediction must contain the reference, and exceed it by at most 10 characters at each end. Files
are read as pandas reads them. Where the scripts write nan, the score is 0.

``chapters`` names groups of codes: a TSV file of beginnings of codes and the chapter of each; the
longest beginning counts. Groups, errors and agreement then have the slot ``chapter``.

Sources: Miranda-Escalada et al. (2020); https://temu.bsc.es/codiesp/, Evaluation;
https://github.com/TeMU-BSC/codiesp-evaluation-script.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, is_iterable
from clineval.results.task import Task
from clineval.results.measures import Measures
from clineval.results.faces import Faces
from clineval.results.challenge import Challenge, Setup
from clineval.results.task import ClassSlot, Demo
from clineval.results.measures import Grid
from clineval.results.options import Option
from clineval.kinds.codes.corpus import CodeCorpus, join_codes, point_alike, sum_precisions
from clineval.kinds.codes.rows import CODE
from clineval.results.differences import list_differences
from clineval.base.errors import InputError, shown
from clineval.formats.code_chapters import CHAPTER, Chapters, read_chapters
from clineval.challenges.codiesp20.tsv import (
    GOLD_PLACES,
    LISTS,
    PLACES,
    AsPandas,
    Table,
    check_valid,
    find_problems,
    read_side,
    read_valid,
)
from clineval.base.hashing import hash_text
from clineval.formats.given.code_lists import read_codes
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.labelled import grid_of_prf
from clineval.kinds.mentions.outcomes import ANY_CLASS, Outcomes, columns_of
from clineval.kinds.mentions.pairing import Pairs
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.results.challenge import Steps
from clineval.results.views import ItemCheck, ListView

MOST_CHARACTERS = 10
"""By how much the ends of a prediction may differ."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        pandas: whether files are read as the released scripts read them.
        fold: the form in which codes are compared.
        depth: how many codes of a list count for MAP; None for all.
        average: the documents over which MAP is the mean: those of the ``gold`` standard, or
            those that are ``ranked``.
        near: for how much sooner a prediction starts and how much later it ends, which are right.
    """

    pandas: bool
    fold: Callable[[str], str]
    depth: int | None
    average: str
    near: Callable[[IntArray, IntArray], BoolArray]


def _fold(code: str) -> str:
    return code.strip().lower()


def _within(before: IntArray, after: IntArray) -> BoolArray:
    near: BoolArray = (abs(before) <= MOST_CHARACTERS) & (abs(after) <= MOST_CHARACTERS)
    return near


def _around(before: IntArray, after: IntArray) -> BoolArray:
    contains: BoolArray = (before >= 0) & (after >= 0)
    return contains & _within(before, after)


SPEC = Rules(pandas=False, fold=_fold, depth=None, average="gold", near=_within)
OFFICIAL = Rules(pandas=True, fold=str.lower, depth=1000, average="ranked", near=_around)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Both sides: TSV files or text, lists of codes, or mappings of documents to these."""
    places = setup.config == "X"
    gold, system = (GOLD_PLACES, PLACES) if places else (LISTS, LISTS)
    valid = setup["codes"]
    if setup.rules.pandas and valid is not None:
        valid = check_valid(valid)

    def read_one(given: Any, side: str, table: Table, valid: Collection[str] | None) -> Side:
        strict = partial(read_side, table=table)
        ranked = side == "predictions" and not places
        as_script = partial(AsPandas(table, ranked=ranked).read, valid=valid)
        read_files = as_script if setup.rules.pandas else strict
        return read_codes(given, side, read_files, places=places)

    found = [read_one(given, "predictions", system, valid) for given in predictions]
    return read_one(references, "references", gold, None), found


def join(gold: Side, predicted: Side, setup: Setup) -> CodeCorpus:
    """Both sides together, with the chapters of their codes if these are known."""
    corpus = join_codes(gold, predicted, setup.rules.fold, setup["codes"])
    chapters: Chapters | None = setup["chapters"]
    return corpus.labelled(CHAPTER, chapters.find) if chapters else corpus


def settings(setup: Setup) -> Mapping[str, str]:
    """What the numbers depend on besides the protocol."""
    valid = setup["codes"]
    folded = sorted(set(map(_fold, valid or ())))
    listed = f"{len(folded)}-{hash_text(' '.join(folded)) >> 40:06x}"
    named = {"codes": "any" if valid is None else listed}
    return named if setup.config == "X" else named | {"k": "+".join(map(str, setup["cutoffs"]))}


def pair(corpus: CodeCorpus, setup: Setup) -> Mapping[str, Pairs]:
    """The codes that both sides have, and those of them that are right."""
    same = corpus.find_same()
    if setup.config != "X":
        return {"micro": same, "code": same}
    right = point_alike(corpus.gold, corpus.prediction, same, setup.rules.near)
    return {"micro": same.take(right), "code": same}


def tally(corpus: CodeCorpus, pairing: Mapping[str, Pairs], setup: Setup) -> Columns:
    """The counts of each document."""
    columns = corpus.tally(pairing["micro"])
    return columns if setup.config == "X" else {**columns, **_rank(corpus, pairing["micro"], setup)}


def _rank(corpus: CodeCorpus, right: Pairs, setup: Setup) -> Columns:
    """What each document adds to MAP, and whether it counts there."""
    codes = corpus.gold.attributes[CODE]
    named = np.array([bool(code) for code in codes.values], np.bool_)[codes.ids]
    golds = np.bincount(corpus.gold.document[named], minlength=len(corpus.documents))
    right = right.take(np.flatnonzero(named[right.gold]))  # a missing code is none to be found
    deepest = setup.rules.depth
    depths = {"map": deepest} | {
        f"map_at_{k}": k if deepest is None else min(k, deepest) for k in setup["cutoffs"]
    }
    sums = {
        f"{name}_sum": np.asarray(ratio(sum_precisions(corpus, right, depth), golds))
        for name, depth in depths.items()
    }
    counts = golds > 0 if setup.rules.average == "gold" else corpus.ranked
    return {**sums, "ranked_documents": counts.astype(np.int64)}


def list_outcomes(
    corpus: CodeCorpus, pairings: Sequence[Mapping[str, Pairs]], setup: Setup
) -> Outcomes:
    """What became of every code: ``micro`` as it counts, ``code`` wherever it points to.

    ``any_class`` also pairs different codes that point to the same words.
    """
    [pairing] = pairings
    counted = {"micro": columns_of("micro"), "code": {}}
    matches = {name: corpus.list_match(pairing[name], of) for name, of in counted.items()}
    sides = corpus.gold, corpus.prediction
    matches[ANY_CLASS] = pair_any_class(matches["code"], *sides, corpus.documents)
    return Outcomes.of(setup, corpus, matches, ANY_CLASS, sides)


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - totals tell
    """Scores from totals; see the top of the file for the formulas."""
    means = {
        name.removesuffix("_sum"): ratio(total, totals["ranked_documents"])
        for name, total in totals.items()
        if name.startswith("map")
    }
    return {**means, **precision_recall_f1("micro", totals)}


def _parse_cutoffs(given: Any) -> tuple[int, ...]:
    words = given.split(",") if isinstance(given, str) else given
    listed = is_iterable(words) and not isinstance(words, bytes)
    numbers = list(map(_parse_cutoff, words)) if listed else []
    if not numbers or not all(numbers):
        raise InputError(
            f"expected whole numbers from 1 on, such as 10,30, got {shown(given)}", where="cutoffs"
        )
    return tuple(dict.fromkeys(numbers))


def _parse_cutoff(given: Any) -> int:
    """A number from 1 on; 0 for what is none."""
    if isinstance(given, str) and given.strip().isdecimal() and len(given.strip()) < len("10" * 5):
        given = int(given)
    return given if type(given) is int and given > 0 else 0


_RIGHT, _WRONG, _MISSED = ("right",), ("spurious", "elsewhere"), ("missed", "elsewhere")
CHALLENGE = Challenge(
    Task(
        name="codiesp20",
        title="CodiEsp 2020: Clinical Case Coding in Spanish",
        homepage="https://temu.bsc.es/codiesp/",
        citation="""\
@inproceedings{miranda-escalada-etal-2020-codiesp,
    title = "Overview of Automatic Clinical Coding: Annotations, Guidelines, and Solutions for
        non-{E}nglish Clinical Cases at {CodiEsp} Track of {CLEF} {eHealth} 2020",
    author = "Miranda-Escalada, Antonio and Gonzalez-Agirre, Aitor and Armengol-Estap{\\'e}, Jordi
        and Krallinger, Martin",
    booktitle = "Working Notes of CLEF 2020 - Conference and Labs of the Evaluation Forum",
    series = "CEUR Workshop Proceedings",
    volume = "2696",
    year = "2020",
    url = "http://ceur-ws.org/Vol-2696/paper_263.pdf",
}""",
        configs={
            "default": "ranked codes of documents, whatever they stand for",
            "D": "ranked codes of diagnoses (diagnósticos, CIE-10-CM)",
            "P": "ranked codes of procedures (procedimientos, CIE-10-PCS)",
            "X": "codes of both kinds with their places in the text",
        },
        kind="codes",
        class_slot=ClassSlot("code", "code"),
        definition=__doc__,
        file=__file__,
    ),
    protocols=Steps(read, join, pair, tally, list_outcomes, settings=settings).under(PROTOCOLS),
    measures=Measures(
        finish=finish,
        grids=(
            Grid("Ranked codes", ("MAP", "MAP@30"), {"all": ("map", "map_at_30")}),
            grid_of_prf("Codes of all documents", {"micro": "micro"}),
            Grid("Other cutoffs", ("value",), {}),
        ),
        headline=("map", "micro_f1"),
        shown_per_document=("map", *prf_keys("micro")),
    ),
    options=(
        Option(
            "codes",
            "Valid codes, the first column of a TSV file; others are dropped.",
            kind="file",
            python="the valid codes, or the path of a TSV file whose first column has them, or of "
            "a directory of such files; predicted codes outside of them are dropped",
            parse=read_valid,
        ),
        Option(
            "cutoffs",
            "The ks of MAP@k, with commas between them.",
            default=(30,),
            kind="names",
            python="the ks of MAP@k, as a list or with commas between them",
            parse=_parse_cutoffs,
        ),
        Option(
            "chapters",
            "TSV file of beginnings of codes and their chapters, for --by slot:chapter.",
            kind="file",
            python="beginnings of codes to their chapters, as a mapping or the path of a TSV file",
            parse=read_chapters,
        ),
    ),
    differences=list_differences("""
        MAP is the mean over (d_missing_document_not_averaged)
            spec: gold documents with a code; one without predictions counts 0
            official: documents with a valid predicted code, in the gold standard or not
        length of a ranked list (d_depth_1000)
            spec: does not matter
            official: only the first 1,000 codes count
        where a code stands (X) (x_narrower_by_1)
            spec: start and end may differ by 10 characters, to either side
            official: the prediction must contain the reference and exceed it by at most 10 at each
                end
        references of several parts (X) (x_discontinuous_gold_parts_unordered)
            spec: stand for all from the least start to the greatest end, on both sides
            official: go from the first number to the last as written; in predictions they are
                refused
        blanks around a code (d_trailing_blank)
            spec: do not matter
            official: are part of the code
        names and codes of digits, null and the like (d_digit_document_names)
            spec: are strings
            official: are what pandas takes them for: 01 is 1 if all names of documents are numbers,
                null is no code; codes of which all are numbers are refused
        a line of another number of columns (d_later_third_column_ignored)
            spec: is refused with file and line
            official: is refused if it is the first
        no prediction (d_empty_predictions)
            spec: scores 0
            official: is refused
    """),
    demo=Demo(
        "CodiEsp 2020: a dictionary and a classifier code 6 cases in Spanish",
        "gold_D.tsv",
        {"dictionary": "dictionary_D.tsv", "classifier": "classifier_D.tsv"},
        {"codes": Path("codes_D.tsv")},
    ),
    faces=Faces(
        page=ListView(
            checks=(
                ItemCheck("micro_tp", "codes", _RIGHT),
                ItemCheck("micro_fp", "codes", _WRONG),
                ItemCheck("micro_fn", "codes", _MISSED),
                ItemCheck("micro_precision", "codes", _RIGHT, (*_RIGHT, *_WRONG)),
                ItemCheck("micro_recall", "codes", _RIGHT, (*_RIGHT, *_MISSED)),
            ),
            headline="micro_f1",
            measures={"micro_f1": "F1", "map": "AP"},
        ),
        scripts=("codiesp-2020",),
        printed="clineval.challenges.codiesp20.printed",
        validate=find_problems,
    ),
)
