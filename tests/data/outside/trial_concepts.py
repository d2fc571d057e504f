"""Trial concepts: a challenge from outside of the package, with slots.

A concept is a problem, a test or a treatment; its class slot is called ``type``, and must be said.
Strict: the same span and type; lenient: the same type, and a character in common. Scores are
precision, recall and F1 of each type, of all together (micro), and their mean (macro).
``assertion_accuracy`` and ``conditional_accuracy`` are the shares of strict pairs with the same
value. ``boundary`` and ``overlap`` pair concepts whatever their type; what was taken for what is
seen in these.

This is all that its author writes, besides the entry point

    [project.entry-points."clineval.challenges"]
    trial_concepts = "trial_concepts:CHALLENGE"
"""

from clineval import Challenge, LabelledSpans, Slot, Task

CHALLENGE = Challenge(
    Task(
        "trial_concepts",
        "Trial: concepts and assertions",
        "https://example.org/",
        citation="@misc{trial}",
        configs={"default": "concepts and what is asserted of them"},
        definition=__doc__,
        file=__file__,
    ),
    {
        "spec": LabelledSpans(
            ("problem", "test", "treatment"),
            ("strict", "lenient"),
            label="type",
            word="concept",
            closed=True,
            slots=(
                Slot("assertion", "closed", ("present", "absent", "possible")),
                Slot("conditional", "closed", ("no", "yes")),
            ),
        )
    },
)
