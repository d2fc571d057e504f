"""n2c2 2018 Track 2, adverse drug events and medication, as an evaluate module."""

import evaluate

from clineval.challenges.n2c2_2018_track2 import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class N2c2_2018Track2(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, [_MENTION], str)
