"""n2c2 2022 Track 2, social determinants of health, as an evaluate module."""

import evaluate

from clineval.challenges.n2c2_2022_sdoh import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_UNIT = {"spans": [[int]], "label": str, "value": str}
_EVENT = {"spans": [[int]], "label": str, "arguments": [_UNIT]}
_RELATED = {"mentions": [{"id": str, **_UNIT}], "relations": [RELATION]}


class N2c2_2022Sdoh(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = (
        {"events": [_EVENT]},
        {"mentions": [{"id": str, **_UNIT}], "relations": [RELATION]},
        str,
    )
