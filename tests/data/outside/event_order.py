"""Event order: links in time that follow from others, a challenge from another package."""

from clineval import Challenge, Closure, Relations, Task

ORDER = Closure(before="BEFORE", same=("OVERLAP",), inverse={"AFTER": "BEFORE"})
LINKS = Relations(("BEFORE", "AFTER", "OVERLAP"), closure=ORDER)
CHALLENGE = Challenge(
    Task("event_order", "Order", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": LINKS},
)
