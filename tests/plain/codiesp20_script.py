"""What CodiEsp's scripts average and accept, in plain Python.

Independent of the package: used as its oracle on random data. A document is a list of codes, sides
are lists of documents.
"""

from clineval.definitions.ranked_codes import average_precision, distinct
from clineval.definitions.rates import mean


def ranked(predictions, references):
    """MAP of the documents with a prediction."""
    values = []
    for codes, golds in zip(predictions, references, strict=True):
        found, gold = distinct(codes), distinct(golds)
        if found:
            values.append(average_precision(gold, found, 1000) if gold else 0.0)
    return mean(values)


def is_near(gold, found):
    """A prediction contains the reference and exceeds it by at most ten characters at each end."""
    return 0 <= gold[0] - found[0] <= 10 and 0 <= found[1] - gold[1] <= 10
