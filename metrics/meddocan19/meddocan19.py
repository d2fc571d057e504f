"""MEDDOCAN 2019, de-identification of Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.meddocan19 import CHALLENGE
from clineval.hf import ChallengeMetric


class Meddocan19(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of MEDDOCAN 2019, de-identification of Spanish clinical cases: entities by span and type,
sensitive spans before and after merging, leak by sentences, and what no prediction covers.
"""
    inputs = """
    predictions: for each document a list of mentions, such as
        `{"spans": [[start, end]], "label": "FECHAS"}`; or the path of a directory of brat's files,
        of XML files or of JSON Lines; or `clineval.Document` objects.
    references: the gold standard, in any of these forms.
"""
    returns = """
Returns:
    A dict: `strict_`, `span_` and `merged_` with `precision`, `recall`, `f1`, `tp`, `fp`, `fn`;
    labels such as `fechas_strict_f1`; `macro_strict_f1`; `leak` and `sentences` where these are
    given; `leaked_characters_share` and the like; `n_documents`, `signature`; `per_document` if
    asked for.

Examples:
    >>> metric = evaluate.load("meddocan19")
    >>> texts = ["Nombre: Orvín Quarro, 67 años"]
    >>> name, age = "NOMBRE_SUJETO_ASISTENCIA", "EDAD_SUJETO_ASISTENCIA"
    >>> gold = [[{"spans": [[8, 20]], "label": name}, {"spans": [[22, 29]], "label": age}]]
    >>> found = [[{"spans": [[8, 13]], "label": name}, {"spans": [[14, 20]], "label": name},
    ...           {"spans": [[22, 29]], "label": age}]]
    >>> results = metric.compute(predictions=found, references=gold, texts=texts)
    >>> results["strict_tp"], results["span_tp"], results["merged_f1"]
    (1, 1, 1.0)
    >>> results["leaked_characters"]  # the blank
    1
"""
    further = (
        "https://temu.bsc.es/meddocan/",
        "https://github.com/PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script",
    )
    forms = ([{"spans": [[int]], "label": str}], str)
