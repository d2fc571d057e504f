"""i2b2 2012, events, times and temporal links, as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2012_temporal import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class I2b2_2012Temporal(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, [_MENTION], str)
