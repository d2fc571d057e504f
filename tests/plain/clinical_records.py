"""Records of a schema in plain Python: every best pairing is tried, and gives possible counts."""

import json
import re
from collections import Counter
from itertools import permutations, product
from math import floor

MATCH, EXACT = "records_match", "records_exact"


def describe(schema):
    """The fields and lists of an object: path to (compare, facts), and path to an object."""
    fields, lists = {}, {}
    for name, part in schema["properties"].items():
        if part.get("x-ignore"):
            continue
        items = part.get("items", {})
        if "properties" in part:
            inner, nested = describe(part)
            fields |= {(name, *path): of for path, of in inner.items()}
            lists |= {(name, *path): of for path, of in nested.items()}
        elif "properties" in items:
            lists[name,] = items
        else:
            usual = "set" if items else "number" if part.get("type") == "number" else "equal"
            fields[name,] = (part.get("x-compare", usual), part)
    return fields, lists


def find(record, path):
    for name in path:
        record = (record or {}).get(name)
    return record


def form(value, compare, part):
    """A value in the form in which it compares; None for no value."""
    if value in (None, "", []):
        return None
    if compare == "fold":
        value = " ".join(value.lower().split())
    if compare == "words":
        value = re.findall(r"[a-z0-9]+(?:(?<=[0-9])[.,][0-9]+)*", value.lower())
    if compare == "set":
        inner = part["items"].get("x-compare", "equal")
        value = sorted({form(member, inner, {}) for member in value})
    if compare == "number" and isinstance(value, str):
        value = float(value.removesuffix(part.get("x-unit", "")))
    if compare == "code":
        value = value.upper().replace(".", "").replace(" ", "")
    return value


def share(gold, found, compare, part):
    """F1 of two values; 1 or 0 for values without parts."""
    if gold is None or found is None:
        return 0
    if compare in ("words", "set"):
        common = (Counter(gold) & Counter(found)).total()
        return 2 * common / (len(gold) + len(found))
    if compare == "number":
        return float(abs(gold - found) <= part.get("x-tolerance", 0) + 1e-9)
    return float(gold == found)


def normal(record, schema):
    """A record as text, the same for all orders of its lists."""
    fields, lists = describe(schema)
    parts = [form(find(record, path), *of) for path, of in fields.items()]
    inner = [
        sorted(normal(each, of) for each in find(record, path) or []) for path, of in lists.items()
    ]
    return json.dumps([parts, inner])


def judge(gold, found, schema):
    """The sums that decide about a pair, the keys first; None for a pair that shares nothing."""
    fields, lists = describe(schema)
    shares = {
        path: floor(
            1e6 * share(*(form(find(side, path), *of) for side in (gold, found)), *of) + 1e-6
        )
        for path, of in fields.items()
    }
    inside = [
        Counter((path, normal(each, of)) for path, of in lists.items()
                for each in find(side, path) or [])
        for side in (gold, found)
    ]  # fmt: skip
    total = sum(shares.values())
    if inside[0] and inside[1]:
        size = inside[0].total() + inside[1].total()
        total += 2 * (inside[0] & inside[1]).total() * 1_000_000 // size
    keys = [shares[path] for path, (_, part) in fields.items() if part.get("x-key")]
    worth = (*keys, total, 1)
    return worth if worth[0] else None


def pair(golds, found, schema):
    """All pairings with the largest sums."""
    size = len([*describe(schema)[0].values()]) + 2
    best, every = (), set()
    for places in permutations(range(max(len(golds), len(found))), len(golds)):
        pairs = [(g, f) for g, f in enumerate(places) if f < len(found)]
        judged = {pair: judge(golds[pair[0]], found[pair[1]], schema) for pair in pairs}
        kept = {pair: worth for pair, worth in judged.items() if worth}
        sums = tuple(map(sum, zip(*kept.values(), strict=True))) or (0,) * size
        if not every or sums > best:
            best, every = sums, set()
        if sums == best:
            every.add(tuple(kept))
    return every


def count_value(gold, found, compare, part, name):
    """The counts of a field of a pair, or of a record alone (the other one is missing)."""
    counts = Counter()
    if compare in ("words", "set"):
        counts[f"{name}_gold"] += gold is not None
        counts[f"{name}_predicted"] += found is not None
        if gold is not None and found is not None:
            common = (Counter(gold) & Counter(found)).total()
            counts[f"{name}_recall_sum"] += common / len(gold)
            counts[f"{name}_precision_sum"] += common / len(found)
        return counts
    right = share(gold, found, compare, part) == 1
    counts[f"{name}_tp"] += right
    counts[f"{name}_fp"] += found is not None and not right
    counts[f"{name}_fn"] += gold is not None and not right
    return counts


def is_equal(gold, found, compare, part):
    if gold is None or found is None:
        return gold is found
    if compare == "number":
        return share(gold, found, compare, part) == 1
    return gold == found


def count_record(gold, found, schema, prefix):
    """Yield possible counts of a pair or of a record alone, and whether the pair is exact."""
    fields, lists = describe(schema)
    own, exact = Counter(), gold is not None and found is not None
    for path, (compare, part) in fields.items():
        both = [form(find(side, path), compare, part) for side in (gold, found)]
        exact = exact and is_equal(*both, compare, part)
        own += count_value(*both, compare, part, "_".join((*prefix, *path)))
    own[f"{MATCH}_tp"] += gold is not None and found is not None
    own[f"{MATCH}_fp"] += gold is None
    own[f"{MATCH}_fn"] += found is None
    inner = [
        [*count_list(find(gold, path) or [], find(found, path) or [], of, (*prefix, *path),
                     apart=gold is None or found is None)]
        for path, of in lists.items()
    ]  # fmt: skip
    for chosen in product(*inner):
        counts, all_exact = Counter(own), exact
        for more, fine in chosen:
            counts.update(more)
            all_exact = all_exact and fine
        counts[f"{EXACT}_tp"] += all_exact
        counts[f"{EXACT}_fp"] += found is not None and not all_exact
        counts[f"{EXACT}_fn"] += gold is not None and not all_exact
        yield counts, all_exact


def count_list(golds, found, schema, prefix, *, apart=False, single=False):  # noqa: PLR0913
    """Yield possible counts of two lists, and whether all in them is exact."""
    every = {()} if apart else pair(golds, found, schema)
    if single:
        every = {((0, 0),)} if golds and found else {()}
    for pairs in every:
        units = [(golds[g], found[f]) for g, f in pairs]
        units += [(gold, None) for g, gold in enumerate(golds) if g not in {g for g, _ in pairs}]
        units += [(None, each) for f, each in enumerate(found) if f not in {f for _, f in pairs}]
        for chosen in product(*(list(count_record(*unit, schema, prefix)) for unit in units)):
            counts = Counter()
            for more, _ in chosen:
                counts.update(more)
            yield counts, all(fine for _, fine in chosen)


def possible_counts(gold, found, schema):
    """The possible counts of a document, without those that are 0."""
    single = schema["type"] == "object"
    sides = ([gold], [found]) if single else (gold, found)
    each = count_list(*sides, schema if single else schema["items"], (), single=single)
    return [
        {name: float(number) for name, number in counts.items() if number} for counts, _ in each
    ]
