"""What CANTEMIST's scripts join and average, in plain Python.

Independent of the package: used as its oracle on random data. A mention is (start, end, label,
code), a document a list of gold and one of predicted mentions, or codes.
"""

from clineval.definitions.ranked_codes import average_precision, distinct
from clineval.definitions.rates import mean


def joined(gold, found, *, coded):
    """Pairs of a gold and a predicted mention at a place, predicted places, gold places."""
    of = slice(0, 4) if coded else slice(0, 2)
    right = sum(g[of] == p[of] and g[:2] == p[:2] for g in gold for p in found)
    return right, *(len({m[:2] for m in side}) for side in (found, gold))


def ranked(documents, valid=None):
    """MAP of the documents with gold codes and a valid prediction; unknown codes have no rank."""
    values = []
    for gold, found in documents:
        golds, codes = distinct(gold), distinct(found, valid)
        if golds and codes:
            values.append(average_precision(golds, codes, 1000))
    return mean(values)
