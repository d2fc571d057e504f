"""MEDIQA-OE 2025, medical orders from dialogues, as an evaluate module."""

import evaluate

from clineval.challenges.mediqa_oe25 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class MediqaOe25(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
