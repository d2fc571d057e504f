"""What the released script of ShARe/CLEF 2013 Task 1 counts, in plain Python.

Independent of the package: used as its oracle on random data.
"""

from itertools import product


def score(predictions, references):
    """The counts behind what it prints, from lines."""
    golds, founds = _read_lines(references), _read_lines(predictions)
    shared = golds.keys() & founds.keys()
    hits = {p for p in founds if any(_touch(p, g) for g in golds)}
    missed = {g for g in golds if not any(_touch(g, p) for p in founds)}
    return {
        "exact_tp": len(shared),
        "exact_fp": len(founds) - len(shared),
        "exact_fn": len(golds) - len(shared),
        "overlap_tp": len(hits),
        "overlap_fp": len(founds) - len(hits),
        "overlap_fn": len(missed),
        "correct": sum(golds[key] == founds[key] for key in shared),
        "strict_total": len(golds),
        "relaxed_total": len(shared),
    }


def _read_lines(text):
    """Document and written span to code; the last line wins."""
    cells = [line.split("||") for line in text.split("\n") if line.strip("\r")]
    return {(doc, *offsets): code.lower() for doc, _, code, *offsets in cells}


def _touch(one, other):
    if one[0] != other[0]:
        return False
    ones, others = (_fragments(key[1:]) for key in (one, other))
    return any(not (s2 >= e1 or s1 >= e2) for (s1, e1), (s2, e2) in product(ones, others))


def _fragments(offsets):
    numbers = [int(offset) for offset in offsets]
    return list(zip(numbers[::2], numbers[1::2], strict=True))
