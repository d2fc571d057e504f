"""ClinAIS 2023, sections of Spanish clinical notes, as an evaluate module."""

import evaluate

from clineval.challenges.clinais23_b2 import CHALLENGE
from clineval.hf import ChallengeMetric

_SECTION = {"start": int, "end": int, "label": str}


class Clinais23B2(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
B2, the score of ClinAIS 2023 (identification of sections in clinical documents in Spanish): how
well the boundaries of labelled sections were found, by a boundary edit distance whose edits are
weighted, so that a boundary a few tokens off costs little. Also Fournier's B from the same edits,
and the numbers of matches, additions (missed), deletions (spurious), substitutions and
transpositions.
"""
    inputs = """
    predictions: for each note a list with one item for each token: the label of the section that
        begins there, else None. Or a dict: `text`, the note, and `sections`, a list of dicts with
        `start` and `end` in characters, ends exclusive, and `label`; tokens are then what stands
        between white space. Or an entry of the task's JSON (`boundary_annotation`). Or any of
        these as a string of JSON.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict: `b2` and `b`, means of the notes weighted by their numbers of gold boundaries, from 0
    to 1; `matches`, `additions`, `deletions`, `substitutions`, `transpositions`; `n_documents`
    and `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("clinais23_b2")
    >>> gold = ["EXPLORATION", None, None, None, "TREATMENT", None, None, None]
    >>> found = ["EXPLORATION", None, None, None, None, None, None, "TREATMENT"]
    >>> results = metric.compute(predictions=[found], references=[gold])
    >>> round(results["b2"], 4), results["b"], results["transpositions"]
    (0.9754, 0.5, 1)

    Sections as characters; the boundary is two words late, which is free.

    >>> text = "Abdomen blando. Se pauta reposo."
    >>> sections = [{"start": 0, "end": 16, "label": "EXPLORATION"},
    ...             {"start": 16, "end": 32, "label": "TREATMENT"}]
    >>> late = [{"start": 0, "end": 25, "label": "EXPLORATION"},
    ...         {"start": 25, "end": 32, "label": "TREATMENT"}]
    >>> results = metric.compute(
    ...     predictions=[{"text": text, "sections": late}],
    ...     references=[{"text": text, "sections": sections}], per_document=True)
    >>> results["b2"], results["per_document"][0]["edits"][0]["displacement"]
    (1.0, 2)

    Labels of your own.

    >>> results = metric.compute(
    ...     predictions=[["A", None, "C"]], references=[["A", None, "B"]], labels=["A", "B", "C"])
    >>> round(results["b2"], 2), results["substitutions"], results["signature"].split("|")[3]
    (0.35, 1, 'n_t:40')
"""
    further = ("https://aclanthology.org/P13-1167/",)
    forms = ({"text": str, "sections": [_SECTION]}, str, [str])
