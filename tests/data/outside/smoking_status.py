"""Smoking status: classes of documents, a challenge from another package.

The class of a document says whether the patient smokes. Macro F1 ranks the systems.
"""

from clineval import Challenge, Classes, Task

CHALLENGE = Challenge(
    Task("smoking_status", "Smoking", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": Classes(("PAST", "CURRENT", "NON", "UNKNOWN"))},
)
