"""n2c2 2022 Track 1, contextualized medication events, as an evaluate module."""

import evaluate

from clineval.challenges.n2c2_2022_cmed import CHALLENGE
from clineval.hf.metric import ChallengeMetric

_MENTION = {"spans": [[int]], "label": str}
_ATTRIBUTES = dict.fromkeys(("action", "negation", "temporality", "certainty", "actor"), str)


class N2c2_2022Cmed(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate makes the name of it
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    forms = ([{**_MENTION, **_ATTRIBUTES}], [_MENTION], [str], str)
