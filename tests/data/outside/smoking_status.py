"""Smoking status: a challenge of classes of documents from outside of the package.

A note says whether its patient smokes. Scores are those of ``Classes``: macro F1 ranks.
"""

from clineval import Challenge, Classes, Task

CHALLENGE = Challenge(
    Task("smoking_status", "Smoking", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": Classes(("PAST", "CURRENT", "NON", "UNKNOWN"))},
)
