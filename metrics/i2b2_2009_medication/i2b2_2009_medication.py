"""The i2b2 2009 medication challenge as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2009_medication import CHALLENGE
from clineval.hf.metric import ChallengeMetric
from clineval.kinds.entries.entry import FIELDS, REMARKS

_PHRASE = {"text": str, "offsets": [[int]]}


class I2b2_2009Medication(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate derives the name
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ([dict.fromkeys(FIELDS, _PHRASE) | dict.fromkeys((*REMARKS, "ln"), str)], str)
