"""Two training codes of ICD coding, in loops and dicts: no arrays, and nothing of the package."""

EPSILON = 1e-10


def divide(top, bottom):
    return top / bottom if bottom else 0.0


def mean(values):
    return divide(sum(values), len(values))


def counts(golds, founds, code):
    both = list(zip(golds, founds, strict=True))
    return (
        sum(code in g and code in f for g, f in both),
        sum(code not in g and code in f for g, f in both),
        sum(code in g and code not in f for g, f in both),
    )


def caml(golds, founds, codes):
    """Scores of sets; ``golds`` and ``founds`` are sets of codes, one for each document."""
    rows = [counts(golds, founds, code) for code in codes]
    tp, fp, fn = (sum(row[at] for row in rows) for at in range(3))
    p, r = divide(tp, tp + fp), divide(tp, tp + fn)
    macro_p = mean([t / (t + f + EPSILON) for t, f, _ in rows])
    macro_r = mean([t / (t + m + EPSILON) for t, _, m in rows])
    return {
        "micro_precision": p,
        "micro_recall": r,
        "micro_f1": divide(2 * p * r, p + r),
        "micro_accuracy": divide(tp, tp + fp + fn),
        "macro_precision": macro_p,
        "macro_recall": macro_r,
        "macro_f1": divide(2 * macro_p * macro_r, macro_p + macro_r),
        "macro_accuracy": mean([t / (t + f + m + EPSILON) for t, f, m in rows]),
    }


def edin(golds, founds, codes, end=""):
    """Scores of sets, over all documents and codes that are given."""
    rows = [(*counts(golds, founds, code), len(golds)) for code in codes]
    found = {}
    for name, of in {"micro": [tuple(map(sum, zip(*rows, strict=True)))], "macro": rows}.items():
        scores = [
            (
                t / (t + f + EPSILON),
                t / (t + m + EPSILON),
                t / (t + (f + m) / 2 + EPSILON),
                f / (n - t - m + EPSILON),
            )
            for t, f, m, n in of
        ]
        for at, key in enumerate(("precision", "recall", "f1", "fpr")):
            found[f"{name}_{key}{end}"] = mean([row[at] for row in scores])
    right = [g & set(codes) == f & set(codes) for g, f in zip(golds, founds, strict=True)]
    return {**found, f"exact_match{end}": mean(right)}


def edin_of_gold(golds, founds):
    """Scores over the codes that the gold standard has, and the documents with one."""
    kept = [(g, f) for g, f in zip(golds, founds, strict=True) if g]
    codes = sorted(set().union(*golds))
    return edin([g for g, _ in kept], [f for _, f in kept], codes) if kept else {}
