"""The counts of i2b2 2014's risk factors by its own document, in plain Python with sets.

Independent of the package: used as its oracle on random data. A document is a list of dicts with
``tag``, ``time`` and ``indicator``.
"""

from collections import Counter

TIMELESS = ("SMOKER", "FAMILY_HIST")
SAME = {"high-ldl": "high ldl", "high-chol": "high chol."}


def spelled(text):
    text = text.strip().lower()
    return SAME.get(text, text)


def key_of(record):
    types = frozenset(map(spelled, record.get("indicator", "").split(" + "))) - {""}
    tag = record["tag"].strip().upper()
    return tag, "" if tag in TIMELESS else spelled(record.get("time", "")), types


def compare(gold, found):
    """True positives, false positives and false negatives of two sets."""
    return len(gold & found), len(found - gold), len(gold - found)


def one_to_one(gold, found, key):
    """The same where tags are right if they agree in a part of them."""
    golds, founds = Counter(map(key, gold)), Counter(map(key, found))
    pairs = sum((golds & founds).values())
    return pairs, len(found) - pairs, len(gold) - pairs


def count(gold, found):
    """Prefix to the counts of a document."""
    gold, found = set(map(key_of, gold)), set(map(key_of, found))
    counts = {
        "micro": compare(gold, found),
        "any_time": one_to_one(gold, found, lambda key: (key[0], key[2])),
        "tag": one_to_one(gold, found, lambda key: key[0]),
    }
    tags = {key[0] for key in gold | found}
    for tag in tags:
        counts[tag.lower()] = compare(*({k for k in s if k[0] == tag} for s in (gold, found)))
    for tag, _, types in gold | found:
        if tag != "MEDICATION" and len(types) == 1:
            [indicator] = types
            name = "".join(c if c.isalnum() else "_" for c in f"{tag} {indicator}".lower())
            some = ({k for k in side if k[::2] == (tag, types)} for side in (gold, found))
            counts[name.strip("_")] = compare(*some)
    return counts


def ratio(top, bottom):
    return top / bottom if bottom else 0.0


def prf(tp, fp, fn):
    return ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)


def mean_of_records(rows):
    """The mean P and R of the records with anything on either side, and their harmonic mean."""
    filled = [prf(*row) for row in rows if sum(row)]
    precision, recall = (ratio(sum(row[at] for row in filled), len(filled)) for at in (0, 1))
    return precision, recall, ratio(2 * precision * recall, precision + recall)


def mean_of_tags(totals):
    """The mean P, R and F1 of the tags that either side has."""
    there = [prf(*counts) for counts in totals if sum(counts)]
    return tuple(ratio(sum(row[at] for row in there), len(there)) for at in range(3))
