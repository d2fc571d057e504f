"""Labelled spans of any scheme, as an evaluate module."""

import evaluate

from clineval.challenges.clinical_spans import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class ClinicalSpans(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str}], str)
