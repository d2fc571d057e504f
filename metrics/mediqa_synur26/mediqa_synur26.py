"""MEDIQA-SYNUR 2026, observations from nurse dictations, as an evaluate module."""

import evaluate

from clineval.challenges.mediqa_synur26 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class MediqaSynur26(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
