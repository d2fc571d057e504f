"""i2b2/VA 2010, concepts, assertions and relations, as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2010 import CHALLENGE
from clineval.hf import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class I2b2_2010(ChallengeMetric, evaluate.Metric):  # noqa: N801 - spells the module's name
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of the i2b2/VA 2010 challenge: precision, recall and F1 of concepts (problems, tests,
treatments), of assertions about problems, and of relations between concepts; strict, by span alone,
and for concepts also by overlap. Configurations: `default` (all), `concepts`, `assertions`,
`relations`.
"""
    inputs = """
    predictions: the path of a folder of `.con`, `.ast` and `.rel` files; or for each document a
        dict of `mentions` and `relations`, a list of mentions alone, a `clineval.Document`, or a
        string of the challenge's lines or of JSON. A mention is a dict: `spans`, one
        `[start, end]`, the end exclusive; `label`, that of a concept or of an assertion; `id`. A
        relation has `label`, and the ids `from` and `to`.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict. `concepts_`, `assertions_` and `relations_`, each with `strict_` (same span and label)
    and `exact_` (same span), concepts also with `lenient_` (overlap and label) and `overlap_`; each
    with `precision`, `recall`, `f1`, `tp`, `fp`, `fn`. The same with a label in lower case, such as
    `problem_strict_f1`, and with `macro_` before, such as `macro_concepts_strict_f1`, without
    counts. `n_documents` and `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("i2b2_2010")
    >>> gold = ['''c="chest pain" 1:2 1:3||t="problem"
    ... c="chest pain" 1:2 1:3||t="problem"||a="present"''']
    >>> found = ['''c="the chest pain" 1:1 1:3||t="problem"
    ... c="chest pain" 1:2 1:3||t="problem"||a="absent"''']
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["concepts_strict_f1"], results["concepts_lenient_f1"]
    (0.0, 1.0)
    >>> results["assertions_exact_f1"], results["assertions_strict_f1"]
    (1.0, 0.0)

    The released program does not count a prediction as overlapping that begins before the concept
    and ends inside it.

    >>> found = ['c="his chest" 1:1 1:2||t="problem"']
    >>> for protocol in ("spec", "official"):
    ...     results = metric.compute(predictions=found, references=gold, protocol=protocol)
    ...     print(protocol, results["concepts_overlap_tp"])
    spec 1
    official 0
"""
    further = ("https://doi.org/10.1136/amiajnl-2011-000203",)
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, str)
