"""CANTEMIST's scores in plain Python: what its scripts join and average.

Independent of the package: used as its oracle on random data. A mention is (start, end, label,
code), a document a list of gold and one of predicted mentions, or codes.
"""

from plain.codiesp20 import average_precision, distinct, mean


def joined(gold, found, *, coded):
    """Pairs of a gold and a predicted mention at a place, predicted places, gold places."""
    of = slice(0, 4) if coded else slice(0, 2)
    right = sum(g[of] == p[of] and g[:2] == p[:2] for g in gold for p in found)
    return right, *(len({m[:2] for m in side}) for side in (found, gold))


def ranked(documents, valid=None, *, official=False):
    """MAP; unknown codes keep their ranks, or are dropped, and gold documents count, or some."""
    values = []
    for gold, found in documents:
        golds, codes = distinct(gold), distinct(found, valid if official else None)
        if golds and (codes or not official):
            values.append(average_precision(golds, codes, 1000 if official else None))
    return mean(values)


def micro(documents, without=()):
    """True positives, false positives and false negatives of codes."""
    tp = fp = fn = 0
    for gold, found in documents:
        golds, codes = (set(distinct(side)) - set(without) for side in (gold, found))
        tp, fp, fn = tp + len(golds & codes), fp + len(codes - golds), fn + len(golds - codes)
    return tp, fp, fn
