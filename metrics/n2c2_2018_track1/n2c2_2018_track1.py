"""n2c2 2018 Track 1, cohort selection for clinical trials, as an evaluate module."""

import evaluate

from clineval.challenges.n2c2_2018_track1 import CHALLENGE
from clineval.challenges.n2c2_2018_track1.measures import CRITERIA
from clineval.hf.metric import ChallengeMetric


class N2c2_2018Track1(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = (dict.fromkeys(CRITERIA, str), str)
