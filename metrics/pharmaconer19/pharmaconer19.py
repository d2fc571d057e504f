"""PharmaCoNER 2019, pharmacological substances in Spanish cases, as an evaluate module."""

import evaluate

from clineval.challenges.pharmaconer19 import CHALLENGE
from clineval.hf import ChallengeMetric


class Pharmaconer19(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of PharmaCoNER 2019 (BioNLP-OST): mentions of pharmacological substances, compounds and
proteins in Spanish clinical cases (`ner`), and the codes of each case (`indexing`).
"""
    inputs = """
    predictions: for each document a list of mentions, such as
        `{"spans": [[start, end]], "label": "PROTEINAS"}`; or the path of a directory of brat's
        files or of JSON Lines; or `clineval.Document` objects. For `indexing` for each document a
        list of codes, or a mapping of names to such lists, or the path of TSV files.
    references: the gold standard, in any of these forms.
"""
    returns = """
Returns:
    A dict: `strict_` with `precision`, `recall`, `f1`, `tp`, `fp`, `fn`, also of each label and
    `macro_`; `leaked_characters_share` and the like; for `indexing` `micro_` with the same;
    `n_documents`, `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("pharmaconer19")
    >>> gold = [[{"spans": [[0, 9]], "label": "NORMALIZABLES"},
    ...          {"spans": [[14, 22]], "label": "PROTEINAS"}]]
    >>> found = [[{"spans": [[0, 9]], "label": "NORMALIZABLES"},
    ...           {"spans": [[14, 22]], "label": "NORMALIZABLES"}]]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["strict_f1"], results["proteinas_strict_recall"], results["leaked_characters"]
    (0.5, 0.0, 0)

    >>> metric = evaluate.load("pharmaconer19", "indexing")
    >>> gold, found = [["372658000", "CHEBI:1"]], [["372658000", "61425002"]]
    >>> metric.compute(predictions=found, references=gold)["micro_f1"]
    0.5
"""
    further = (
        "https://temu.bsc.es/pharmaconer/",
        "https://github.com/PlanTL-GOB-ES/PharmaCoNER-CODALAB-Evaluation-Script",
    )
    forms = ([{"spans": [[int]], "label": str}], [str], str)
