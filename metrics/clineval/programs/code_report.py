"""Print scores of codes as the scripts of CodiEsp and CANTEMIST do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import nan

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray
from clineval.base.errors import InputError
from clineval.kinds.codes.corpus import CODE, CodeCorpus
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.pages import Scored
from clineval.results.scripts import Output

Evaluation = Scored[CodeCorpus, Mapping[str, Pairs]]
Numbers = tuple[float, float, float]
_RULE, _LINE = "-" * 53, "_" * 58


def write_map(evaluation: Evaluation, run: str = "") -> Iterator[Output]:
    """Yield MAP (nan if no document has a valid code), and a line ``run|MAP`` for a named run."""
    totals = evaluation.counts.totals
    value = _round_scaled(evaluation.score()["map"]) if totals["ranked_documents"] else nan
    yield Output(f"\nMAP estimate: {value}\n\n" + (f"{run}|{value}\n" if run else ""))


def write_f1(evaluation: Evaluation, run: str = "") -> Iterator[Output]:
    """Yield tables of documents, the micro-averages, and one line of these, separated by bars."""
    hits, golds, found = _count(evaluation)
    in_gold, predicted = _holding(evaluation.corpus)
    shown = [in_gold | predicted, in_gold, in_gold | predicted]
    overall = _average(evaluation, _round_scaled)
    scored = [np.where(in_gold, hits, nan), golds, found]
    yield Output(_format(evaluation.corpus, scored, shown, overall))
    yield Output((f"{run}|" if run else "\n") + "|".join(map(str, overall)) + "\n")


def write_x(evaluation: Evaluation) -> Iterator[Output]:
    """Yield tables of documents, and the micro-averages."""
    hits, golds, found = _count(evaluation)
    in_gold, predicted = _holding(evaluation.corpus)
    scored = [np.where((hits == 0) & predicted, nan, hits), golds, found]
    overall = _average(evaluation, _round)
    yield Output(_format(evaluation.corpus, scored, [in_gold] * 3, overall))


def _holding(corpus: CodeCorpus) -> tuple[BoolArray, BoolArray]:
    """Return which documents have gold codes, and which have predicted codes; ``[documents]``."""
    size = len(corpus.documents)
    return corpus.gold.sizes(size) > 0, corpus.prediction.sizes(size) > 0


def _count(evaluation: Evaluation) -> list[FloatArray]:
    """Count correct, gold (without missing values) and predicted codes, ``[documents]`` each."""
    corpus = evaluation.corpus
    codes = corpus.gold.attributes[CODE]
    named = np.array(list(map(bool, codes.values)), np.bool_)[codes.ids]
    documents, hits = corpus.gold.document, evaluation.pairings[0]["micro"].gold
    return [
        np.bincount(of, minlength=len(corpus.documents)).astype(np.float64)
        for of in (documents[hits], documents[named], corpus.prediction.document)
    ]


def _round(value: float) -> float:
    """Round as Python does: to the nearest decimal."""
    return round(value, 3)


def _round_scaled(value: float) -> float:
    """Round as NumPy does: .0005 times 1,000 is .5, which rounds to 0."""
    return float(np.round(np.float64(value), 3))


def _average(evaluation: Evaluation, rounded: Callable[[float], float]) -> Numbers:
    """Return rounded precision, recall and F, with nan and the integer 0 where the scripts do."""
    totals = evaluation.counts.totals
    tp, fp, fn = (totals[f"micro_{name}"] for name in ("tp", "fp", "fn"))
    if tp + fn == 0:
        raise InputError("there is no gold code: the released script stops here")
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
