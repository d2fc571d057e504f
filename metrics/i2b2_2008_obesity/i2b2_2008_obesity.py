"""The i2b2 2008 obesity challenge as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2008_obesity import CHALLENGE
from clineval.challenges.i2b2_2008_obesity.measures import DISEASES
from clineval.challenges.i2b2_2008_obesity.spec import BOTH
from clineval.hf.metric import ChallengeMetric


class I2b2_2008Obesity(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = (dict.fromkeys(DISEASES, str), dict.fromkeys(BOTH.questions, str), str)
