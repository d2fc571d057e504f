"""n2c2 2022 Track 1, contextualized medication events, as an evaluate module."""

import evaluate

from clineval.challenges.n2c2_2022_cmed import CHALLENGE
from clineval.hf.metric import ChallengeMetric

_MENTION = {"spans": [[int]], "label": str}
_ATTRIBUTES = dict.fromkeys(("action", "negation", "temporality", "certainty", "actor"), str)


class N2c2_2022Cmed(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([{**_MENTION, **_ATTRIBUTES}], [_MENTION], [str], str)
