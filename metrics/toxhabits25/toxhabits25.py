"""ToxHabits 2025, toxic habits in Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.toxhabits25 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Toxhabits25(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str}], str)
