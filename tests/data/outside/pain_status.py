"""Pain and itch: classes with probabilities, a challenge from another package."""

from clineval import Challenge, Classes, Task

CHALLENGE = Challenge(
    Task("pain_status", "Pain", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": Classes(("YES", "NO", "MAYBE"), probabilities=True)},
)
