"""MedProcNER 2023, medical procedures in Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.medprocner23 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Medprocner23(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str, "code": str}], [str], str)
