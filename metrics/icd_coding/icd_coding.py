"""ICD codes of discharge summaries as an evaluate module."""

import evaluate

from clineval.challenges.icd_coding import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class IcdCoding(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
