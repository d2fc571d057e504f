"""Ranked codes of documents: the mean average precision of CodiEsp and CANTEMIST.

    AP  = sum over the ranks r of right codes of (right codes up to r) / r / number of gold codes
    MAP = sum of AP over the gold documents with at least one code / their number

Codes are compared without case and surrounding blanks; a repeated code keeps its first rank.
"""

from clineval.definitions.rates import mean


def fold(code):
    """Return a code as it is compared."""
    return code.strip().lower()


def distinct(codes, valid=None):
    """Return the codes once each, in order; with valid codes, without all others."""
    return [code for code in dict.fromkeys(map(fold, codes)) if valid is None or code in valid]


def average_precision(gold, found, k=None):
    """Return AP of the first k codes."""
    hits, total = 0, 0.0
    for rank, code in enumerate(found[:k], 1):
        if code in gold:
            hits += 1
            total += hits / rank
    return total / len(gold)


def ranked(pairs, valid=None, k=None):
    """Return MAP of pairs of gold and predicted codes; an invalid prediction has no rank."""
    allowed = None if valid is None else {fold(code) for code in valid}
    documents = [(distinct(gold), distinct(found, allowed)) for gold, found in pairs]
    return mean([average_precision(gold, found, k) for gold, found in documents if gold])
