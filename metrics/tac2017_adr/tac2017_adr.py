"""TAC 2017 ADR, adverse reactions in drug labels, as an evaluate module."""

import evaluate

from clineval.challenges.tac2017_adr import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class Tac2017Adr(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, [_MENTION], [str], str)
