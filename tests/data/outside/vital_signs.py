"""Vital signs: a challenge of records from outside of the package.

A sign is a word or words and a number, which is right within half a unit; signs are paired by their
words, and of equally good pairs by their numbers.

This is all that its author writes, besides the entry point.
"""

from clineval import Challenge, Field, FittingRecords, Task

CHALLENGE = Challenge(
    Task(
        "vital_signs",
        "Vital signs",
        "https://example.org/",
        definition=__doc__,
        file=__file__,
    ),
    {
        "spec": FittingRecords(
            (
                Field("sign", "words", required=True, fold=str.lower),
                Field("value", "number", tolerance=0.5),
            ),
            by=("sign", "value"),
            row="sign",
        )
    },
)
