"""ShARe/CLEF eHealth 2013 Task 1, disorders and their codes, as an evaluate module."""

import evaluate

from clineval.challenges.clefehealth13_task1 import CHALLENGE
from clineval.hf import ChallengeMetric


class Clefehealth13Task1(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of ShARe/CLEF eHealth 2013 Task 1, which are those of SemEval-2014 Task 7 as well: exact
and overlap precision, recall and F1 of distinct disorder spans (Task 1a), strict and relaxed
accuracy of their codes (Task 1b). Mentions may be discontiguous. Configurations: `default` (both),
`task1a`, which needs no codes, `task1b`.
"""
    inputs = """
    predictions: for each document a list of mentions, or a `clineval.Document`, or a string in
        the lab's format (`DocName||Type||CUI||start||end||start||end...`, a line for a mention).
        A mention is a dict: `spans`, a list of `[start, end]` in characters, ends exclusive;
        and `cui`, a code or None for CUI-less, which `task1a` can do without. The slots of
        `semeval15_task14` may be there and are not scored.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict. `exact_` and `overlap_` with `precision`, `recall`, `f1`, `tp`, `fp`, `fn` (Task 1a);
    `strict_accuracy`, `relaxed_accuracy`, and the counts `correct`, `strict_total`,
    `relaxed_total` behind them (Task 1b); `n_documents` and `signature`; `per_document` if asked
    for.

Examples:
    >>> metric = evaluate.load("clefehealth13_task1")
    >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"},
    ...          {"spans": [[50, 60]], "cui": None}]]
    >>> found = [[{"spans": [[4, 15]], "cui": "C0344720"}, {"spans": [[50, 60]], "cui": None}]]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["exact_f1"], results["overlap_f1"]
    (0.5, 1.0)
    >>> results["strict_accuracy"], results["relaxed_accuracy"]
    (0.5, 1.0)

    Spans alone, and the released script's rules: three predictions, all right, for one mention.

    >>> metric = evaluate.load("clefehealth13_task1", "task1a")
    >>> found = [[{"spans": [[k, k + 9]]} for k in (0, 10, 20)]]
    >>> gold = [[{"spans": [[0, 100]]}]]
    >>> metric.compute(predictions=found, references=gold)["overlap_precision"]
    0.3333333333333333
    >>> metric.compute(predictions=found, references=gold, protocol="official")["overlap_tp"]
    3

    The lab's format.

    >>> results = metric.compute(
    ...     predictions=["a.txt||Disease_Disorder||CUI-less||10||20"],
    ...     references=["a.txt||Disease_Disorder||C0032285||10||20"])
    >>> results["exact_f1"], results["signature"].split("|")[:3]
    (1.0, ['clefehealth13_task1', 'task1a', 'protocol:spec'])
"""
    further = ("https://doi.org/10.1007/978-3-642-40802-1_24",)
    forms = ([{"spans": [[int]], "cui": str}], str)
