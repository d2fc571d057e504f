"""ShARe/CLEF eHealth 2013 Task 2, acronyms and abbreviations, as an evaluate module."""

import evaluate

from clineval.challenges.clefehealth13_task2 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Clefehealth13Task2(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = (str, (str, [str]))
