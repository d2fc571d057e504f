"""Codes of documents in any coding system as an evaluate module."""

import evaluate

from clineval.challenges.clinical_codes import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class ClinicalCodes(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
