"""MEDIQA-SYNUR 2026 in plain Python: every predicted observation looks for an equal gold one."""


def count(predictions, references):
    """tp, fp, fn of observations, and of concepts; sides map dictations to records."""
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
    return record.get("value_type") in (None, "", "MULTI_SELECT")


def counts_apart(record, gold):
    same = [each for each in gold if str(each["id"]) == str(record["id"])]
    return not same or any(map(is_several, same))


def spread(record, apart):
    value = record.get("value")
    values = value if apart and isinstance(value, list) else [value]
    return [(str(record["id"]), freeze(each)) for each in values]


def freeze(value):
    """A value that is equal to another one if the two count as the same."""
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
    kind, value = frozen
    if kind == "number":
        return (kind, repr(float(value)))
    if kind == "object":
        return (kind, repr(sorted((name, repr_of(each)) for name, each in value)))
    return (kind, repr([repr_of(each) for each in value] if kind == "list" else value))


def pair_off(golds, said):
    left, pairs = list(golds), 0
    for each in said:
        if each in left:
            left.remove(each)
            pairs += 1
    return pairs
