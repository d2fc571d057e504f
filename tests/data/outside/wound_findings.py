"""Wound findings 2026: findings in nursing notes, an example of your own challenge.

A mention has one or more fragments and a label, WOUND or DRESSING. Mentions of a document with the
same fragments and the same label count once.

    strict     the same fragments and the same label
    lenient    the same label, and a character in common

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

Mentions are paired one to one, strict pairs first. Scores are computed over all mentions (micro),
for each label, and as the mean over labels (macro). A document on one side only counts too: its
mentions are all missed, or all spurious.
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
