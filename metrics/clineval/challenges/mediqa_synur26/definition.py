"""MEDIQA-SYNUR 2026: observations from the dictations of nurses, concepts with values.

The task's words are "extracting and normalizing clinical observations" and the participants'
"micro-F1" (https://github.com/abachaa/MEDIQA-SYNUR-2026). Every predicted observation looks for an
equal gold one; ``concept_`` ignores values.
"""

from clineval.definitions.rates import divide, name_scores


def count(predictions, references):
    """Return tp, fp, fn of observations, and of concepts; sides map dictations to records."""
    totals = dict.fromkeys(("micro", "concept"), (0, 0, 0))
    for name in {**references, **predictions}:
        gold, found = references.get(name, []), predictions.get(name, [])
        golds = [pair for record in gold for pair in spread(record, counts_apart(record, gold))]
        said = [pair for record in found for pair in spread(record, counts_apart(record, gold))]
        for key, pairs in (
            ("micro", pair_off(golds, said)),
            ("concept", pair_off([c for c, _ in golds], [c for c, _ in said])),
        ):
            counted = pairs, len(said) - pairs, len(golds) - pairs
            totals[key] = tuple(map(sum, zip(totals[key], counted, strict=True)))
    return totals


def is_several(record):
    """Check whether a record says that its concept may have several values."""
    return record.get("value_type") in (None, "", "MULTI_SELECT")


def counts_apart(record, gold):
    """Check whether each value of a list is an observation; the gold standard decides."""
    same = [each for each in gold if str(each["id"]) == str(record["id"])]
    return not same or any(map(is_several, same))


def spread(record, apart):
    """Return the observations of a record: its concept with each value."""
    value = record.get("value")
    values = value if apart and isinstance(value, list) else [value]
    return [(str(record["id"]), freeze(each)) for each in values]


def freeze(value):
    """Return a form of a value that is equal for values that count as the same."""
    if isinstance(value, bool) or value is None:
        return ("word", repr(value))
    if isinstance(value, (int, float)):
        return ("number", value)
    if isinstance(value, str):
        return ("text", {"fahrenheit": "F", "celsius": "C"}.get(value.lower(), value))
    if isinstance(value, dict):
        return ("object", frozenset((name, freeze(each)) for name, each in value.items()))
    return ("list", tuple(sorted(map(freeze, value), key=repr_of)))


def repr_of(frozen):
    """Return text that sorts the members of a list, so that their order does not matter."""
    kind, value = frozen
    if kind == "number":
        return (kind, repr(float(value)))
    if kind == "object":
        return (kind, repr(sorted((name, repr_of(each)) for name, each in value)))
    return (kind, repr([repr_of(each) for each in value] if kind == "list" else value))


def pair_off(golds, said):
    """Return the number of pairs; each observation has one partner."""
    left, pairs = list(golds), 0
    for each in said:
        if each in left:
            left.remove(each)
            pairs += 1
    return pairs


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    sides = [
        {document["id"]: document["observations"] for document in side}
        for side in (predicted, gold)
    ]
    counts = count(*sides)
    scores = {
        **name_scores("micro", *counts["micro"]),
        **name_scores("concept", *counts["concept"]),
    }
    return {**scores, "value_accuracy": divide(counts["micro"][0], counts["concept"][0])}
