"""The i2b2 2006 smoking challenge as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2006_smoking import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class I2b2_2006Smoking(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = (str,)
