"""Wound findings 2026: findings in nursing notes, an example of a challenge of one's own.

A mention has one or more fragments and a label, WOUND or DRESSING. Mentions of a note that agree
in both are one.

    strict     the same fragments and the same label
    lenient    the same label, and a character in common

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

Pairs are one to one, strict ones first. Scores are of all mentions (micro), of each label, and
their mean (macro). Notes of one side count: all missed, or all spurious.
"""

from clineval import Challenge, LabelledSpans, Task

CHALLENGE = Challenge(
    Task(
        "wound_findings",
        "Wound findings 2026: wounds and dressings",
        "https://example.org/wounds",
        definition=__doc__,
        file=__file__,
    ),
    {"spec": LabelledSpans(("WOUND", "DRESSING"), ("strict", "lenient"))},
)
