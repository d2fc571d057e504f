"""CodiEsp 2020, the codes of Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.codiesp20 import CHALLENGE
from clineval.hf import ChallengeMetric


class Codiesp20(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of CodiEsp 2020 (CLEF eHealth Task 1): codes of clinical cases as ranked lists, by mean
average precision and F1 (configurations D and P), or with their places in the text (X).
"""
    inputs = """
    predictions: for each document a list of codes, the best first; or a mapping of documents'
        names to such lists; or a path of TSV files. In X a code is a dict with `code` and
        `spans`, a list of `[start, end]` in characters, ends exclusive.
    references: the gold standard, in any of these forms.
"""
    returns = """
Returns:
    A dict: `map` and `map_at_<k>` (not in X), `micro_precision`, `micro_recall`, `micro_f1`,
    `micro_tp`, `micro_fp`, `micro_fn`, `n_documents`, `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("codiesp20")
    >>> gold = [["n20.0", "r31.9", "m54.5"], ["i10"]]
    >>> found = [["n20.0", "n39.0", "m54.5"], []]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> round(results["map"], 4), round(results["micro_f1"], 4)
    (0.2778, 0.5714)

    With places in the text, of which the ends may differ by 10 characters:

    >>> metric = evaluate.load("codiesp20", "X")
    >>> gold = [[{"code": "n20.0", "spans": [[101, 115], [191, 199]]}]]
    >>> found = [[{"code": "N20.0", "spans": [[96, 115]]}]]
    >>> metric.compute(predictions=found, references=gold)["micro_f1"]
    1.0
"""
    further = (
        "https://temu.bsc.es/codiesp/",
        "https://github.com/TeMU-BSC/codiesp-evaluation-script",
    )
    forms = ([str], [{"code": str, "spans": [[int]]}], str)
