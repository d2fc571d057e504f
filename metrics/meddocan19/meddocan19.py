"""MEDDOCAN 2019, de-identification of Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.meddocan19 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Meddocan19(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str}], str)
