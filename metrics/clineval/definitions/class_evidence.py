"""Evidence of classes of documents: where the text says it, with equal or overlapping spans.

A document is a dict from answers, pairs of question and class, to sets of spans.
"""


def share(first, second):
    """Return the number of characters that two spans share."""
    return max(0, min(first[1], second[1]) - max(first[0], second[0]))


def pair(gold, found, *, overlap):
    """Count the pairs of one answer: equal spans, then the longest predictions with most shared."""
    equal = gold & found
    if not overlap:
        return len(equal)
    left, right = sorted(gold - equal), sorted(found - equal)
    near = sorted(
        (-(p[1] - p[0]), -share(g, p), g[0], p[0], g, p)
        for g in left
        for p in right
        if share(g, p) > 0
    )
    golds, predictions = set(), set()
    for *_, g, p in near:
        if g not in golds and p not in predictions:
            golds.add(g)
            predictions.add(p)
    return len(equal) + len(golds)


def count(gold, found):
    """Return the counts of all documents."""
    counts = {}
    for name, overlap in (("evidence_exact", False), ("evidence_overlap", True)):
        tp = size = predicted = 0
        for one, other in zip(gold, found, strict=True):
            for answer in {*one, *other}:
                spans = one.get(answer, set()), other.get(answer, set())
                tp += pair(*spans, overlap=overlap)
                size += len(spans[0])
                predicted += len(spans[1])
        fp, fn = predicted - tp, size - tp
        counts |= {f"{name}_tp": tp, f"{name}_fp": fp, f"{name}_fn": fn}
        counts |= {
            f"{name}_precision": tp / predicted if predicted else 0,
            f"{name}_recall": tp / size if size else 0,
            f"{name}_f1": 2 * tp / (size + predicted) if size + predicted else 0,
        }
    return counts
