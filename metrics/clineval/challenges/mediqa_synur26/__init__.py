"""MEDIQA-SYNUR 2026: observations from the dictations of nurses.

An observation is a concept of a flow sheet (``id``), such as the heart rate, with its value: a
number, an item of a list, several items, or a text. It has no offsets in the dictation. tp is the
number of pairs of observations in a dictation that agree in concept and value, fp the number of
unpaired predicted observations, and fn the number of unpaired gold observations:

    micro_precision = tp / (tp + fp)        micro_recall = tp / (tp + fn)
    micro_f1 = 2 tp / (2 tp + fp + fn)

All are computed over the observations of all dictations. Pairs are one to one: a repeated gold
observation must be predicted as often. ``concept_precision``, ``concept_recall`` and ``concept_f1``
are the same scores for concepts, ignoring their values. With concept_tp, the pairs of concepts,

    value_accuracy = micro_tp / concept_tp

is how often the value of a found concept is right. All scores lie between 0 and 1; a score whose
denominator is 0 is 0.

Values are equal if they are the same JSON. Numbers compare as numbers: 5 equals 5.0, but neither
"5" nor true. Strings compare with case and blanks. The order of lists does not matter, but repeats
do. The order of the keys of objects does not matter. ``Fahrenheit`` equals ``F`` and ``Celsius``
equals ``C``, on either side and in any case.

A list of values counts as one observation per value if the concept has several values. This is so
if one of the gold records of the concept in the dictation says so (``value_type`` MULTI_SELECT, or
none); the prediction does not matter. If the gold standard of a dictation does not contain the
concept, each value of a list is an observation. A list for a concept with one value is a single,
wrong value.

``name`` is not compared. A numeric id equals the string of its digits. A predicted record without
an id, or that is not an object, is a false positive; in the gold standard it is rejected.
Dictations without predictions count as missed, and predicted dictations without a gold standard as
spurious.

The only written definition of the score is the task's phrase "extracting and normalizing clinical
observations", and the participants' "micro-F1". ``protocol="official"`` gives the numbers of the
released script: see ``clineval describe mediqa_synur26 --full``.

Source: MEDIQA-SYNUR 2026, https://github.com/abachaa/MEDIQA-SYNUR-2026; data card of
https://huggingface.co/datasets/microsoft/SYNUR.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.mediqa_synur26.official import OFFICIAL
from clineval.challenges.mediqa_synur26.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="mediqa_synur26",
        title="MEDIQA-SYNUR 2026: observations from nurse dictations",
        homepage="https://sites.google.com/view/mediqa2026/mediqa-synur",
        citation="""\
@misc{mediqa-synur-2026,
    title = "{MEDIQA-SYNUR} 2026",
    howpublished = "https://github.com/abachaa/MEDIQA-SYNUR-2026",
    year = "2026",
}""",
        configs={"default": "observations, and their concepts alone"},
        definition=__doc__,
        file=__file__,
    ),
    {"spec": SPEC, "official": OFFICIAL},
    differences=list_differences("""
        Fahrenheit and Celsius (s13a)
            spec: equal F and C on both sides, in upper or lower case
            official: become F and C in the gold standard only, so the gold answer itself is wrong
        whether a list is one value or several (s10)
            spec: depends on the gold standard of the dictation
            official: depends on the value_type of each side's own record
        an empty list or object in the gold standard (s22)
            spec: equals an empty one
            official: equals any list, or any object
        true and 1 (s19)
            spec: differ
            official: are equal
        whole numbers beyond 2 to the power of 53 (s31)
            spec: differ if a digit does
            official: are equal if they are the same double
        ids that are numbers (s38)
            spec: equal the strings of their digits
            official: differ from strings
        lists whose items cannot be sorted (s33)
            spec: are compared
            official: are rejected
        a predicted record without value_type (s35)
            spec: is scored
            official: is rejected
        dictations that only the system has (s40)
            spec: are false positives
            official: do not count
        a repeated dictation (s41)
            spec: is rejected
            official: counts once, as in its last occurrence
        a blank line (s46)
            spec: is ignored
            official: is rejected
    """),
    demo=Demo(
        "MEDIQA-SYNUR 2026: a prompted model and rules on 8 invented dictations",
        "gold.jsonl",
        {"model": "model.jsonl", "rules": "rules.jsonl"},
        headline=2,
    ),
    faces=replace(
        SPEC.faces,
        printed="clineval.challenges.mediqa_synur26.printed",
        scripts=("mediqa-synur-2026",),
    ),
)
