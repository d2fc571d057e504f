"""SympTEMIST 2023, symptoms and findings in Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.symptemist23 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Symptemist23(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str, "code": str}], str)
