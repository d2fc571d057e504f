"""MedMentions, mentions of UMLS concepts, as an evaluate module."""

import evaluate

from clineval.challenges.medmentions import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Medmentions(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str, "concepts": [str]}], str)
