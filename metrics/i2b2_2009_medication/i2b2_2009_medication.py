"""The i2b2 2009 medication challenge as an evaluate module."""

import evaluate

from clineval.challenges.i2b2_2009_medication import CHALLENGE
from clineval.hf.metric import ChallengeMetric
from clineval.kinds.entries.entry import FIELDS, REMARKS

_PHRASE = {"text": str, "offsets": [[int]]}


class I2b2_2009Medication(ChallengeMetric, evaluate.Metric):  # noqa: N801 - spells the module's name
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    forms = ([dict.fromkeys(FIELDS, _PHRASE) | dict.fromkeys((*REMARKS, "ln"), str)], str)
