"""i2b2/VA 2010, concepts, assertions and relations, as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2010 import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class I2b2_2010(ChallengeMetric, evaluate.Metric):  # noqa: N801 - spells the module's name
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, str)
