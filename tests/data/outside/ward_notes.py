"""Ward notes: a challenge with two configurations from outside of the package.

``default`` scores findings, FALL or PAIN, with an assertion each: strict, of the same span and
label. ``coded`` scores the set of codes of each note.

This is all that its author writes, besides the entry point.
"""

from clineval import Challenge, CodeSets, Configurations, LabelledSpans, Slot, Task

FINDINGS = LabelledSpans(
    ("FALL", "PAIN"),
    closed=True,
    slots=(Slot("assertion", "closed", ("Present", "Absent")),),
)
CHALLENGE = Challenge(
    Task(
        "ward_notes",
        "Ward notes",
        "https://example.org/",
        configs={"default": "findings", "coded": "codes of notes"},
        definition=__doc__,
        file=__file__,
    ),
    {"spec": Configurations(FINDINGS, {"coded": CodeSets(label="label")})},
)
