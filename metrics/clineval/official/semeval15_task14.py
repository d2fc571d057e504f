"""The output files of the two SemEval-2015 Task 14 scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from clineval.challenges.semeval15_task14 import OFFICIAL, pair, read_corpus
from clineval.mentions.corpus import Corpus, Mentions
from clineval.mentions.pairing import Pairs
from clineval.scores import Score

Scores = Score | Mapping[str, Any]
SLOT_LABELS: Mapping[str, str] = {
    "BodyLoc": "body_location",
    "CUI": "cui",
    "Conditional": "conditional",
    "Course": "course",
    "Generic": "generic",
    "Negation": "negation",
    "Severity": "severity",
    "Subject": "subject",
    "Uncertainty": "uncertainty",
}
"""The script's names of the slots, in byte order; the script itself has them in random order."""


def format_task1(score: Scores) -> str:
    """The file that ``semeval-2015-task-14-task-1-eval.pl`` writes."""
    strict = "Strict Score\n" + _format_matches(score, "strict", ", ", "\n")
    return strict + "Relaxed  Score\n" + _format_matches(score, "relaxed", ", ", "\n")


def format_task2(score: Scores) -> str:
    """The file that ``semeval-2015-task-14-task-2-eval.pl`` writes."""
    lines = [
        _format_matches(score, "span", " ", " \n"),
        f"Accuracy:\t {score['accuracy']:.3f} \tF*Accuracy:\t {score['f1_x_accuracy']:.3f} \n",
        f"Wt_Accuracy:\t {score['weighted_accuracy']:.3f} \t",
        f"F*Wt_Accuracy:\t {score['f1_x_weighted_accuracy']:.3f}\n\n",
        "Slot Weighted Accuracy:\n",
    ]
    slots = (
        f"{label + ':':<11}\t{score[f'{slot}_weighted_accuracy']:.3f} \n"
        for label, slot in SLOT_LABELS.items()
    )
    return "".join([*lines, *slots])


def undefined_slots(score: Score) -> list[str]:
    """The slots whose weights add up to 0, at the first of which the script dies."""
    totals = score.counts.totals
    return [label for label, slot in SLOT_LABELS.items() if totals[f"{slot}_weight"] == 0]


def trace(predictions: str, references: str, task: str) -> Iterator[str]:
    """What became of each mention, a line each: verdict, document, gold span, predicted span.

    Args:
        predictions: directory of the predictions.
        references: directory of the gold standard.
        task: ``strict``, ``relaxed`` or ``span``.
    """
    corpus = read_corpus(predictions, references, OFFICIAL)
    return _trace_pairs(corpus, getattr(pair(corpus, OFFICIAL), task))


def _trace_pairs(corpus: Corpus, pairs: Pairs) -> Iterator[str]:
    gold, prediction = corpus.gold, corpus.prediction
    for left, right in zip(pairs.gold.tolist(), pairs.prediction.tolist(), strict=True):
        yield f"TP\t{_name(corpus, gold, left)}\t{prediction.columns.text_of_spans(right)}"
    for row in sorted(set(range(len(gold))) - set(pairs.gold.tolist())):
        yield f"FN\t{_name(corpus, gold, row)}\t-"
    taken = {*pairs.prediction.tolist(), *pairs.displaced.tolist()}
    for row in sorted(set(range(len(prediction))) - taken):
        document, span = _name(corpus, prediction, row).split("\t")
        yield f"FP\t{document}\t-\t{span}"


def _name(corpus: Corpus, side: Mentions, row: int) -> str:
    document = corpus.documents[side.columns.document[row]]
    return f"{document}\t{side.columns.text_of_spans(row)}"


def _format_matches(score: Scores, prefix: str, comma: str, end: str) -> str:
    tp, fp, fn = (score[f"{prefix}_{kind}"] for kind in ("tp", "fp", "fn"))
    p, r, f = (score[f"{prefix}_{name}"] for name in ("precision", "recall", "f1"))
    counts = f"TP: {tp}{comma}FP: {fp}{comma}FN: {fn}\n"
    return f"{counts}P:\t {p:.3f}{end}R:\t {r:.3f}{end}F:\t {f:.3f}\n\n"
