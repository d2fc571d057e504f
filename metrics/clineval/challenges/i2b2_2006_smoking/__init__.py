"""i2b2 2006: a patient's smoking status from a discharge summary.

A record has one of five statuses: ``PAST SMOKER``, ``CURRENT SMOKER``, ``SMOKER`` (past or current
is not said), ``NON-SMOKER`` and ``UNKNOWN``. For each of them,

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

A wrong status is a false positive of its class and a false negative of the gold class. A missing
answer, or one that is none of the five, is a false negative.

    micro_*              of all answers; micro F1 is the accuracy if every record has an answer
    macro_*              the mean over the classes that either side has
    weighted_*           the mean over the classes, weighted by their gold records
    macro_all_*          the mean over all five classes; a class that neither side has counts as 0
    macro_f1_of_means    2 P R / (P + R) of macro_precision and macro_recall

The overview ranks systems by micro and macro F1, but its abstract does not say which macro average
is meant, so all three are computed. ``macro_f1`` is the main one.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. Records on one side only count
as all missed, or all spurious. Case and blanks do not matter. The gold standard must have one
status for each record. No program was released, so there is one protocol, ``spec``.

Source: Uzuner et al., Identifying Patient Smoking Status from Medical Discharge Records, JAMIA 15
(2008).
"""

from __future__ import annotations

from clineval.challenges.i2b2_2006_smoking.files import SmokingXml
from clineval.kinds.classes.measures import ClassScores, OtherMeans
from clineval.protocols.classes import Classes
from clineval.results.challenge import Challenge
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

STATUSES = ("PAST SMOKER", "CURRENT SMOKER", "SMOKER", "NON-SMOKER", "UNKNOWN")
_SCORES = ClassScores(STATUSES)
CHALLENGE = Challenge(
    Task(
        name="i2b2_2006_smoking",
        title="i2b2 2006 smoking: A patient's smoking status",
        homepage="https://portal.dbmi.hms.harvard.edu/projects/n2c2-nlp/",
        citation="""\
@article{uzuner-etal-2008-smoking,
    title = "Identifying Patient Smoking Status from Medical Discharge Records",
    author = {Uzuner, {\\"O}zlem and Goldstein, Ira and Luo, Yuan and Kohane, Isaac},
    journal = "Journal of the American Medical Informatics Association",
    volume = "15",
    number = "1",
    year = "2008",
    pages = "14--24",
    doi = "10.1197/jamia.M2408",
}""",
        configs={"default": "one status of five for each record"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Classes(STATUSES, ("smoking",), files=SmokingXml(), complete_gold=True)},
    measures=Measures.of(_SCORES, OtherMeans(_SCORES)),
    demo=Demo(
        "i2b2 2006: smoking status of twelve invented records",
        "gold.xml",
        {"rules": "rules.xml", "model": "model.xml"},
    ),
)
