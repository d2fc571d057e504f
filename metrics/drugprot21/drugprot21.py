"""DrugProt, relations between given chemicals and genes, as an evaluate module."""

import evaluate

from clineval.challenges.drugprot21 import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class Drugprot21(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, {"relations": [RELATION]}, str)
