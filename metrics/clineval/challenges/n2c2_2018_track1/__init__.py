"""n2c2 2018 Track 1: which patients meet the criteria of a clinical trial.

A patient's notes are judged by thirteen criteria, such as ``ABDOMINAL`` or ``MI-6MOS``. A patient
meets a criterion or not: ``met`` or ``not met``. For each criterion and each of the two classes,

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

A wrong answer is a false positive of its class and a false negative of the gold class. A missing
answer is a false negative. A class that neither side has is left out of means.

    <criterion>_overall_f1           the mean F1 of the criterion's classes
    <criterion>_balanced_accuracy    the mean recall of its classes with gold answers
    <criterion>_met_*, <criterion>_not_met_*, <criterion>_micro_*
                                     of each class of the criterion, and of all its answers
    met_*, not_met_*                 of the class, pooled over the criteria
    micro_overall_f1                 the mean F1 of the pooled classes; it ranks systems
    balanced_accuracy                the mean recall of the pooled classes
    macro_met_*, macro_not_met_*     the mean over the criteria that have the class
    macro_overall_f1                 the mean over the criteria of their overall F1
    macro_balanced_accuracy          the mean over the criteria of their balanced accuracy
    micro_*                          of all answers

The released program calls the balanced accuracy AUC, although no ranking is involved.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. Patients on one side only count
as all missed, or all spurious. The gold standard must answer every criterion. Criteria and classes
are compared without regard to case and outer blanks; blanks within them matter.

Source: Stubbs et al., Cohort selection for clinical trials: n2c2 2018 shared task track 1, JAMIA 26
(2019); for the differences, the behaviour of the released program.
"""

from __future__ import annotations

from clineval.challenges.n2c2_2018_track1.measures import MEASURES
from clineval.challenges.n2c2_2018_track1.spec import OFFICIAL, SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.task import Demo, Task
from clineval.results.views import ListView

CHALLENGE = Challenge(
    Task(
        name="n2c2_2018_track1",
        title="n2c2 2018 Track 1: Cohort selection for clinical trials",
        homepage="https://n2c2.dbmi.hms.harvard.edu/2018-challenge",
        citation="""\
@article{stubbs-etal-2019-cohort,
    title = "Cohort selection for clinical trials: n2c2 2018 shared task track 1",
    author = {Stubbs, Amber and Filannino, Michele and Soysal, Ergin and Henry, Sam and Uzuner,
        {\\"O}zlem},
    journal = "Journal of the American Medical Informatics Association",
    volume = "26",
    number = "11",
    year = "2019",
    pages = "1163--1171",
    doi = "10.1093/jamia/ocz163",
}""",
        configs={"default": "thirteen criteria"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=MEASURES,
    differences=list_differences("""
        a class that neither side has (t02_one_class_only)
            spec: is left out of means
            official: counts as 0
        patients on one side only (t23_patients_on_one_side)
            spec: count as missed or as spurious
            official: are skipped
        a criterion without an answer (t13_criterion_missing_system_crash)
            spec: is a false negative; gold answers must be complete
            official: stops the program
        another value in the gold standard (t11_other_value_gold)
            spec: is rejected
            official: is neither class
        two answers to a criterion (t18_twice)
            spec: are no answer; gold answers are rejected if they differ
            official: the last one counts
    """),
    demo=Demo(
        "n2c2 2018 Track 1: thirteen criteria of eight invented patients",
        "gold",
        {"rules": "rules", "model": "model"},
    ),
    faces=Faces(
        page=ListView(
            "clineval.kinds.records.page", {"micro_overall_f1": "F1"}, MEASURES.item_checks
        ),
        scripts=("n2c2-2018-track1",),
        printed="clineval.challenges.n2c2_2018_track1.printed",
    ),
)
