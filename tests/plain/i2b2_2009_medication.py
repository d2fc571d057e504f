"""The i2b2 2009 medication challenge in plain Python: the definition read aloud, slow and readable.

Independent of the package: used as its oracle on random data. An entry is a dict from field to
``{"text": ..., "offsets": [[line, token, line, token], ...]}`` or None.
"""

from fractions import Fraction
from itertools import product

FIELDS = {
    "m": "medication", "do": "dosage", "mo": "mode",
    "f": "frequency", "du": "duration", "r": "reason",
}  # fmt: skip
DIRECTIONS = ("horizontal", *(f"vertical_{name}" for name in (*FIELDS.values(), "all")))


def score(predictions, references, texts):
    """All scores; ``texts`` are the records' texts.

    A record that the ground truth does not have has None as its reference.
    """
    rows = [
        count(system, gold or [], text)
        for system, gold, text in zip(predictions, references, texts, strict=True)
    ]
    of_truth = [row for row, gold in zip(rows, references, strict=True) if gold is not None]
    scores = {"n_documents": len(rows)}
    for match, direction in product(("exact", "inexact"), DIRECTIONS):
        name = f"{match}_{direction}"
        sizes = [row[name] for row in rows]
        something = [prf(*row[name]) for row in of_truth if row[name][1] or row[name][2]]
        whole = prf(*map(sum, zip(*sizes, strict=True))) if sizes else (0, 0, 0)
        for k, measure in enumerate(("precision", "recall", "f1")):
            scores[f"{name}_system_{measure}"] = float(whole[k])
            total = sum((row[k] for row in something), Fraction(0))
            scores[f"{name}_patient_{measure}"] = float(total / len(something)) if something else 0
    return scores


def prf(shared, gold, system):
    return ratio(shared, system), ratio(shared, gold), ratio(2 * shared, gold + system)


def ratio(numerator, denominator):
    return Fraction(numerator, denominator) if denominator else Fraction(0)


def count(system, gold, text):
    """Name to D, S and N of one record."""
    lengths = [line.count(" ") + 1 for line in text.split("\n")]
    system, gold = (distinct(entries) for entries in (system, gold))
    tokens = {entry: tokens_of(entry, lengths) for entry in (*system, *gold)}
    pairs = list(align(system, gold, tokens))
    result = {}
    linked = {"exact": [0, 0, 0], "inexact": [0, 0, 0]}
    for k, name in enumerate(FIELDS.values()):
        phrases = [{entry[k] for entry in entries if entry[k]} for entries in (gold, system)]
        covered = [set().union(*(tokens[e][k] for e in entries)) for entries in (gold, system)]
        result[f"exact_vertical_{name}"] = sizes(*phrases)
        result[f"inexact_vertical_{name}"] = sizes(*covered)
        for entries, at in ((gold, 1), (system, 2)):
            linked["exact"][at] += sum(bool(entry[k]) for entry in entries)
            linked["inexact"][at] += sum(len(tokens[entry][k]) for entry in entries)
        for left, right in pairs:
            linked["exact"][0] += bool(left[k]) and left[k] == right[k]
            linked["inexact"][0] += len(tokens[left][k] & tokens[right][k])
    for match, triple in linked.items():
        fields = [result[f"{match}_vertical_{name}"] for name in FIELDS.values()]
        result[f"{match}_vertical_all"] = tuple(map(sum, zip(*fields, strict=True)))
        result[f"{match}_horizontal"] = tuple(triple)
    return result


def sizes(gold, system):
    return len(gold & system), len(gold), len(system)


def distinct(entries):
    """Entries as tuples of sorted offsets, in order, none twice."""
    plain = {
        tuple(
            tuple(sorted(tuple(offset) for offset in entry[field]["offsets"]))
            if entry.get(field)
            else ()
            for field in FIELDS
        )
        for entry in entries
    }
    return sorted(plain)


def tokens_of(entry, lengths):
    return [
        {token for offset in phrase for token in tokens_between(*offset, lengths)}
        for phrase in entry
    ]


def tokens_between(first_line, first, last_line, last, lengths):
    everything = [
        (line, token) for line, length in enumerate(lengths, 1) for token in range(length)
    ]
    return [at for at in everything if (first_line, first) <= at <= (last_line, last)]


def align(system, gold, tokens):
    """Pairs of a gold and a system entry: same medications first, then overlapping ones."""
    system, gold = list(system), list(gold)
    for may_pair in (
        lambda left, right: left[0] == right[0],
        lambda left, right: tokens[left][0] & tokens[right][0],
    ):
        ranked = sorted(
            (-f1(tokens[entry], tokens[other]), entry, other)
            for entry, other in product(system, gold)
            if may_pair(entry, other)
        )
        for _, entry, other in ranked:
            if entry in system and other in gold:
                system.remove(entry)
                gold.remove(other)
                yield other, entry


def f1(left, right):
    shared = sum(len(a & b) for a, b in zip(left, right, strict=True))
    return Fraction(2 * shared, sum(map(len, left)) + sum(map(len, right)))
