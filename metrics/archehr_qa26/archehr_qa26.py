"""ArchEHR-QA 2026, evidence for answers, as an evaluate module."""

import evaluate

from clineval.challenges.archehr_qa26 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class ArchehrQa26(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
