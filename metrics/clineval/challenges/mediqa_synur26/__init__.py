"""MEDIQA-SYNUR 2026: observations from the dictations of nurses.

An observation is a concept of a flow sheet (``id``, such as that of the heart rate) and its value:
a number, a word of a list, some of these, or a text. It has no place in the dictation. With tp the
pairs of observations of a dictation that agree in concept and value, fp the predicted observations
that are in none, and fn the gold ones:

    micro_precision = tp / (tp + fp)        micro_recall = tp / (tp + fn)
    micro_f1 = 2 tp / (2 tp + fp + fn)

over the observations of all dictations. Pairs are one to one: an observation that stands twice
must be found twice. ``concept_precision``, ``concept_recall`` and ``concept_f1`` are the same of
concepts alone, whatever their values; with concept_tp their pairs,

    value_accuracy = micro_tp / concept_tp

is how often the value of a concept that was found is right. All lie between 0 and 1, and are 0
where nothing is divided by.

Values are equal if they are the same JSON: numbers as numbers (5 is 5.0, but neither "5" nor true),
strings with case and blanks, lists without regard to their order but with repeats, objects without
regard to the order of keys. ``Fahrenheit`` and ``F``, and ``Celsius`` and ``C``, are the same on
either side and in any case of the word.

A list of values is as many observations where the concept has several values: where one of the
gold records that the dictation has of it says so (``value_type`` MULTI_SELECT, or none); what the
system says makes no difference. Of a concept that the dictation does not have in the gold standard,
each value of a list is an observation. A list for a concept of one value is one value, and wrong.

``name`` is not compared. An id that is a number is the same as the string of its digits. A
predicted record without an id, or that is no object, is a false positive; in the gold standard it
is refused. Dictations without predictions are missed; predicted ones that the gold standard does
not have count as spurious.

There is no written definition of the score but the task's words, "extracting and normalizing
clinical observations", and the participants' "micro-F1". ``protocol="official"`` gives the
released script's numbers: see ``clineval describe mediqa_synur26 --full``.

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
            spec: are F and C on both sides, in any case of the word
            official: become F and C in the gold standard only, so that the gold answer is wrong
        what a list is (s10)
            spec: is said by the gold standard of the dictation
            official: is said by the value_type of each side's own record
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
            spec: are the same as strings of their digits
            official: differ from strings
        lists whose members have no order (s33)
            spec: are compared
            official: are refused
        a predicted record without value_type (s35)
            spec: is scored
            official: is refused
        dictations that only the system has (s40)
            spec: are false positives
            official: do not count
        a dictation that stands twice (s41)
            spec: is refused
            official: counts as it stands last
        a blank line (s46)
            spec: is nothing
            official: is refused
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
