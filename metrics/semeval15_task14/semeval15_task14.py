"""SemEval-2015 Task 14, Analysis of Clinical Text, as an evaluate module."""

import evaluate

from clineval.challenges.semeval15_task14 import CHALLENGE
from clineval.formats.delimited.pipe import SLOTS
from clineval.hf.metric import ChallengeMetric


class Semeval15Task14(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], **dict.fromkeys((slot.name for slot in SLOTS), str)}], str)
