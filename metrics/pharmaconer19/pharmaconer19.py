"""PharmaCoNER 2019, pharmacological substances in Spanish cases, as an evaluate module."""

import evaluate

from clineval.challenges.pharmaconer19 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Pharmaconer19(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{"spans": [[int]], "label": str}], [str], str)
