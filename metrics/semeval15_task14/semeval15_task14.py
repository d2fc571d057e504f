"""SemEval-2015 Task 14, Analysis of Clinical Text, as an evaluate module."""

import evaluate

from clineval.challenges.semeval15_task14 import CHALLENGE
from clineval.formats.delimited.pipe import SLOTS
from clineval.hf import ChallengeMetric


class Semeval15Task14(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of SemEval-2015 Task 14, Analysis of Clinical Text: strict and relaxed precision,
recall and F1 of disorder mentions with their codes (Task 1); and for the nine slots of a disorder
span F1, accuracy, weighted accuracy, their products, and the accuracies of each slot (Tasks 2a
and 2b). Mentions may be discontiguous. Configurations: `default` (all), `task1`, `task2a`,
`task2b`.
"""
    inputs = """
    predictions: for each document a list of mentions, or a `clineval.Document`, or a string in
        the challenge's pipe format. A mention is a dict: `spans`, a list of `[start, end]` in
        characters, ends exclusive; `cui`, a code or None for CUI-less; and the slots `negation`
        (no, yes), `subject` (patient, family_member, donor_family_member, donor_other, null,
        other), `uncertainty` (no, yes), `course` (unmarked, changed, increased, decreased,
        improved, worsened, resolved), `severity` (unmarked, slight, moderate, severe),
        `conditional` (false, true), `generic` (false, true), `body_location` (a code or several).
        A slot that is left out has its first value; body location NULL.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict. `strict_` and `relaxed_` with `precision`, `recall`, `f1`, `tp`, `fp`, `fn` (Task 1);
    the same with `span_`, `accuracy`, `weighted_accuracy`, `f1_x_accuracy`,
    `f1_x_weighted_accuracy`, and for each slot `<slot>_accuracy` and `<slot>_weighted_accuracy`
    (Task 2); `n_documents` and `signature`; `per_document` if asked for. In `task2a`, where spans
    are given, a warning says how many predictions have other ones.

Examples:
    >>> metric = evaluate.load("semeval15_task14")
    >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720", "severity": "moderate"}]]
    >>> found = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["strict_f1"], results["accuracy"], round(results["weighted_accuracy"], 3)
    (1.0, 0.8888888888888888, 0.678)

    Only one fragment found: no strict match, but an overlap.

    >>> metric = evaluate.load("semeval15_task14", "task1")
    >>> results = metric.compute(
    ...     predictions=[[{"spans": [[4, 15]], "cui": "C0344720"}]], references=gold)
    >>> results["strict_f1"], results["relaxed_f1"]
    (0.0, 1.0)

    The pipe format, and the released script's rules.

    >>> results = metric.compute(
    ...     predictions=["a.txt|20-25|C0032285"], references=["a.txt|10-20|C0032285"],
    ...     protocol="official")
    >>> results["relaxed_f1"], results["signature"].split("|")[:3]
    (1.0, ['semeval15_task14', 'task1', 'protocol:official'])
"""
    further = ("https://aclanthology.org/S15-2051/",)
    forms = ([{"spans": [[int]], **dict.fromkeys((slot.name for slot in SLOTS), str)}], str)
