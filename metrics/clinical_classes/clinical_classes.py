"""Classes of documents of any scheme as an evaluate module."""

import evaluate

from clineval.challenges.clinical_classes import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class ClinicalClasses(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
