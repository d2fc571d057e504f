"""ShARe/CLEF eHealth 2013 Task 3, retrieval of web documents, as an evaluate module."""

import evaluate

from clineval.challenges.clefehealth13_task3 import CHALLENGE
from clineval.hf.metric import ChallengeMetric

_TOPIC = {"query": [str], "q0": [str], "docid": [str]}
_RUN = {**_TOPIC, "rank": [int], "score": [float], "system": [str]}


class Clefehealth13Task3(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = CHALLENGE
    forms = ((_RUN, {**_TOPIC, "rel": [int]}), str)
