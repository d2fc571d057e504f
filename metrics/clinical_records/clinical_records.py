"""Records of any schema as an evaluate module."""

import evaluate

from clineval.challenges.clinical_records import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class ClinicalRecords(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
