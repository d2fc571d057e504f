"""What i2b2eval.py computes, written down plainly from its outputs, one entry at a time.

Independent of the package: used as its oracle on random data.

An entry is a dict from field tag to a list of offsets ``(line, token, line, token)``; a record
is a list of entries, and the number of tokens on each of its lines.
"""

from decimal import ROUND_HALF_UP, Decimal

from plain.timsort import sort_stably

FIELDS = ("m", "do", "mo", "f", "du", "r")
NOTHING = 0.09


def score(gold, system, lines):
    """Level, direction and field to F, P and R, all as the script prints them.

    Args:
        gold: record name to entries.
        system: the same.
        lines: record name to tokens a line.
    """
    results = {}
    for exact in (False, True):
        counts = {
            name: count(gold[name], system.get(name, []), lines[name], exact) for name in gold
        }
        match = "exact" if exact else "inexact"
        whole = {name: add(by_field.values()) for name, by_field in counts.items()}
        results[match, "counts"] = add(whole.values())
        results[match, "horizontal", "system", "X"] = prf(add(whole.values()))
        results[match, "horizontal", "patient", "X"] = mean(whole.values())
        for field in FIELDS:
            rows = [by_field[field] for by_field in counts.values()]
            results[match, "vertical", "system", field] = prf(add(rows))
            results[match, "vertical", "patient", field] = mean(row for row in rows if row[1])
    return results


def count(gold, system, lines, exact):
    """Field to D, S and N of one record."""
    gold = [tokens_of_fields(entry, lines) for entry in collapse(gold)]
    system = [tokens_of_fields(entry, lines) for entry in collapse(system)]
    result = dict.fromkeys(FIELDS, (0, 0, 0))
    for left, right in align(gold, system):
        for field in FIELDS:
            triple = compare(left.get(field, set()), right.get(field, set()), exact=exact)
            result[field] = add([result[field], triple])
    return result


def collapse(entries):
    kept = []
    for entry in entries:
        if entry not in kept:
            kept.append(entry)
    return kept


def tokens_of_fields(entry, lines):
    return {
        field: {token for offset in offsets for token in tokens_between(*offset, lines)}
        for field, offsets in entry.items()
    }


def tokens_between(first_line, first, last_line, last, lines):
    for line in range(first_line, last_line + 1):
        start = first if line == first_line else 0
        end = last if line == last_line else lines[line - 1] - 1
        for token in range(start, min(end, lines[line - 1] - 1) + 1):
            yield line, token


def compare(gold, system, *, exact):
    shared, size, found = len(gold & system), len(gold), len(system)
    if exact:
        return int(shared == size == found != 0), int(size > 0), int(found > 0)
    return shared, size, found


def align(gold, system):
    pairs = [
        (pair_f(left, right), g, s)
        for g, left in enumerate(gold)
        for s, right in enumerate(system)
        if left["m"] & right["m"]
    ]
    free_gold, free_system = set(range(len(gold))), set(range(len(system)))
    for _, g, s in sort_descending(pairs):
        if g in free_gold and s in free_system:
            free_gold.remove(g)
            free_system.remove(s)
            yield gold[g], system[s]
    for g in sorted(free_gold):
        yield gold[g], {}
    for s in sorted(free_system):
        yield {}, system[s]


def pair_f(gold, system):
    return prf(add(compare(gold.get(f, set()), system.get(f, set()), exact=False) for f in FIELDS))[
        0
    ]


def add(triples):
    totals = [0, 0, 0]
    for triple in triples:
        totals = [total + number for total, number in zip(totals, triple, strict=True)]
    return tuple(totals)


def prf(triple):
    shared, size, found = triple
    recall = shared / size if size else NOTHING
    precision = shared / found if found else 0.0
    f = 2 * precision * recall / (precision + recall) if precision + recall and shared else 0.0
    return rounded(f), rounded(precision), rounded(recall)


def mean(triples):
    rows = [prf(triple) for triple in triples]
    if not rows:
        return 0.0, 0.0, 0.0
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def rounded(value):
    """As Python 2 rounds: halves away from zero."""
    return float(Decimal(value).quantize(Decimal("0.0001"), ROUND_HALF_UP))


def sort_descending(pairs):
    """Python 2's ``sort(reverse=True)``, differences under .001 being ties."""
    return sort_stably(pairs[::-1], less)[::-1]


def less(left, right):
    return round((right[0] - left[0]) * 10_000) >= 10
