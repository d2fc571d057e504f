"""Ward codes: a challenge of codes of documents from outside of the package.

A stay has a set of codes, compared without case. Precision, recall and F1 are of the codes of all
stays (micro).

This is all that its author writes, besides the entry point.
"""

from clineval import Challenge, CodeSets, Task

CHALLENGE = Challenge(
    Task(
        "ward_codes",
        "Ward codes",
        "https://example.org/",
        definition=__doc__,
        file=__file__,
    ),
    {"spec": CodeSets()},
)
