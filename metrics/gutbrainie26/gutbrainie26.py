"""GutBrainIE 2026, entities, links and relations of the gut-brain axis, as an evaluate module."""

import evaluate

from clineval.challenges.gutbrainie26 import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str, "code": str}


class Gutbrainie26(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"mentions": [_MENTION], "relations": [RELATION], "text": str}, [_MENTION], str)
