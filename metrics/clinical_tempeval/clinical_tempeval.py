"""Clinical TempEval 2015-2017, times, events and containers, as an evaluate module."""

import evaluate

from clineval.challenges.clinical_tempeval import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class ClinicalTempeval(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, [_MENTION], str)
