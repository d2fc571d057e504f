"""ShARe/CLEF eHealth 2013 Task 2, acronyms and abbreviations, as an evaluate module."""

import evaluate

from clineval.challenges.clefehealth13_task2 import CHALLENGE
from clineval.hf import ChallengeMetric


class Clefehealth13Task2(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of ShARe/CLEF eHealth 2013 Task 2: the share of annotated acronyms and abbreviations
whose code is the annotators' first one (strict), or is in their list of possible codes (relaxed).
"""
    inputs = """
    predictions: one code for each abbreviation; None for CUI-less.
    references: for each abbreviation the annotators' codes, best first: a list, or a string with
        commas between the codes.
"""
    returns = """
Returns:
    A dict: `strict_accuracy`, `relaxed_accuracy`, and the counts `strict_correct`,
    `relaxed_correct` and `total` behind them; `n_documents` and `signature`; `per_document` if
    asked for.

Examples:
    >>> metric = evaluate.load("clefehealth13_task2")
    >>> results = metric.compute(
    ...     predictions=["C0003842", "C0003843", "C0000001"],
    ...     references=[["C0003842", "C0003843"], ["C0003842", "C0003843"], ["C0003842"]])
    >>> round(results["strict_accuracy"], 4), round(results["relaxed_accuracy"], 4)
    (0.3333, 0.6667)
    >>> results["relaxed_correct"], results["total"]
    (2, 3)
"""
    further = ("https://doi.org/10.1186/s13326-016-0084-y",)
    forms = (str, (str, [str]))
