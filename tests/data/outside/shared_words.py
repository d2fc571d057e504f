"""Shared words: partial credit by shared characters, a rule from another package.

Mentions with the same label are paired, starting with the most shared characters. The credit of a
pair is 2 shared / (gold length + predicted length). P = credit / predicted mentions,
R = credit / gold mentions, F1 = 2 credit / (predicted + gold).
"""

from clineval import Challenge, Formula, LabelledSpans, Rule, Task, ratio


def match(gold, predicted):
    overlaps = [
        (-mention.share(other), g, p)
        for g, mention in enumerate(gold)
        for p, other in enumerate(predicted)
        if mention.label == other.label and mention.share(other)
    ]
    rows, missed, extra = [], {*range(len(gold))}, {*range(len(predicted))}
    for shared, g, p in sorted(overlaps):
        if g in missed and p in extra:
            credit = -2 * shared / (gold[g].length + predicted[p].length)
            rows.append((g, p, "tp", {"credit": credit}))
            missed, extra = missed - {g}, extra - {p}
    return {"partial": rows + [(g, None, "fn") for g in missed] + [(None, p, "fp") for p in extra]}


def score(name, *errors):
    def share(counts):
        mentions = sum(counts["partial_tp"] + counts[f"partial_{key}"] for key in errors)
        return ratio(len(errors) * counts["credit"], mentions)

    return Formula(f"credit_{name}", share, ("Shared characters", "all", name), main=True)


SCORES = score("f1", "fp", "fn"), score("precision", "fp"), score("recall", "fn")
RULE = Rule(match, LabelledSpans(("DRUG", "SIGN")), ("partial",), sums=("credit",), scores=SCORES)
CHALLENGE = Challenge(
    Task("shared_words", "Shared words", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": RULE},
)
