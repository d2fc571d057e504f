"""i2b2 2009 medication challenge: entries of a medication with dosage, mode, reason and others.

The rules are those of Uzuner, Solti and Xia, i2b2 Medication Challenge (Tentative) Evaluation
Metrics, 16 June 2009: exact and inexact, horizontal and vertical, at system and at patient level.
An entry maps a field to ``{"text": ..., "offsets": [[line, token, line, token], ...]}`` or None.
"""

from fractions import Fraction
from itertools import product

from clineval.definitions.documents import pair_documents

FIELDS = {
    "m": "medication", "do": "dosage", "mo": "mode",
    "f": "frequency", "du": "duration", "r": "reason",
}  # fmt: skip
DIRECTIONS = ("horizontal", *(f"vertical_{name}" for name in (*FIELDS.values(), "all")))


def score(predictions, references, texts):
    """Return all scores; ``texts`` are those of the records.

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
    """Return P, R and F."""
    return ratio(shared, system), ratio(shared, gold), ratio(2 * shared, gold + system)


def ratio(numerator, denominator):
    """Return an exact ratio, 0 if its denominator is 0."""
    return Fraction(numerator, denominator) if denominator else Fraction(0)


def count(system, gold, text):
    """Return D, S and N of one record for each name: shared, gold and system."""
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
    """Return D, S and N of two sets."""
    return len(gold & system), len(gold), len(system)


def distinct(entries):
    """Return entries as tuples of sorted offsets, in order, none twice."""
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
    """Return the tokens of each field."""
    return [
        {token for offset in phrase for token in tokens_between(*offset, lengths)}
        for phrase in entry
    ]


def tokens_between(first_line, first, last_line, last, lengths):
    """Return the tokens from one offset to another; lines have some numbers of tokens."""
    everything = [
        (line, token) for line, length in enumerate(lengths, 1) for token in range(length)
    ]
    return [at for at in everything if (first_line, first) <= at <= (last_line, last)]


def align(system, gold, tokens):
    """Yield pairs of a gold and a system entry: equal medications first, then overlapping ones."""
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
    """Return F over the tokens of all fields."""
    shared = sum(len(a & b) for a, b in zip(left, right, strict=True))
    return Fraction(2 * shared, sum(map(len, left)) + sum(map(len, right)))


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of records with ``entries`` and a ``text``."""
    pairs = pair_documents(gold, predicted)
    return score(
        [system.get("entries", ()) for _, system in pairs],
        [truth.get("entries") for truth, _ in pairs],
        [truth.get("text") or system.get("text", "") for truth, system in pairs],
    )
