"""SemEval-2015 Task 14 in plain Python: the definition read aloud, slow and readable.

Independent of the package: used as its oracle on random data.
"""

from fractions import Fraction
from itertools import product

DEFAULTS = {
    "negation": "no",
    "subject": "patient",
    "uncertainty": "no",
    "course": "unmarked",
    "severity": "unmarked",
    "conditional": "false",
    "generic": "false",
}
NINE = ("cui", *DEFAULTS, "body_location")


class PlainMention:
    def __init__(self, mention):
        self.fragments = tuple(sorted(tuple(span) for span in mention["spans"]))
        self.values = {"cui": _code(mention["cui"])}
        for slot, default in DEFAULTS.items():
            self.values[slot] = (mention.get(slot) or default).lower()
        given = mention.get("body_location") or "NULL"
        codes = given.split(",") if isinstance(given, str) else given
        self.values["body_location"] = {code.strip().lower() for code in codes}

    def settle(self):
        locations = self.values["body_location"] - {"null", ""} or {"null"}
        self.values["body_location"] = ",".join(sorted(locations))
        return self

    @property
    def identity(self):
        return self.fragments, tuple(self.values[slot] for slot in ("cui", *DEFAULTS))

    @property
    def characters(self):
        return {k for start, end in self.fragments for k in range(start, end)}

    @property
    def rank(self):
        first, *rest = self.fragments
        return first, len(rest), rest, [self.values[slot] for slot in NINE]


def _code(code):
    return "cui-less" if code is None or code.lower() in ("", "cuiless") else code.lower()


def read(document):
    """Mentions that agree in all but body location become one."""
    merged = {}
    for mention in map(PlainMention, document):
        known = merged.setdefault(mention.identity, mention)
        known.values["body_location"] |= mention.values["body_location"]
    return sorted((mention.settle() for mention in merged.values()), key=lambda m: m.rank)


def agreement(gold, found):
    return sum(gold.values[slot] == found.values[slot] for slot in NINE)


def pair(golds, founds, same_code):
    """One to one: equal fragments first, then the overlapping ones, longest prediction first."""
    exact, near = [], []
    for (g, gold), (p, found) in product(enumerate(golds), enumerate(founds)):
        code = gold.values["cui"] == found.values["cui"]
        likeness = (not code, 9 - agreement(gold, found), g, p)
        shared = len(gold.characters & found.characters)
        if not shared or (same_code and not code):
            continue
        if gold.fragments == found.fragments:
            exact.append((likeness, g, p))
        start = gold.fragments[0][0], found.fragments[0][0]
        near.append(((-len(found.characters), -shared, *start, *likeness), g, p))
    pairs = {}
    for _, g, p in sorted(exact) + sorted(near):
        if g not in pairs and p not in pairs.values():
            pairs[g] = p
    strict = [g for g, p in pairs.items() if golds[g].fragments == founds[p].fragments]
    return pairs, strict


def prf(prefix, tp, predicted, gold):
    p = tp / predicted if predicted else 0.0
    r = tp / gold if gold else 0.0
    return {
        f"{prefix}_precision": p,
        f"{prefix}_recall": r,
        f"{prefix}_f1": float(Fraction(2 * tp, predicted + gold)) if predicted + gold else 0.0,
        f"{prefix}_tp": tp,
        f"{prefix}_fp": predicted - tp,
        f"{prefix}_fn": gold - tp,
    }


def score(predictions, references, weight):
    """All scores; ``weight(slot, value)`` is the weight of a gold value."""
    n_gold = n_found = strict = relaxed = 0
    accuracies, weighted = [], []
    slots = {slot: [0, 0.0, 0.0] for slot in NINE}
    for found_document, gold_document in zip(predictions, references, strict=True):
        golds, founds = read(gold_document), read(found_document)
        n_gold, n_found = n_gold + len(golds), n_found + len(founds)
        pairs, exact = pair(golds, founds, same_code=True)
        strict, relaxed = strict + len(exact), relaxed + len(pairs)
        for g, p in pair(golds, founds, same_code=False)[0].items():
            top = bottom = 0.0
            for slot in NINE:
                value = golds[g].values[slot]
                equal, w = value == founds[p].values[slot], weight(slot, value)
                top, bottom = top + w * equal, bottom + w
                slots[slot] = [
                    a + b for a, b in zip(slots[slot], (equal, w * equal, w), strict=True)
                ]
            accuracies.append(agreement(golds[g], founds[p]) / 9)
            weighted.append(top / bottom if bottom else accuracies[-1])
    n = len(accuracies)
    span = prf("span", n, n_found, n_gold)
    accuracy = sum(accuracies) / n if n else 0.0
    weighted_accuracy = sum(weighted) / n if n else 0.0
    scores = {
        **prf("strict", strict, n_found, n_gold),
        **prf("relaxed", relaxed, n_found, n_gold),
        **span,
        "accuracy": accuracy,
        "weighted_accuracy": weighted_accuracy,
        "f1_x_accuracy": span["span_f1"] * accuracy,
        "f1_x_weighted_accuracy": span["span_f1"] * weighted_accuracy,
        "n_documents": len(references),
    }
    for slot, (equal, top, bottom) in slots.items():
        scores[f"{slot}_accuracy"] = equal / n if n else 0.0
        # where all pairs weigh 0, the unweighted share
        scores[f"{slot}_weighted_accuracy"] = top / bottom if bottom else equal / n if n else 0.0
    return scores
