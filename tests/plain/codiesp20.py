"""CodiEsp's scores in plain Python, document by document, as its website and paper tell them.

Independent of the package: used as its oracle on random data. A document is a list of codes, or in
X of (code, [(start, end), ...]); sides are lists of documents.
"""


def distinct(codes, valid=None):
    kept = []
    for code in codes:
        folded = code.strip().lower()
        if folded not in kept and (valid is None or folded in valid):
            kept.append(folded)
    return kept


def average_precision(gold, found, k=None):
    hits, total = 0, 0.0
    for rank, code in enumerate(found[:k], 1):
        if code in gold:
            hits += 1
            total += hits / rank
    return total / len(gold)


def mean(values):
    return sum(values) / len(values) if values else 0.0


def ranked(predictions, references, valid=None, *, official=False, k=None):
    """MAP, or MAP@k."""
    allowed = None if valid is None else {code.strip().lower() for code in valid}
    values = []
    for codes, golds in zip(predictions, references, strict=True):
        found, gold = distinct(codes, allowed), distinct(golds)
        if found if official else gold:
            depth = min(k or 1000, 1000) if official else k
            values.append(average_precision(gold, found, depth) if gold else 0.0)
    return mean(values)


def near(gold, found, *, official):
    before, after = gold[0] - found[0], found[1] - gold[1]
    if official:
        return 0 <= before <= 10 and 0 <= after <= 10
    return abs(before) <= 10 and abs(after) <= 10


def counts(predictions, references, *, places=False, official=False):
    """True positives, false positives, false negatives."""
    tp = golds = found = 0
    for codes, truth in zip(predictions, references, strict=True):
        gold, system = (
            gather(side if places else [(code, ()) for code in side]) for side in (truth, codes)
        )
        golds, found = golds + len(gold), found + len(system)
        for code in gold.keys() & system.keys():
            pairs = [(g, p) for g in gold[code] for p in system[code]]
            tp += not places or any(near(g, p, official=official) for g, p in pairs)
    return tp, found - tp, golds - tp


def gather(codes):
    found = {}
    for code, spans in codes:
        found.setdefault(code.strip().lower(), []).extend(spans)
    return found
