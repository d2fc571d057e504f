"""ClinAIS 2023, sections of Spanish clinical notes, as an evaluate module."""

import evaluate

from clineval.challenges.clinais23_b2 import CHALLENGE
from clineval.hf.metric import ChallengeMetric

_SECTION = {"start": int, "end": int, "label": str}


class Clinais23B2(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ({"text": str, "sections": [_SECTION]}, str, [str])
