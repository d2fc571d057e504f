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
    rows, golds, found = [], {*range(len(gold))}, {*range(len(predicted))}
    for shared, g, p in sorted(near):
        if g in golds and p in found:
            credit = -2 * shared / (gold[g].length + predicted[p].length)
            rows.append((g, p, "tp", {"credit": credit}))
            golds, found = golds - {g}, found - {p}
    return {"partial": rows + [(g, None, "fn") for g in golds] + [(None, p, "fp") for p in found]}


def score(name, *lost):
    def share(of):
        return ratio(len(lost) * of["credit"], sum(of["partial_tp"] + of[each] for each in lost))

    return Formula(f"credit_{name}", share, ("Shared characters", "all", name), main=True)


FP, FN = "partial_fp", "partial_fn"
SCORES = score("f1", FP, FN), score("precision", FP), score("recall", FN)
RULE = Rule(match, LabelledSpans(("DRUG", "SIGN")), ("partial",), sums=("credit",), scores=SCORES)
CHALLENGE = Challenge(
    Task("shared_words", "Shared words", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": RULE},
)
