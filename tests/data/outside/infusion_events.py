"""Infusion events: a challenge of events from outside of the package.

An event is a trigger, Start or Stop, with its arguments: Status has a value; of Rate and Reason the
place counts. Events are paired if their triggers have a type and a character in common; arguments
count under paired triggers only.

This is all that its author writes, besides the entry point.
"""

from clineval import Argument, Challenge, Events, Task

CHALLENGE = Challenge(
    Task(
        "infusion_events",
        "Infusions: what is started and stopped",
        "https://example.org/",
        definition=__doc__,
        file=__file__,
    ),
    {
        "spec": Events(
            {
                "Start": (Argument("Status", ("planned", "done")), Argument("Rate")),
                "Stop": (Argument("Reason"),),
            }
        )
    },
)
