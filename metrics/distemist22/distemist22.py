"""DisTEMIST 2022, diseases in Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.distemist22 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Distemist22(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str, "code": str}], str)
