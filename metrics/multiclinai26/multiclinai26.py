"""MultiClinAI 2026, clinical entities in seven languages, as an evaluate module."""

import evaluate

from clineval.challenges.multiclinai26 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Multiclinai26(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str}], str)
