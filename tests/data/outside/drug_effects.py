"""Drug effects: a challenge of relations from outside of the package.

A drug causes or treats a finding; a relation is right if both ends overlap and the label is equal.
"""

from clineval import Challenge, Relations, Task

CHALLENGE = Challenge(
    Task("drug_effects", "Drug effects", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": Relations(("CAUSES", "TREATS"), ends="overlap")},
)
