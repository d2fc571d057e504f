"""Shared words: partial credit by shared characters, a rule from outside of the package.

Mentions of one label are paired, those with most characters in common first. A pair has the credit
2 shared / (length of the one + length of the other). P = credit / predicted mentions,
R = credit / gold mentions, F1 = 2 credit / (predicted + gold).
"""

from clineval import Challenge, Formula, LabelledSpans, Rule, Task, ratio


def match(gold, predicted):
    near = [
        (-one.share(other), g, p)
        for g, one in enumerate(gold)
        for p, other in enumerate(predicted)
        if one.label == other.label and one.share(other)
    ]
    pairs = {}
    for shared, g, p in sorted(near):
        if g not in pairs and p not in {p for p, _ in pairs.values()}:
            pairs[g] = p, -2 * shared / (gold[g].length + predicted[p].length)
    found = {p for p, _ in pairs.values()}
    return {"partial": [
        *((g, p, "tp", {"credit": credit}) for g, (p, credit) in pairs.items()),
        *((g, None, "fn") for g in range(len(gold)) if g not in pairs),
        *((None, p, "fp") for p in range(len(predicted)) if p not in found),
    ]}  # fmt: skip


def share(of, sides):
    return ratio(len(sides) * of["credit"], sum(of["partial_tp"] + of[side] for side in sides))


SIDES = {"precision": ["partial_fp"], "recall": ["partial_fn"], "f1": ["partial_fp", "partial_fn"]}
SCORES = [Formula(f"credit_{name}", lambda of, sides=sides: share(of, sides),
                  ("Shared characters", "all", name)) for name, sides in SIDES.items()]  # fmt: skip
SPANS = LabelledSpans(("DRUG", "SIGN"))
CHALLENGE = Challenge(
    Task("shared_words", "Shared words", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": Rule(match, SPANS, ("partial",), sums=("credit",), scores=tuple(SCORES))},
)
