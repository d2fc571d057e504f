"""BioCreative V CDR, chemicals, diseases and their relations, as an evaluate module."""

import evaluate

from clineval.challenges.bc5cdr import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"spans": [[int]], "label": str, "concepts": [str]}


class Bc5cdr(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, str)
