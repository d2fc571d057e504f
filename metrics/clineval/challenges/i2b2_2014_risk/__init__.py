"""i2b2/UTHealth 2014 Track 2: Risk factors for heart disease in longitudinal clinical narratives.

A tag says something about a whole record, and has no place in its text. It has a name, and in most
cases a time and an indicator:

    CAD, DIABETES, HYPERTENSION, HYPERLIPIDEMIA, OBESE
                   a time and an indicator, such as ``mention``, ``A1C`` or ``high bp``
    MEDICATION     a time and one or two types, such as ``statin``
    SMOKER         a status, such as ``past``
    FAMILY_HIST    ``present`` or ``not present``

The times are ``before DCT``, ``during DCT`` and ``after DCT`` (the document creation time). A fact
that holds throughout has three tags, one for each time. The scores call the status of SMOKER and
the types of a MEDICATION an indicator too.

tp is the number of tags that both sides of a record have, with the same name, time and indicator;
fp and fn are the numbers of tags that only the system or only the gold standard has. Repeated tags
count once.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    micro_      all tags of all records, the challenge's primary scores; micro_f1 ranks the systems
    record_     the mean of P and the mean of R over the records that have a tag on either side,
                and the harmonic mean of these two as F1
    <tag>_      the tags with a name, such as cad_f1
    <tag>_<indicator>_
                its tags with an indicator, at any time, such as cad_mention_f1; not for MEDICATION
    macro_      the mean over the names of tags that either side has
    any_time_   all tags, with the same name and indicator and any time, paired one to one, right
                tags first
    tag_        all tags, with the same name and any time and indicator, paired in the same way

All scores lie between 0 and 1; a score whose denominator is 0 is 0. In a record that only one side
has, all tags are false negatives or false positives.

Case and blanks around a value do not matter. The types of a medication have no order, and the same
type twice equals the type once. ``high-ldl`` equals ``high LDL``, and ``high-chol`` equals
``high chol.``. Any other value is compared as it is, with a warning; ``continuing`` is a time of
its own. ``id``, ``comment`` and the texts are not compared.

Only children of the first TAGS are read. A tag with ``start`` or ``end`` belongs to an annotator.
It is not scored, and neither are tags inside a tag, the tags of Track 1, and other elements. A name
in another case, such as ``cad``, is rejected in the gold standard, and spurious in predictions.

``protocol="official"`` gives the numbers of the released evaluate.py, the 2014 scoring script
(kotfic/i2b2_evaluation_scripts, ``evaluate.py cr``).

Sources: Stubbs, Kotfila, Xu and Uzuner (2015); README of the released script.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.i2b2_2014_risk.official import OFFICIAL
from clineval.challenges.i2b2_2014_risk.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="i2b2_2014_risk",
        title="i2b2/UTHealth 2014 Track 2: Risk factors for heart disease",
        homepage="https://www.i2b2.org/NLP/HeartDisease/",
        citation="""\
@article{stubbs-etal-2015-identifying,
    title = "Identifying risk factors for heart disease over time:
        Overview of 2014 i2b2/{UTHealth} shared task Track 2",
    author = {Stubbs, Amber and Kotfila, Christopher and Xu, Hua and Uzuner, {\\"O}zlem},
    journal = "Journal of Biomedical Informatics",
    volume = "58",
    number = "Supplement",
    pages = "S67--S77",
    doi = "10.1016/j.jbi.2015.07.001",
    year = "2015",
}""",
        configs={"default": "all scores"},
        definition=__doc__,
        file=__file__,
    ),
    {"spec": SPEC, "official": OFFICIAL},
    differences=list_differences("""
        a record that only one side has (r27)
            spec: counts: all tags are missed or spurious
            official: is ignored
        blanks around a value (r11)
            spec: do not matter
            official: matter
        a medication with the same type twice (r08)
            spec: equals one with the type once
            official: differs from it
        high-ldl and high-chol (src)
            spec: equal high LDL and high chol.
            official: are values of their own
        means over records (r29)
            spec: leave out records without a tag on either side
            official: count them as P = R = 0
        a tag whose name is in another case (r10)
            spec: is rejected in the gold standard, and spurious in predictions
            official: is ignored
        other elements or comments inside a tag (r21)
            spec: are ignored
            official: are rejected
    """),
    demo=Demo(
        "i2b2 2014 risk factors: rules and a model on 6 notes",
        "gold",
        {"rules": "rules", "model": "model"},
        headline=3,
    ),
    faces=replace(
        SPEC.faces,
        scripts=("i2b2-2014-risk",),
        printed="clineval.challenges.i2b2_2014_risk.printed",
    ),
)
