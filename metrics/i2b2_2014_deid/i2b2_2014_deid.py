"""i2b2 2014 Track 1, de-identification, as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2014_deid import CHALLENGE
from clineval.hf import ChallengeMetric


class I2b2_2014Deid(ChallengeMetric, evaluate.Metric):  # noqa: N801 - spells the module's name
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of i2b2/UTHealth 2014 Track 1, de-identification: mentions of protected health
information by exact spans, by spans with nearly the same end, and by tokens; of all types, of those
that HIPAA names, and without types; and what leaks.
"""
    inputs = """
    predictions: for each document a list of mentions, such as
        `{"spans": [[start, end]], "label": "DOCTOR"}`; or a string in i2b2's XML; or the path of a
        directory of XML files or of JSON Lines; or `clineval.Document` objects.
    references: the gold standard, in any of these forms.
"""
    returns = """
Returns:
    A dict: `strict_`, `relaxed_` and `token_` with `precision`, `recall`, `f1`, `tp`, `fp`, `fn`,
    all of them with `hipaa_`, `binary_` and `binary_hipaa_` before them; `record_` before these for
    means of records; categories such as `name_strict_f1`; `leaked_characters_share` and the like;
    `n_documents`, `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("i2b2_2014_deid")
    >>> texts = ["Seen by Tessaly Groost on 03/04/2081."]
    >>> gold = [[{"spans": [[8, 22]], "label": "DOCTOR"}, {"spans": [[26, 36]], "label": "DATE"}]]
    >>> found = [[{"spans": [[8, 21]], "label": "DOCTOR"}, {"spans": [[26, 36]], "label": "ID"}]]
    >>> results = metric.compute(predictions=found, references=gold, texts=texts)
    >>> results["strict_f1"], results["relaxed_f1"], results["binary_relaxed_f1"]
    (0.0, 0.5, 1.0)
    >>> results["leaked_characters"], results["leaked_mentions"]
    (1, 1)
"""
    further = ("https://github.com/kotfic/i2b2_evaluation_scripts",)
    forms = ([{"spans": [[int]], "label": str}], str)
