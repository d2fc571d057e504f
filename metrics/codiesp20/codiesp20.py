"""CodiEsp 2020, the codes of Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.codiesp20 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Codiesp20(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([str], [{"code": str, "spans": [[int]]}], str)
