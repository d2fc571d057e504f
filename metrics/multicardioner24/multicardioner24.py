"""MultiCardioNER 2024, diseases and drugs in cases of cardiology, as an evaluate module."""

import evaluate

from clineval.challenges.multicardioner24 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Multicardioner24(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str}], str)
