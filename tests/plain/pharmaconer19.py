"""PharmaCoNER's counts by its own pages, in plain Python with sets.

Independent of the package: used as its oracle on random data. A document is a list of
(start, end, label), or a list of codes.
"""


def mentions(gold, found, *, unclear=False):
    """True positives, false positives and false negatives of a document."""
    sides = [{m for m in side if unclear or m[2] != "UNCLEAR"} for side in (gold, found)]
    return compare(*sides)


def codes(gold, found, noted=()):
    """The same of codes; ``noted`` are pairs of a label and the code of a note."""
    sides = [{code.strip().lower() for code in side} for side in (gold, found)]
    unclear = {code.lower() for label, code in noted if label == "UNCLEAR"}
    clear = {code.lower() for label, code in noted if label != "UNCLEAR"}
    return compare(sides[0] - (unclear - clear), sides[1])


def compare(gold, found):
    return len(gold & found), len(found - gold), len(gold - found)
