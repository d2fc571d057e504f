"""Labelled spans of any scheme, as an evaluate module."""

import evaluate

from clineval.challenges.clinical_spans import CHALLENGE
from clineval.hf import ChallengeMetric


class ClinicalSpans(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
Named entities of data that belong to no challenge: precision, recall and F1 of labelled spans,
which may overlap, nest, and be discontiguous; strict, lenient and by boundary, of each label, micro
and macro; and the four measures of SemEval-2013 Task 9 (MUC): strict, boundary, partial, type. The
protocol is `spec` only: no challenge and no script stands behind this module.
"""
    inputs = """
    predictions: for each document a list of mentions, or a `clineval.Document`, or a string with
        the JSON of either. A mention is a dict: `spans`, a list of `[start, end]` in characters,
        ends exclusive; `label`; and slots of any other name, such as `negated`, with a word, True
        or False. A path of JSON Lines or of brat's files will do too.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict. `strict_`, `lenient_` and `boundary_` with `precision`, `recall`, `f1`, `tp`, `fp`,
    `fn`, the first two also with a label before them, in lower case, such as `drug_strict_f1`, and
    with `macro_`; `strict_`, `boundary_`, `partial_` and `type_` with `precision`, `recall`, `f1`,
    `cor`, `inc`, `par`, `mis`, `spu`, `possible`, `actual`; `n_documents` and `signature`;
    `per_document` if asked for. With `slots` also `strict_slots_` with `precision`, `recall`,
    `f1`, `tp`, `fp`, `fn`, and `negated_strict_accuracy`, `negated_lenient_accuracy` and the like.

Examples:
    >>> metric = evaluate.load("clinical_spans")
    >>> gold = [[{"spans": [[0, 7]], "label": "Drug"}, {"spans": [[12, 20]], "label": "ADE"}]]
    >>> found = [[{"spans": [[0, 7]], "label": "Drug"}, {"spans": [[14, 20]], "label": "ADE"}]]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["strict_f1"], results["lenient_f1"], results["ade_strict_f1"]
    (0.5, 1.0, 0.0)
    >>> results["partial_cor"], results["partial_par"], results["partial_f1"]
    (1, 1, 0.75)

    The matching order of SemEval-2015 Task 14.

    >>> results = metric.compute(predictions=found, references=gold, order="longest")
    >>> results["signature"].split("|")[3:6]
    ['labels:ade+drug', 'overlap:character', 'order:longest']
"""
    further = ("https://aclanthology.org/S13-2056/", "https://aclanthology.org/M93-1007/")
    forms = ([{"spans": [[int]], "label": str}], str)
