"""Records of any schema: fields with values, and lists of objects in objects.

Objects are paired one to one, in lists by the F1 of their first field with ``x-key``, in ties by
the next key, then by all fields. Words and sets have shares, all other fields are right or wrong.
If several pairings are best, each gives possible counts. The idea is that of ExtractBench (Ferguson
et al., arXiv 2602.12247).
"""

from collections import Counter
from itertools import permutations, product
from math import floor

from clineval.definitions.documents import pair_documents
from clineval.definitions.rates import divide, mean, name_scores, rate
from clineval.definitions.record_fields import (
    describe,
    find,
    form,
    is_equal,
    normal,
    resolve,
    share,
)

MATCH, EXACT = "records_match", "records_exact"


def judge(gold, found, schema):
    """Return the sums that decide about a pair, keys first; None if it shares nothing."""
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
    """Return all pairings with the largest sums."""
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
    """Return the counts of a field of a pair, or of a record alone (the other one is missing)."""
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
    """Return the possible counts of a document, without those that are 0."""
    single = schema["type"] == "object"
    sides = ([gold], [found]) if single else (gold, found)
    each = count_list(*sides, schema if single else schema["items"], (), single=single)
    return [
        {name: float(number) for name, number in counts.items() if number} for counts, _ in each
    ]


def list_fields(schema, prefix=()):
    """Yield the names of all fields, and whether they have shares."""
    fields, lists = describe(schema)
    for path, (compare, _) in fields.items():
        yield "_".join((*prefix, *path)), compare in ("words", "set")
    for path, inner in lists.items():
        yield from list_fields(inner, (*prefix, *path))


def rate_field(name, counts, *, shared):
    """Return precision, recall and F1 of a field; None if neither side has it."""
    if shared:
        sizes = counts[f"{name}_predicted"], counts[f"{name}_gold"]
        sums = counts[f"{name}_precision_sum"], counts[f"{name}_recall_sum"]
        p, r = (divide(total, size) for total, size in zip(sums, sizes, strict=True))
        return (p, r, divide(2 * p * r, p + r)) if any(sizes) else None
    row = [counts[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn")]
    return rate(*row) if any(row) else None


def score_documents(gold, predicted, config="default", schema=None):  # noqa: ARG001 - there is one
    """Return the main scores of documents with ``records``, objects of a schema."""
    schema, totals, exact = resolve(schema, schema), Counter(), []
    for pair in pair_documents(gold, predicted):
        sides = [document.get("records") for document in pair]
        counts = possible_counts(*sides, schema)[0]
        totals.update(counts)
        exact.append(not any(counts.get(f"{EXACT}_{verdict}") for verdict in ("fp", "fn")))
    root = schema if schema["type"] == "object" else schema["items"]
    rates = [rate_field(name, totals, shared=shared) for name, shared in list_fields(root)]
    f1s = [row[2] for row in rates if row]
    scores = {"fields_mean_f1": mean(f1s), "documents_exact": mean(exact)}
    for name in (MATCH, EXACT):
        scores |= name_scores(
            name, *(totals[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        )
    return scores
