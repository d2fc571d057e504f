"""i2b2 2014 Track 2, risk factors for heart disease, as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2014_risk import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class I2b2_2014Risk(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
