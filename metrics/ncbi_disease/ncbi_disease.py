"""NCBI Disease, mentions of diseases and their concepts, as an evaluate module."""

import evaluate

from clineval.challenges.ncbi_disease import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class NcbiDisease(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str, "concepts": [str]}], str)
