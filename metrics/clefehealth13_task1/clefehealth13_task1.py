"""ShARe/CLEF eHealth 2013 Task 1, disorders and their codes, as an evaluate module."""

import evaluate

from clineval.challenges.clefehealth13_task1 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Clefehealth13Task1(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "cui": str}], str)
