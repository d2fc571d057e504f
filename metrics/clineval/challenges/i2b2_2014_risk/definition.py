"""i2b2 2014 risk factors: tags of a record, each with a time and indicators.

The rules are those of Stubbs, Kotfila, Xu and Uzuner (2015): tags are compared as sets, over all
records (``micro_``) and as the mean over records (``record_``). ``macro_`` is the mean over tags.
"""

from collections import Counter

from clineval.definitions.documents import pair_lists
from clineval.definitions.rates import (
    add_rows,
    compare_sets,
    divide,
    mean_rates,
    name_rates,
    name_scores,
)

TAGS = (
    "DIABETES",
    "CAD",
    "HYPERTENSION",
    "HYPERLIPIDEMIA",
    "SMOKER",
    "OBESE",
    "FAMILY_HIST",
    "MEDICATION",
)
TIMELESS = ("SMOKER", "FAMILY_HIST")
SAME = {"high-ldl": "high ldl", "high-chol": "high chol."}


def spelled(text):
    """Return a value as it is compared."""
    text = text.strip().lower()
    return SAME.get(text, text)


def key_of(record):
    """Return a tag, its time and its indicators; some tags have no time."""
    types = frozenset(map(spelled, record.get("indicator", "").split(" + "))) - {""}
    tag = record["tag"].strip().upper()
    return tag, "" if tag in TIMELESS else spelled(record.get("time", "")), types


def one_to_one(gold, found, key):
    """Count tags that need to agree in a part only."""
    golds, founds = Counter(map(key, gold)), Counter(map(key, found))
    pairs = sum((golds & founds).values())
    return pairs, len(found) - pairs, len(gold) - pairs


def count(gold, found):
    """Return the counts of a document by the beginning of their names."""
    gold, found = set(map(key_of, gold)), set(map(key_of, found))
    counts = {
        "micro": compare_sets(gold, found),
        "any_time": one_to_one(gold, found, lambda key: (key[0], key[2])),
        "tag": one_to_one(gold, found, lambda key: key[0]),
    }
    tags = {key[0] for key in gold | found}
    for tag in tags:
        counts[tag.lower()] = compare_sets(*({k for k in s if k[0] == tag} for s in (gold, found)))
    for tag, _, types in gold | found:
        if tag != "MEDICATION" and len(types) == 1:
            [indicator] = types
            name = "".join(c if c.isalnum() else "_" for c in f"{tag} {indicator}".lower())
            some = ({k for k in side if k[::2] == (tag, types)} for side in (gold, found))
            counts[name.strip("_")] = compare_sets(*some)
    return counts


def mean_of_records(rows):
    """Return the mean P and R of records with a tag on either side, and their harmonic mean."""
    precision, recall, _ = mean_rates(rows)
    return precision, recall, divide(2 * precision * recall, precision + recall)


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    rows = [count(*pair) for pair in pair_lists(gold, predicted, "tags")]
    totals = {
        name: add_rows([row.get(name, (0, 0, 0)) for row in rows]) for name in set().union(*rows)
    }
    scores = {}
    for name, row in totals.items():
        scores |= name_scores(name, *row)
    tags = [totals.get(tag.lower(), (0, 0, 0)) for tag in TAGS]
    scores |= name_rates("macro", mean_rates(tags))
    return scores | name_rates("record", mean_of_records([row["micro"] for row in rows]))
