"""SemEval-2015 Task 14: disorders with their codes (Task 1), and their nine slots (Task 2).

The rules and the numbers of equations are those of Elhadad et al., Evaluation Metrics for the
SemEval-2015 Task 14, November 4, 2014. Where the document leaves it open, mentions with the same
fragments are paired before others that overlap, and pairs are one to one.
"""

from itertools import product

from clineval.definitions.documents import characters_of, fragments_of, pair_lists
from clineval.definitions.rates import mean, name_scores

DEFAULTS = {
    "negation": "no",
    "subject": "patient",
    "uncertainty": "no",
    "course": "unmarked",
    "severity": "unmarked",
    "conditional": "false",
    "generic": "false",
}
SLOTS = ("cui", *DEFAULTS, "body_location")
COMMON = {
    "negation": {"no": 0.21, "yes": 0.79},
    "subject": {"patient": 0.05},
    "uncertainty": {"no": 0.07, "yes": 0.93},
    "course": {"unmarked": 0.05},
    "severity": {"unmarked": 0.08},
    "conditional": {"false": 0.06, "true": 0.94},
    "generic": {"false": 0.05},
}
"""Weights of the released script: one minus the prevalence (eq. 5); .95 for all other values."""


def weigh(slot, value):
    """Return the weight of a gold value."""
    if slot == "cui":
        return 1.0
    if slot == "body_location":
        return 0.51 if value == "null" else 0.49
    return COMMON[slot].get(value, 0.95)


def read_mention(mention):
    """Return a mention's fragments and the values of its slots; locations are a set."""
    code = (mention["cui"] or "").lower()
    values = {"cui": "cui-less" if code in ("", "cuiless") else code}
    for slot, default in DEFAULTS.items():
        values[slot] = (mention.get(slot) or default).lower()
    codes = mention.get("body_location") or ()
    codes = codes.split(",") if isinstance(codes, str) else codes
    values["body_location"] = {code.strip().lower() for code in codes} - {"null", ""}
    return fragments_of(mention), values


def read(mentions):
    """Return the distinct mentions in order; those that differ in locations only become one."""
    merged = {}
    for fragments, values in map(read_mention, mentions):
        identity = fragments, tuple(values[slot] for slot in ("cui", *DEFAULTS))
        _, known = merged.setdefault(identity, (fragments, values))
        known["body_location"] |= values["body_location"]
    distinct = [
        (
            fragments,
            {**values, "body_location": ",".join(sorted(values["body_location"])) or "null"},
        )
        for fragments, values in merged.values()
    ]
    return sorted(distinct, key=rank)


def rank(mention):
    """Return what sorts mentions by place and values."""
    (first, *rest), values = mention
    return first, len(rest), rest, [values[slot] for slot in SLOTS]


def count_equal(gold, found):
    """Return the number of slots with the same value."""
    return sum(gold[1][slot] == found[1][slot] for slot in SLOTS)


def pair(golds, founds, *, same_code):
    """Pair mentions one to one: equal fragments first, then overlapping, longest prediction first.

    Returns the number of each paired gold mention to that of its prediction.
    """
    exact, near = [], []
    for (g, gold), (p, found) in product(enumerate(golds), enumerate(founds)):
        codes_agree = gold[1]["cui"] == found[1]["cui"]
        likeness = not codes_agree, -count_equal(gold, found), g, p
        letters, others = (characters_of({"spans": mention[0]}) for mention in (gold, found))
        shared = len(letters & others)
        if not shared or (same_code and not codes_agree):
            continue
        if gold[0] == found[0]:
            exact.append((likeness, g, p))
        starts = gold[0][0][0], found[0][0][0]
        near.append(((-len(others), -shared, *starts, *likeness), g, p))
    pairs = {}
    for _, g, p in sorted(exact) + sorted(near):
        if g not in pairs and p not in pairs.values():
            pairs[g] = p
    return pairs


def score_slots(pairs, weigh):
    """Return the accuracies of Task 2 over pairs of mentions (eq. 4, 6, 11, 12)."""
    accuracies = [count_equal(*pair) / len(SLOTS) for pair in pairs]
    weighted = []
    for (gold, found), accuracy in zip(pairs, accuracies, strict=True):
        weights = {slot: weigh(slot, gold[1][slot]) for slot in SLOTS}
        right = sum(weights[slot] for slot in SLOTS if gold[1][slot] == found[1][slot])
        total = sum(weights.values())
        weighted.append(right / total if total else accuracy)
    scores = {"accuracy": mean(accuracies), "weighted_accuracy": mean(weighted)}
    for slot in SLOTS:
        rows = [(gold[1][slot] == found[1][slot], gold[1][slot]) for gold, found in pairs]
        share = mean([equal for equal, _ in rows])
        total = sum(weigh(slot, value) for _, value in rows)
        right = sum(weigh(slot, value) for equal, value in rows if equal)
        scores[f"{slot}_accuracy"] = share
        scores[f"{slot}_weighted_accuracy"] = right / total if total else share
    return scores


def score_documents(gold, predicted, config="default", weigh=weigh):
    """Return the scores of documents as JSON Lines contain them."""
    counts = dict.fromkeys(("strict", "relaxed", "span", "gold", "found"), 0)
    all_pairs = []
    for mentions in pair_lists(gold, predicted):
        golds, founds = map(read, mentions)
        with_code = pair(golds, founds, same_code=True)
        pairs = pair(golds, founds, same_code=False)
        equal = [g for g, p in with_code.items() if golds[g][0] == founds[p][0]]
        for name, units in (
            ("strict", equal), ("relaxed", with_code), ("span", pairs), ("gold", golds),
            ("found", founds),
        ):  # fmt: skip
            counts[name] += len(units)
        all_pairs += [(golds[g], founds[p]) for g, p in pairs.items()]
    scores = {}
    for name in ("strict", "relaxed", "span"):
        tp = counts[name]
        scores |= name_scores(name, tp, counts["found"] - tp, counts["gold"] - tp)
    scores |= score_slots(all_pairs, weigh)
    for name in ("accuracy", "weighted_accuracy"):  # eq. 13
        scores[f"f1_x_{name}"] = scores["span_f1"] * scores[name]
    if config == "default":
        return scores
    task1 = {key for key in scores if key.startswith(("strict", "relaxed"))}
    return {key: value for key, value in scores.items() if (key in task1) == (config == "task1")}
