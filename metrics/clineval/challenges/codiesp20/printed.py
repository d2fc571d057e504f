"""The outputs of CodiEsp's three scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from math import nan
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from clineval.base.arrays import BoolArray, FloatArray
from clineval.base.errors import InputError
from clineval.challenges.codiesp20.official import AsPandas, check_valid
from clineval.challenges.codiesp20.tsv import GOLD_PLACES, LISTS, PLACES, read_valid
from clineval.kinds.codes import CODE, CodeCorpus
from clineval.results.scripts import Output, ScriptRun

Evaluation = Any  # which lives on a higher floor
_RULE, _LINE = "-" * 53, "_" * 58


class Measure(str, Enum):
    """Which of the scripts."""

    map = "map"
    f1 = "f1"
    x = "x"


Gold = Annotated[Path, typer.Option("-g", help="Gold standard.", show_default=False)]
System = Annotated[Path, typer.Option("-p", help="Predictions.", show_default=False)]
Codes = Annotated[
    Path | None, typer.Option("-c", help="Valid codes, for map and f1.", show_default=False)
]
Diagnoses = Annotated[
    Path | None, typer.Option("-cD", help="Valid diagnosis codes, for x.", show_default=False)
]
Procedures = Annotated[
    Path | None, typer.Option("-cP", help="Valid procedure codes, for x.", show_default=False)
]


def codiesp(  # noqa: PLR0917 - the scripts' options
    measure: Annotated[Measure, typer.Argument(help="map, f1 or x.", show_default=False)],
    gold: Gold,
    system: System,
    codes: Codes = None,
    diagnoses: Diagnoses = None,
    procedures: Procedures = None,
) -> ScriptRun:
    """Print what CodiEsp's scripts print.

    map stands for codiespD_P_evaluation.py and f1 for comp_f1_diag_proc.py, both with -c; x stands
    for codiespX_evaluation.py, with -cD and -cP.
    """
    given = (diagnoses, procedures) if measure is Measure.x else (codes,)
    valid = _read_lists(measure, given)
    tables = (GOLD_PLACES, PLACES) if measure is Measure.x else (LISTS, LISTS)
    judged = measure is not Measure.f1
    sides = [
        AsPandas(table, judged, only is valid and measure is Measure.map).read(path, only)
        for table, path, only in zip(tables, (gold, system), (None, valid), strict=True)
    ]
    if measure is Measure.x and not len(sides[1].mentions):
        raise InputError("no valid predicted code, at which the released script stops")
    config = "X" if measure is Measure.x else "default"
    return ScriptRun(config, sides[1], sides[0], _WRITE[measure], {"codes": valid})


def _read_lists(measure: Measure, paths: Sequence[Path | None]) -> frozenset[str]:
    wanted = "-cD and -cP" if measure is Measure.x else "-c"
    if None in paths:
        raise InputError(f"{measure.value} needs lists of valid codes", remedy=f"Give {wanted}")
    lists = [check_valid(read_valid(path) or frozenset()) for path in paths]
    return frozenset[str]().union(*lists)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"codiesp-2020": codiesp}


def write_map(evaluation: Evaluation) -> Iterator[Output]:
    """Yield MAP, nan if no document has a valid code."""
    totals = evaluation.counts.totals
    value = _round_scaled(evaluation.score()["map"]) if totals["ranked_documents"] else nan
    yield Output(f"\nMAP estimate: {value}\n\n")


def write_f1(evaluation: Evaluation) -> Iterator[Output]:
    """Yield tables of documents, the micro-averages, and these once more between bars."""
    hits, golds, found = _count(evaluation)
    in_gold, predicted = _holding(evaluation.corpus)
    shown = [in_gold | predicted, in_gold, in_gold | predicted]
    overall = _average(evaluation, _round_scaled)
    scored = [np.where(in_gold, hits, nan), golds, found]
    yield Output(_format(evaluation.corpus, scored, shown, overall))
    yield Output("\n" + "|".join(map(str, overall)) + "\n")


def write_x(evaluation: Evaluation) -> Iterator[Output]:
    """Yield tables of documents, and the micro-averages."""
    hits, golds, found = _count(evaluation)
    in_gold, predicted = _holding(evaluation.corpus)
    scored = [np.where((hits == 0) & predicted, nan, hits), golds, found]
    overall = _average(evaluation, _round)
    yield Output(_format(evaluation.corpus, scored, [in_gold] * 3, overall))


_WRITE: Mapping[Measure, Callable[[Evaluation], Iterator[Output]]] = {
    Measure.map: write_map,
    Measure.f1: write_f1,
    Measure.x: write_x,
}
Numbers = tuple[float, float, float]


def _holding(corpus: CodeCorpus) -> tuple[BoolArray, BoolArray]:
    """Tell which documents, ``[documents]``, have gold codes, and predicted ones."""
    size = len(corpus.documents)
    return corpus.gold.sizes(size) > 0, corpus.prediction.sizes(size) > 0


def _count(evaluation: Evaluation) -> list[FloatArray]:
    """Count, ``[documents]`` each, right codes, gold codes but missing ones, predicted codes."""
    corpus: CodeCorpus = evaluation.corpus
    codes = corpus.gold.attributes[CODE]
    named = np.array(list(map(bool, codes.values)), np.bool_)[codes.ids]
    documents, hits = corpus.gold.document, evaluation.pairings[0]["micro"].gold
    return [
        np.bincount(of, minlength=len(corpus.documents)).astype(np.float64)
        for of in (documents[hits], documents[named], corpus.prediction.document)
    ]


def _round(value: float) -> float:
    """Round as Python does, to the nearest."""
    return round(value, 3)


def _round_scaled(value: float) -> float:
    """Round as NumPy does its own numbers: .0005 times 1,000 is a half, and becomes 0."""
    return float(np.round(np.float64(value), 3))


def _average(evaluation: Evaluation, rounded: Callable[[float], float]) -> Numbers:
    """Return precision, recall and F, rounded, with the scripts' nan and their 0 for 0.0."""
    totals = evaluation.counts.totals
    tp, fp, fn = (totals[f"micro_{name}"] for name in ("tp", "fp", "fn"))
    if tp + fn == 0:
        raise InputError("no gold code, at which the released script stops")
    precision = tp / (tp + fp) if tp + fp else nan
    recall = tp / (tp + fn)
    if precision + recall == 0:
        return 0.0, 0.0, 0
    f = 2 * precision * recall / (precision + recall)
    return rounded(precision), rounded(recall), rounded(f)


def _format(
    corpus: CodeCorpus, counts: Sequence[FloatArray], shown: Sequence[BoolArray], overall: Numbers
) -> str:
    hits, golds, found = counts
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = hits / found, hits / golds
        columns = (precision, recall, 2 * precision * recall / (precision + recall))
    names = ("Precision", "Recall", "F-score")
    order = sorted(range(len(corpus.documents)), key=corpus.documents.__getitem__)
    parts = []
    for name, values, shows, whole in zip(names, columns, shown, overall, strict=True):
        parts += [f"\n{_RULE}\nClinical case name\t\t\t{name}\n{_RULE}\n"]
        rows = [at for at in order if shows[at]]
        parts += [
            f"{corpus.documents[at]}\t\t{_round(float(values[at]))}\n{_RULE}\n" for at in rows
        ]
        parts += [f"\n{_of(name)} = {whole}\n\n"]
    lines = [f"\n{_of(name)} = {whole}\n" for name, whole in zip(names, overall, strict=True)]
    return "".join([*parts, f"\n{_LINE}\n\nMICRO-AVERAGE STATISTICS:\n", *lines, "\n"])


def _of(name: str) -> str:
    return f"Micro-average {name if name == 'F-score' else name.lower()}"
