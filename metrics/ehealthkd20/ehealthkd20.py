"""eHealth-KD 2020, key phrases and relations of Spanish health texts, as an evaluate module."""

import evaluate

from clineval.challenges.ehealthkd20 import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class Ehealthkd20(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"text": str, "mentions": [_MENTION], "relations": [RELATION]},)
