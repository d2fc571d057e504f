"""Events of any scheme as an evaluate module."""

import evaluate

from clineval.challenges.clinical_events import CHALLENGE
from clineval.hf.metric import RELATION, ChallengeMetric

_UNIT = {"spans": [[int]], "label": str, "value": str}
_EVENT = {"spans": [[int]], "label": str, "arguments": [_UNIT]}


class ClinicalEvents(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = (
        {"events": [_EVENT]},
        {"mentions": [{"id": str, **_UNIT}], "relations": [RELATION]},
        str,
    )
