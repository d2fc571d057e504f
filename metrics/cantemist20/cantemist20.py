"""CANTEMIST 2020, tumour morphology in Spanish clinical cases, as an evaluate module."""

import evaluate

from clineval.challenges.cantemist20 import CHALLENGE
from clineval.hf.metric import ChallengeMetric


class Cantemist20(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = (
        [{"spans": [[int]], "label": str, "code": str}],
        [{"spans": [[int]], "label": str}],
        [str],
        str,
    )
